import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ownPackage, type Package } from '../machine/index.ts';

/** The packages that a project depends on if Reenact does not come from a registry. */
const names = ['reenact', '@reenact/engine'] as const;

/**
 * The dependencies that another project needs in its package.json to use this Reenact: those of the project in which it
 * is installed, with absolute paths. If no package.json lists Reenact, as for a global installation, they are the
 * folders of Reenact and of its engine.
 */
export function ownDependencies({ folder }: Package): Record<string, string> {
  const own = resolve(folder);
  for (let at = dirname(own); at !== dirname(at); at = dirname(at)) {
    const path = join(at, 'package.json');
    if (!existsSync(path)) continue;
    const { dependencies, devDependencies } = JSON.parse(readFileSync(path, 'utf8'));
    const all: Readonly<Record<string, string>> = { ...devDependencies, ...dependencies };
    if (all['reenact'] === undefined) continue;
    return Object.fromEntries(names.flatMap((name) => (all[name] ? [[name, absolute(all[name], at)]] : [])));
  }
  const engine = ['node_modules', '..'].map((path) => join(own, path, names[1])).find((path) => existsSync(path));
  return { reenact: fileSpec(own), ...(engine !== undefined && { [names[1]]: fileSpec(realpathSync(engine)) }) };
}

/**
 * The argument that `npm install` needs for the server package of this Reenact: the tarball in the folder of Reenact's
 * own tarball, or the name in the registry from which Reenact came.
 */
export function serverToInstall(own = ownPackage()): string {
  const { reenact = '' } = own === undefined ? {} : ownDependencies(own);
  if (/^[\^~<>=*\d]/.test(reenact)) return `@reenact/server@${own!.version}`;
  const name = `reenact-server-${own?.version ?? 'VERSION'}.tgz`;
  const beside = reenact.startsWith('file:') ? join(dirname(reenact.slice('file:'.length)), name) : '';
  return existsSync(beside) ? beside : `path/to/${name} (made by npm pack --workspaces in a checkout)`;
}

/** A dependency of the project in a folder, written so that it is valid in other projects. */
function absolute(spec: string, folder: string): string {
  const [, path] = /^(?:file:|link:|(?=\.{0,2}\/))(.*)$/.exec(spec) ?? [];
  return path === undefined ? spec : fileSpec(resolve(folder, path));
}

function fileSpec(path: string): string {
  return `file:${path.replaceAll('\\', '/')}`;
}
