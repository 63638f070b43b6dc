// Builds the four packages from the output of `tsc -b`: `node tools/packages.mjs`.
//
// In a checkout, all sources import each other by relative paths. In published packages, imports of the engine use its
// package name, so that a program has only one engine. Only the programs, commands and server, contain all that they
// need: one file starts in a third of the time of its modules.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, posix, relative, resolve } from 'node:path';
import { billOf, noticeOf } from './bill.mjs';
import { bundleApart, bundleModules, bundlePage, bundleProgram, bundleScripts } from './bundle.mjs';
import { copyDeclarations } from './declarations.mjs';
import { withoutAnyManual, withoutManual } from './manual.mjs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/**
 * A plugin that excludes modules of other packages: `nameOf` maps a path without extension to the name in that package.
 */
const elsewhere = (nameOf) => ({
  name: 'modules of other packages',
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return null;
    const path = relative('.', resolve(dirname(importer), source)).replaceAll('\\', '/');
    const id = nameOf(path.replace(/\.ts$/, ''), importer);
    return id === undefined ? null : { id, external: true };
  },
});

/** Its `main` requires its other files by names that bundlers do not see. */
const serverResolution = { alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' } };

/** How the platform of Durable Objects chooses among the forms of a package. */
const workerResolution = {
  conditionNames: ['workerd', 'worker', 'browser', 'import'],
  mainFields: ['browser', 'module', 'main'],
};

await Promise.all([engine('engine'), commands(''), client('src/net'), server('src/server')]);

/** The engine as modules that run unchanged in Node and in pages, with what it needs of other packages. */
async function engine(folder) {
  const dist = `${folder}/dist`;
  const entries = ['index', 'tools', 'core/index'];
  const inputs = Object.fromEntries(entries.map((name) => [name, `${folder}/${name}.ts`]));
  const modules = await bundleApart(inputs, dist);
  // Bundlers for browsers take these: the export condition `browser`.
  await bundleApart(inputs, `${dist}/page`, { plugins: [withoutManual] });
  copyDeclarations('dist/engine', entries, dist);
  // Types of planck occur in those of the engine.
  const planck = 'planck/dist/planck';
  copy(`node_modules/${planck}.d.ts`, `${dist}/bundled/${planck}.d.ts`);
  const uses = `${dist}/physics/planck.d.ts`;
  writeFileSync(uses, readFileSync(uses, 'utf8').replace("'planck'", `'../bundled/${planck}.js'`));
  about(folder, modules);
}

/** The commands, the pages that they write, and the modules for tests and programs. */
async function commands(folder) {
  const external = [
    'tinypool',
    '@viz-js/viz',
    '@resvg/resvg-js',
    'jsonc-parser',
    'vitest',
    'vscode-languageserver',
    'vscode-languageserver/node',
    'vscode-languageserver-textdocument',
  ];
  const lib = 'dist/lib';
  const modules = [
    ...(await bundleProgram('src/cli/main.ts', 'dist/cli', {
      external,
      plugins: [elsewhere(serverName)],
      isAlone: true,
      // The help needs all declarations of commands, and a run most of the engine; thirty files take longer to load than
      // one.
      output: {
        codeSplitting: {
          groups: [
            { name: 'declarations', test: /src\/cli\/[\w-]+\/command\.ts$/, priority: 1 },
            { name: 'play', test: /src\/cli\/run\/run\.ts$/ },
          ],
        },
      },
    })),
    ...(await bundleScripts(['src/viewer/page.ts'], 'dist/viewer')),
    ...(await bundleModules(
      {
        testing: 'src/cli/testing.ts',
        why: 'src/why/library.ts',
        explore: 'src/explore/library.ts',
        bots: 'src/bots/library.ts',
      },
      lib,
      {
        external,
        plugins: [elsewhere(engineName)],
      },
    )),
  ];
  // Apart from the others, which share a helper of the bundler that needs Node: pages check games, too.
  modules.push(
    ...(await bundleModules({ check: 'src/check/check-game.ts' }, `${lib}/check`, {
      plugins: [elsewhere(engineName)],
      platform: 'browser',
    })),
  );
  copyDeclarations(
    'dist/src',
    ['check/check-game', 'scenario/testing', 'why/library', 'explore/library', 'bots/library'],
    `${lib}/types`,
    engineName,
  );
  // The library is the engine with the checks.
  writeFileSync(
    `${lib}/index.js`,
    "export * from '@reenact/engine';\nexport { checkGame, issueCodes } from './check/check.js';\n",
  );
  writeFileSync(
    `${lib}/index.d.ts`,
    "export * from '@reenact/engine';\nexport { checkGame, issueCodes, type Rule, type Rules } from './types/check/check-game.js';\n",
  );
  about(folder, modules);
}

/** What pages need to play on a server, as modules like those of the engine. */
async function client(folder) {
  const dist = `${folder}/dist`;
  const entry = { 'net/index': 'src/net/index.ts' };
  const modules = await bundleApart(entry, dist, { root: 'src', plugins: [elsewhere(engineName)] });
  copyDeclarations('dist/src', ['net/index'], `${dist}/types`, engineName);
  about(folder, modules);
}

/** What the commands need of the server, its pages, the Colyseus room, and rooms as Durable Objects. */
async function server(folder) {
  const dist = `${folder}/dist`;
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const external = Object.keys({ ...dependencies, ...peerDependencies });
  rmSync(dist, { recursive: true, force: true });
  const modules = [
    ...(await bundleProgram({ server: 'src/server/index.ts' }, `${dist}/program`, {
      external,
      resolve: serverResolution,
      // Packages that are bundled have exports of their own, which publint takes for those of the entry.
      output: { codeSplitting: { groups: [{ name: 'packages', test: /node_modules/, entriesAware: true }] } },
    })),
    // The page of players explains nothing of the script language.
    ...(await bundlePage('src/server/viewer/live/live.ts', `${dist}/viewer`, { plugins: [withoutAnyManual] })),
    ...(await bundleScripts(
      ['src/viewer/page.ts', ...['insight/insight', 'admin/admin'].map((name) => `src/server/viewer/${name}.ts`)],
      `${dist}/viewer`,
    )),
    ...(await bundleModules({ colyseus: 'src/server/colyseus/index.ts' }, `${dist}/colyseus`, {
      external,
      resolve: serverResolution,
    })),
    ...(await bundleModules({ 'durable-object': 'src/server/durable-object/index.ts' }, `${dist}/durable-object`, {
      external,
      plugins: [withoutManual],
      platform: 'neutral',
      resolve: workerResolution,
    })),
  ];
  // Hosts of static files serve this folder as it is.
  const { pageFiles } = await import('../dist/src/server/index.js');
  for (const [name, content] of Object.entries(pageFiles())) writeFileSync(`${dist}/viewer/${name}`, content);
  copyDeclarations('dist/src', ['server/colyseus/index', 'server/durable-object/index'], `${dist}/types`, engineName);
  about(folder, modules);
}

/** The files that accompany the code: bill of materials and licenses. */
function about(folder, modules) {
  const dist = posix.join(folder, 'dist');
  const bundled = [
    ...new Set(modules.flatMap((id) => packageOf(relative('.', id).replaceAll('\\', '/')) ?? [])),
  ].sort();
  writeFileSync(`${dist}/sbom.json`, billOf(lock, folder, bundled));
  writeFileSync(`${dist}/licenses.txt`, bundled.map(noticeOf).join(''));
  if (folder !== '') copy('LICENSE', `${dist}/LICENSE`);
}

function packageOf(path) {
  return /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
}

/** The package name of an engine module, from its path in the checkout. */
function engineName(path) {
  const module = /^(?:\.\.\/)?engine\/(.*)$/.exec(path)?.[1];
  if (module === undefined) return undefined;
  return `@reenact/engine/${module}`.replace(/\/index$/, '');
}

/** The commands of the server need its package. All others contain the few facts about it that they print. */
function serverName(path, importer) {
  const needsServer = /\/cli\/(serve|load|data)\/\1\.ts$/.test(importer);
  return path === 'src/server/index' && needsServer ? '@reenact/server' : undefined;
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
