import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import webpack from 'webpack';
import { filesIn } from './outside.ts';

/** What can be imported from an installed package, except JSON, and the file of each. */
export function exportsOf(modules: string, name: string): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  };
  const found = new Map<string, string>();
  for (const [path, target] of Object.entries(exports)) {
    if (path.endsWith('.json')) continue;
    found.set(posix.join(name, path), join(modules, name, typeof target === 'string' ? target : target.default));
  }
  return found;
}

/** A page that imports everything, plays in the page or as a worker, sanitises, and joins a server. */
export const programOf = (names: readonly string[]): string => `
${names.map((name, index) => `import * as module${index} from '${name}';`).join('\n')}
import { loadDefinition, Simulation } from '@reenact/engine';
import { cleanHtml, Prediction, RoomClient } from '@reenact/client';

const exported = { ${names.map((name, index) => `'${name}': Object.keys(module${index})`).join(', ')} };

function played(document) {
  const sim = new Simulation(loadDefinition(document).game, { seed: 'page' });
  sim.join({ name: 'Ann' }).press('w');
  sim.run({ seconds: 5 });
  return sim.hash();
}

async function moved(url, definition) {
  const client = new RoomClient({ url, name: 'Ann' });
  await client.connect();
  const prediction = new Prediction(client, { definition });
  const place = () => client.player?.selectedUnit && client.placeOf(client.player.selectedUnit);
  await new Promise((done) => client.on('frame', () => place() && done()));
  const before = place();
  client.send({ kind: 'keyDown', key: 'd' });
  await new Promise((done) => client.on('frame', () => place().x > before.x + 20 && done()));
  client.leave();
  return prediction.isOn;
}

if (typeof window === 'undefined') onmessage = ({ data }) => postMessage(played(data));
else Object.assign(window, { exported, played, moved, cleaned: cleanHtml('<b onclick="x()">Ada</b> < Bob') });
`;

/** The packages and modules of Node that a file of a package imports. */
export async function importsOf(file: string): Promise<string[]> {
  const { metafile } = await build({
    entryPoints: [file],
    ...{
      bundle: true,
      write: false,
      metafile: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      logLevel: 'silent',
    },
  });
  const imports = Object.values(metafile.inputs).flatMap((each) => each.imports);
  return [...new Set(imports.flatMap(({ path, external }) => (external && path !== '<runtime>' ? path : [])))];
}

/** The size of a program in a page, in bytes. */
export async function bundledBytes(folder: string, contents: string): Promise<number> {
  return (await bundled(folder, contents)).length;
}

/** A program as a page loads it: bundled and minified. */
export async function bundled(folder: string, contents: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    ...{ bundle: true, write: false, minify: true, format: 'esm' },
  });
  return outputFiles[0]!.contents;
}

/** Each bundles `page.js` of a folder, as its documentation says, into one module. */
export const bundlers: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  async esbuild(folder) {
    const outfile = join(folder, 'esbuild/page.js');
    await build({ entryPoints: [join(folder, 'page.js')], bundle: true, format: 'esm', outfile });
    return outfile;
  },
  async vite(folder) {
    // The one that vitest brings.
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('vitest/package.json'));
    const vite = await import(pathToFileURL(resolve('vite')).href);
    // Without what it adds for pages alone, because the file is loaded as a worker, too.
    const outDir = join(folder, 'vite');
    mkdirSync(outDir);
    writeFileSync(join(folder, 'index.html'), '<script type="module" src="page.js"></script>');
    await vite.build({ root: folder, configFile: false, logLevel: 'error', build: { outDir, modulePreload: false } });
    return join(outDir, filesIn(outDir).find((name) => name.endsWith('.js'))!);
  },
  webpack(folder) {
    const output = { path: join(folder, 'webpack'), filename: 'page.js' };
    // Its minifier takes half a minute.
    const options = { mode: 'production', optimization: { minimize: false }, performance: { hints: false } } as const;
    return new Promise((done, failed) => {
      webpack({ ...options, context: folder, entry: './page.js', output }, (error, stats) => {
        if (error !== null) failed(error);
        else if (stats!.hasErrors() || stats!.hasWarnings()) failed(new Error(stats!.toString('errors-warnings')));
        else done(join(output.path, output.filename));
      });
    });
  },
};
