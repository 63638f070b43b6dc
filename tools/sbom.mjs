// Writes the bill of materials of the package, CycloneDX 1.5, from the lock file: `node tools/sbom.mjs [FILE]`, dist/sbom.json where none is named. npm's own
// (`npm sbom --omit dev`) leaves out packages that are also needed for development, such as `jose`. The same lock file gives the same bytes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const target = process.argv[2] ?? `${root}dist/sbom.json`;
const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
const { '': own, ...others } = packages;

const purl = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function component(path, { version, integrity, license, optional }) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version,
    scope: optional === true ? 'optional' : 'required',
    purl: purl(name, version),
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    ...(license === undefined
      ? {}
      : { licenses: [/ /.test(license) ? { expression: license } : { license: { id: license } }] }),
  };
}

const components = Object.entries(others)
  .filter(([, { dev, devOptional }]) => dev !== true && devOptional !== true)
  .map(([path, locked]) => component(path, locked));
const about = {
  type: 'library',
  'bom-ref': own.name,
  name: own.name,
  version: own.version,
  purl: purl(own.name, own.version),
};
const bill = { bomFormat: 'CycloneDX', specVersion: '1.5', version: 1, metadata: { component: about }, components };
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `${JSON.stringify(bill, null, 1)}\n`);
