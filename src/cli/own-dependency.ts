import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { ownPackage, type Package } from '../machine/index.ts';

const paths = /^(?:file|link|portal):|^(?:\.{0,2}|~)[\\/]/;

/** The packages that a project needs if Reenact does not come from a registry. */
const names = ['reenact', '@reenact/engine'] as const;

/**
 * The dependencies that another project needs in its package.json to use this Reenact, as it was installed: the path of
 * a tarball or checkout, a version range, or the URL of a repository. An install without a package.json, such as a
 * global one, is referred to by its folder.
 */
export function ownDependencies({ folder }: Package): Record<string, string> {
  const own = resolve(folder);
  const named = isInstalled(own) ? dependentAbove(own) : undefined;
  if (named === undefined) return { reenact: fileSpec(own) };
  const { reenact, ...others } = named.specs;
  // A version range or a URL also determines the engine package.
  if (!isPath(reenact!)) return { reenact: reenact!.startsWith('workspace:') ? fileSpec(own) : reenact! };
  const target = targetOf(reenact!, named.folder);
  if (target === undefined) return { reenact: fileSpec(own) };
  const engines = Object.entries(others).map(([name, spec]) => [
    name,
    isPath(spec) ? targetOf(spec, named.folder) : spec,
  ]);
  return { reenact: target, ...Object.fromEntries(engines.filter(([, spec]) => spec !== undefined)) };
}

/**
 * What `npm install` needs for the server package of this Reenact: the tarball beside its own, or the name in the
 * registry that Reenact came from.
 */
export function serverToInstall(own = ownPackage()): string {
  const { reenact = '' } = own === undefined ? {} : ownDependencies(own);
  if (/^[\^~<>=*\d]/.test(reenact)) return `@reenact/server@${own!.version}`;
  const name = `reenact-server-${own?.version ?? 'VERSION'}.tgz`;
  const beside = reenact.startsWith('file:') ? join(dirname(reenact.slice('file:'.length)), name) : '';
  return existsSync(beside) ? beside : `path/to/${name} (made by npm pack --workspaces in a checkout)`;
}

function isPath(spec: string): boolean {
  return paths.test(spec);
}

function targetOf(spec: string, folder: string): string | undefined {
  const path = spec.replace(/^(?:file|link|portal):(?:\/\/)?/, '');
  const target = isAbsolute(path) ? path : resolve(folder, path);
  return existsSync(target) ? fileSpec(target) : undefined;
}

function isInstalled(folder: string): boolean {
  return basename(dirname(folder)) === 'node_modules';
}

/** The enclosing project that depends on an installed package, with the specs of our packages. */
function dependentAbove(own: string): { readonly folder: string; readonly specs: Record<string, string> } | undefined {
  for (let folder = dirname(own); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (!existsSync(path)) continue;
    const { dependencies, devDependencies, optionalDependencies } = JSON.parse(readFileSync(path, 'utf8'));
    const all: Record<string, unknown> = { ...optionalDependencies, ...devDependencies, ...dependencies };
    if (typeof all['reenact'] !== 'string') continue;
    return {
      folder,
      specs: Object.fromEntries(names.flatMap((name) => (typeof all[name] === 'string' ? [[name, all[name]]] : []))),
    };
  }
  return undefined;
}

function fileSpec(path: string): string {
  return `file:${path.replaceAll('\\', '/')}`;
}
