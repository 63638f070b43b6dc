// Writes the bill of materials of a package (CycloneDX 1.5) from the lock file: what is installed with it and what is
// bundled in it. `npm sbom --omit dev` does not know about bundles. The same lock file gives the same bytes.
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

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

function billWith(about, components) {
  const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata: { component: about }, components };
  return `${JSON.stringify(bill, null, 1)}\n`;
}

/** The name that CycloneDX reserves for npm packages inside the file of another one. */
const inBundle = { name: 'cdx:npm:package:bundled', value: 'true' };

export function billOf(lock, folder, bundled) {
  const { name, version } = lock.packages[folder];
  const about = { type: 'library', 'bom-ref': name, name, version, purl: purl(name, version) };
  const components = materialsOf(lock, folder, bundled).map((path) => ({
    ...component(path, lock.packages[path]),
    ...(bundled.includes(path) && { properties: [inBundle] }),
  }));
  return billWith(about, components);
}

/**
 * The bill of a folder where packages are installed: those that npm installed, whose versions may be newer than in our
 * lock file, and what is bundled in ours, as their own bills say.
 */
export function billOfInstalled(about, { packages }, bills) {
  const bundled = Object.entries(bills).flatMap(([path, { components }]) =>
    components
      .filter(({ properties = [] }) => properties.some(({ name }) => name === inBundle.name))
      .map((each) => ({ ...each, 'bom-ref': `${path}:${each['bom-ref']}` })),
  );
  return billWith(about, [...Object.entries(packages).map(([path, each]) => component(path, each)), ...bundled]);
}

/** The licence of the package in a folder, with its text. */
export function noticeOf(path) {
  const { name, version, license } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
  const file = readdirSync(path).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? '' : `\n${readFileSync(join(path, file), 'utf8').trim()}\n`;
  return `${name} ${version}: ${license}\n${text}${'-'.repeat(80)}\n`;
}
