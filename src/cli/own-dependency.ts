import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Dictionary } from '../../engine/core/index.ts';
import { ownPackage, type Package } from '../machine/index.ts';

/**
 * The dependencies that another project needs in its package.json to use this Reenact: those of the project in which
 * Reenact is installed, with absolute paths. If no package.json lists Reenact, as for a global installation, the
 * dependencies are the folders of the packages. `more`: the names of packages that the project needs besides `reenact`
 * and the engine; those that are not installed are left out.
 */
export function ownDependencies({ folder }: Package, ...more: readonly string[]): Record<string, string> {
  const own = resolve(folder);
  const others = ['@reenact/engine', ...more];
  for (let at = dirname(own); at !== dirname(at); at = dirname(at)) {
    const path = join(at, 'package.json');
    if (!existsSync(path)) continue;
    const { dependencies, devDependencies } = JSON.parse(readFileSync(path, 'utf8'));
    const all: Dictionary<string> = { ...devDependencies, ...dependencies };
    if (all['reenact'] === undefined) continue;
    return Object.fromEntries(
      ['reenact', ...others].flatMap((name) => (all[name] ? [[name, absolute(all[name], at)]] : [])),
    );
  }
  const beside = others.flatMap((name) => {
    const found = ['node_modules', '..'].map((path) => join(own, path, name)).find((path) => existsSync(path));
    return found === undefined ? [] : [[name, fileSpec(realpathSync(found))]];
  });
  return { reenact: fileSpec(own), ...Object.fromEntries(beside) };
}

/**
 * The argument that `npm install` needs for the server package of this Reenact: the tarball in the folder of Reenact's
 * own tarball, or the name in the registry from which Reenact came.
 */
export function serverToInstall(own = ownPackage()): string {
  const { reenact = '' } = own === undefined ? {} : ownDependencies(own);
  if (/^[\^~<>=*\d]/.test(reenact)) return `@reenact/server@${own!.version}`;
  const name = `reenact-server-${own?.version ?? 'VERSION'}.tgz`;
  const beside = join(dirname(reenact.replace('file:', '')), name);
  return existsSync(beside) ? beside : `path/to/${name} (made by npm pack --workspaces in a checkout)`;
}

/** A dependency of the project in a folder, written so that it is valid in other projects. */
function absolute(spec: string, folder: string) {
  const [, path] = /^(?:file:|link:|(?=\.{0,2}\/))(.*)$/.exec(spec) ?? [];
  return path === undefined ? spec : fileSpec(resolve(folder, path));
}

function fileSpec(path: string) {
  return `file:${path.replaceAll('\\', '/')}`;
}
