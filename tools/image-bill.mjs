// Writes the bill of materials and the licences of everything in an image, in the folder where its packages are
// installed: `node …/image-bill.mjs`. The bills of single packages do not contain what is installed beside them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { billOfInstalled, noticeOf } from './bill.mjs';

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));

// npm keeps a lock file of what it has installed there.
const lock = read('node_modules/.package-lock.json');
const paths = Object.keys(lock.packages);
const bundles = paths.filter((path) => existsSync(`${path}/dist/sbom.json`));
const { version } = read('node_modules/reenact/package.json');
const about = { type: 'container', 'bom-ref': 'image', name: 'reenact', version };
const bills = Object.fromEntries(bundles.map((path) => [path, read(`${path}/dist/sbom.json`)]));
writeFileSync('sbom.json', billOfInstalled(about, lock, bills));
const notices = bundles.map((path) => readFileSync(`${path}/dist/licenses.txt`, 'utf8'));
writeFileSync('licenses.txt', [...paths.map(noticeOf), ...notices].join(''));
