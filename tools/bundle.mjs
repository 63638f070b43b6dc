// Bundles one entry file into a folder: `node tools/bundle.mjs ENTRY[,ENTRY…] FOLDER [browser]`. A command that is one file starts in a third of the time that
// its two hundred modules take to load. The form is CommonJS, because only that can be loaded with code that was compiled before. For a browser
// it is one small script that can stand inside of a page.
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const [, , entry, folder, host = 'node'] = process.argv;
if (entry === undefined || folder === undefined || !['node', 'browser'].includes(host)) {
  throw new Error('Usage: node tools/bundle.mjs ENTRY[,ENTRY…] FOLDER [browser]');
}
await rm(folder, { recursive: true, force: true });
if (host === 'browser') await bundleForBrowser();
else await bundleForNode();

async function bundleForBrowser() {
  for (const input of entry.split(',')) {
    const bundle = await rolldown({ input, platform: 'browser', logLevel: 'warn' });
    await bundle.write({
      dir: folder,
      format: 'iife',
      minify: true,
      comments: { legal: true, annotation: false, jsdoc: false },
    });
    await bundle.close();
  }
}

async function bundleForNode() {
  // Packages that find files of their own beside them, which a bundle does not have, or that load parts of themselves by name.
  const external = [
    'tinypool',
    '@resvg/resvg-js',
    'fastify',
    'pino',
    'prom-client',
    'ws',
    'keyv',
    '@keyv/redis',
    '@keyv/postgres',
    '@redis/client',
    'jsonc-parser',
  ];
  const plugins = [{ name: 'lazy modules of Node', renderChunk: withLazyModules }];
  const bundle = await rolldown({ input: entry, external, plugins, platform: 'node', logLevel: 'warn' });
  const { output } = await bundle.write({
    dir: folder,
    format: 'cjs',
    comments: { legal: true, annotation: false, jsdoc: false },
  });
  await bundle.close();
  for (const { type, fileName, code } of output)
    if (type === 'chunk') await writeFile(join(folder, fileName), ascii(code));
  // A thread loads its file and what that needs; were the entry among it, each thread would run the program once more. Rolldown puts its own helpers
  // into the entry when that needs one, as it does for a default import of a module of Node.
  const main = output.find((chunk) => chunk.type === 'chunk' && chunk.isEntry)?.fileName;
  const needing = output.filter((chunk) => chunk.type === 'chunk' && chunk.imports.includes(main));
  if (needing.length > 0)
    throw new Error(`${needing.map(({ fileName }) => fileName).join(', ')} must not need ${main}.`);
  await writeFile(join(folder, 'package.json'), '{"type":"commonjs"}\n');
}

/** Modules of Node that few commands use are loaded when they are first used. Each takes a start two milliseconds. */
function withLazyModules(code) {
  return code.replace(
    /\b(?:let|const) (\w+) = (require\("(?:node:)?(?:child_process|net)"\));/g,
    'const $1 = new Proxy({}, { get: (_, name) => $2[name] });',
  );
}

/** Escapes what is not ASCII, so that a file can be read byte by byte, and takes half the memory. */
function ascii(code) {
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
