import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Package } from './package-root.ts';

const paths = /^(?:file|link|portal):|^(?:\.{0,2}|~)[\\/]/;

/**
 * What the package.json of another project has to say to depend on this Reenact, from where it was installed: the path of a tarball or of a checkout, a
 * range of versions, the address of a repository. An install that no package.json knows, such as a global one, is depended on as a folder.
 */
export function ownDependency({ folder }: Package): string {
  const own = resolve(folder);
  const asFolder = fileSpec(own);
  const named = isInstalled(own) ? dependentAbove(own) : undefined;
  if (named === undefined || named.spec.startsWith('workspace:')) return asFolder;
  if (!paths.test(named.spec)) return named.spec;
  const path = named.spec.replace(/^(?:file|link|portal):(?:\/\/)?/, '');
  const target = isAbsolute(path) ? path : resolve(named.folder, path);
  return existsSync(target) ? fileSpec(target) : asFolder;
}

function isInstalled(folder: string): boolean {
  return basename(dirname(folder)) === 'node_modules';
}

/** The project around an installed package that asked for it. */
function dependentAbove(own: string): { readonly folder: string; readonly spec: string } | undefined {
  for (let folder = dirname(own); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (!existsSync(path)) continue;
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(path, 'utf8'));
    const spec: unknown = { ...optionalDependencies, ...devDependencies, ...dependencies }['reenact'];
    if (typeof spec === 'string') return { folder, spec };
  }
  return undefined;
}

function fileSpec(path: string): string {
  return `file:${path.replaceAll('\\', '/')}`;
}
