// Builds the extension for VS Code from the output of `npm run build`: `node tools/extension.mjs`. The result is
// dist/extension/reenact-VERSION.vsix, which `code --install-extension` installs.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Resvg } from '@resvg/resvg-js';
import { rolldown } from 'rolldown';

const source = 'editors/vscode';
const folder = 'dist/extension';
const own = JSON.parse(readFileSync('package.json', 'utf8'));

execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', source], { stdio: 'inherit' });
rmSync(folder, { recursive: true, force: true });
mkdirSync(`${folder}/dist`, { recursive: true });

const bundle = await rolldown({ input: `${source}/src/extension.ts`, external: ['vscode'], platform: 'node' });
await bundle.write({ file: `${folder}/dist/extension.js`, format: 'cjs', minify: true });
await bundle.close();

const manifest = JSON.parse(readFileSync(`${source}/package.json`, 'utf8'));
writeFileSync(`${folder}/package.json`, `${JSON.stringify({ ...manifest, version: own.version }, null, 2)}\n`);
writeFileSync(`${folder}/icon.png`, new Resvg(readFileSync(`${source}/icon.svg`, 'utf8')).render().asPng());
cpSync(`${source}/README.md`, `${folder}/README.md`);
cpSync('LICENSE', `${folder}/LICENSE`);
cpSync('schema/scenario.schema.json', `${folder}/schema/scenario.schema.json`);

// The copy of the command for workspaces that have none, with the packages that it does not contain.
const { name, version, type, bin, dependencies } = own;
// Node reads neither types nor the builds for browsers, and of jsonc-parser only its main file.
const unused =
  /\.d\.[cm]?ts$|\.md$|\.tsbuildinfo$|\/(?:browser|bin|typings)(?:\/|\.js$)|\/metaModel\.|jsonc-parser\/lib\/esm/;
const filter = (path) => !unused.test(path.replaceAll('\\', '/'));
const server = `${folder}/server`;
for (const path of ['dist/cli', 'dist/viewer', 'dist/licenses.txt', 'schema', 'LICENSE'])
  cpSync(path, `${server}/${path}`, { recursive: true, filter });
writeFileSync(`${server}/package.json`, `${JSON.stringify({ name, version, type, bin }, null, 2)}\n`);
const needed = Object.keys(dependencies).filter((each) => !each.startsWith('@reenact/'));
for (let each = needed.pop(), done = new Set(); each !== undefined; each = needed.pop()) {
  if (done.has(each)) continue;
  done.add(each);
  const path = `node_modules/${each}`;
  cpSync(path, `${server}/${path}`, { recursive: true, dereference: true, filter });
  needed.push(...Object.keys(JSON.parse(readFileSync(`${path}/package.json`, 'utf8')).dependencies ?? {}));
}

execFileSync(
  'npx',
  ['--yes', '@vscode/vsce@3.6.0', 'package', '--no-dependencies', '--allow-missing-repository', '--skip-license'],
  { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' },
);
