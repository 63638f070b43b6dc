// Writes the bill of materials of a package (CycloneDX 1.5) from the lock file: what is installed with it and what is
// bundled in it. `npm sbom --omit dev` does not know about bundles. The same lock file gives the same bytes.
import { posix } from 'node:path';

const modules = 'node_modules/';
const nameAt = (path) => path.slice(path.lastIndexOf(modules) + modules.length);
const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Where Node finds `name` for the package at `path`. */
function installed(packages, path, name) {
  for (let folder = path; ; folder = posix.dirname(folder).replace(/^\.$/, '')) {
    const place = posix.join(folder, modules + name);
    if (packages[place] !== undefined) return packages[place].link === true ? packages[place].resolved : place;
    if (folder === '') return undefined;
  }
}

/**
 * The paths in the lock file of everything installed with the package at `folder` (`''` for the root), and of the
 * bundled packages.
 */
export function materialsOf({ packages }, folder, bundled) {
  const found = new Set(bundled);
  const add = (path) => {
    const { dependencies, optionalDependencies } = packages[path];
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = installed(packages, path, name);
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      add(place);
    }
  };
  add(folder);
  return [...found].sort();
}

function component(path, { name = nameAt(path), version, integrity, license, optional }) {
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version,
    scope: optional === true ? 'optional' : 'required',
    purl: purl(name, version),
    ...(integrity && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    }),
    ...(license && { licenses: [/ /.test(license) ? { expression: license } : { license: { id: license } }] }),
  };
}

export function billOf(lock, folder, bundled) {
  const { name, version } = lock.packages[folder];
  const about = { type: 'library', 'bom-ref': name, name, version, purl: purl(name, version) };
  const components = materialsOf(lock, folder, bundled).map((path) => component(path, lock.packages[path]));
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata: { component: about }, components };
  return `${JSON.stringify(bill, null, 1)}\n`;
}
