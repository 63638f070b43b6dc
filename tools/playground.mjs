// Builds the playground: a folder of static files that any server shows, also below a path.
//
//   node tools/playground.mjs [FOLDER]           build into FOLDER (dist/playground)
//   node tools/playground.mjs --serve [PORT]     build and serve it at this port (8123) of this machine
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { loadDefinition, Simulation } from '../dist/engine/index.js';
import { Bots } from '../dist/src/bots/index.js';
import { Legend, picture } from '../dist/src/picture/index.js';
import { pictureTick, samples } from '../dist/src/playground/samples.js';
import { checkForPage, comments, isNeverBundled, leanPlanck } from './bundle.mjs';

/**
 * The page loads only its own files; a game that someone loads by its address may come from another server. Games run
 * without `unsafe-eval`.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "connect-src 'self' data: https:",
  "img-src 'self' data: blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Watch, play, check and test a 2D game from its definition, in the browser.">
<link rel="icon" href="data:,"><link rel="modulepreload" href="playground.js"><title>Reenact playground</title></head>
<body><div id="app"><main class="wait"><p>Loading… If this message stays, JavaScript is disabled or the browser is too old.</p></main></div>
<script type="module" src="playground.js"></script>
</body></html>
`;

/** Scenarios may name files, which a page does not have. */
const files = fileURLToPath(new URL('page-files.mjs', import.meta.url));
const alias = { 'node:fs': files, 'node:path': files, 'node:zlib': files };

export async function buildPlayground(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'games'), { recursive: true });
  for (const [name, input] of Object.entries({ playground: 'playground.ts', worker: 'worker.ts' })) {
    const bundle = await rolldown({
      input: { [name]: `src/playground/${input}` },
      platform: 'browser',
      logLevel: 'warn',
      external: (id) => isNeverBundled(id) && alias[id] === undefined,
      plugins: [leanPlanck],
      resolve: { alias },
      // The stand-in has the functions that a page may call; doors lead to code that calls others, which is left out.
      shimMissingExports: true,
      onLog: (level, log, report) => log.code !== 'SHIMMED_EXPORT' && report(level, log),
    });
    const { output } = await bundle.write({
      dir: folder,
      format: 'esm',
      minify: true,
      entryFileNames: '[name].js',
      chunkFileNames: `${name}-[name]-[hash].js`,
      comments,
    });
    await bundle.close();
    checkForPage(output.filter(({ type }) => type === 'chunk'));
  }
  for (const { key, source, bots } of samples) {
    const document = JSON.parse(readFileSync(source, 'utf8'));
    // Without white space they take a third less.
    writeFileSync(join(folder, `games/${key}.json`), JSON.stringify(document));
    writeFileSync(join(folder, `games/${key}.svg`), posterOf(document, bots));
    const scenario = source.replace('/games', '').replace(/json$/, 'scenario.yaml');
    cpSync(scenario, join(folder, `games/${key}.scenario.yaml`));
  }
  writeFileSync(join(folder, 'index.html'), page);
  const files = filesIn(folder);
  const hash = createHash('sha256');
  for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));
  writeFileSync(join(folder, 'service-worker.js'), serviceWorker(hash.digest('hex').slice(0, 16), files));
  return files;
}

/** The picture of a game in the gallery. */
function posterOf(document, count) {
  const seed = 'reenact';
  const sim = new Simulation(loadDefinition(document).game, { seed });
  const bots = new Bots(sim, { count, seed });
  while (sim.tick < pictureTick) {
    bots.beforeStep();
    sim.step();
  }
  return picture(sim, { shows: 'things', legend: new Legend() });
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      posix.join(...parentPath.split(/[\\/]/), name).slice(posix.join(...folder.split(/[\\/]/)).length + 1),
    )
    .sort();
}

/**
 * Keeps the files of one build, so that the page works offline. A new build is used when no page of the old one is
 * open any more, because page and worker must be of the same build.
 */
function serviceWorker(version, files) {
  return `const cacheName = 'reenact-playground-${version}';
const files = ${JSON.stringify(['./', ...files])};
addEventListener('install', (event) => event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll(files))));
addEventListener('activate', (event) => event.waitUntil(removeOthers().then(() => clients.claim())));
addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== location.origin) return;
  event.respondWith(
    caches.open(cacheName).then(async (cache) => (await cache.match(request, { ignoreSearch: true })) ?? fetch(request)),
  );
});
async function removeOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith('reenact-playground-') && name !== cacheName).map((name) => caches.delete(name)));
}
`;
}

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.gif': 'image/gif',
  '.png': 'image/png',
  '.yaml': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** A file server for looking at a built folder. */
export function serveFolder(folder, port) {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://localhost').pathname);
    const file = posix.normalize(path.endsWith('/') ? `${path}index.html` : path);
    try {
      const body = readFileSync(join(folder, file));
      response.writeHead(200, {
        'content-type': types[extname(file)] ?? 'application/octet-stream',
        'cache-control': 'no-cache',
      });
      response.end(body);
    } catch {
      response.writeHead(404, { 'content-type': 'text/plain' });
      response.end('There is no such file.\n');
    }
  });
  return new Promise((done) => server.listen(port, '127.0.0.1', () => done(server)));
}

if (process.argv[1]?.endsWith('playground.mjs')) {
  const serves = process.argv[2] === '--serve';
  const folder = (serves ? undefined : process.argv[2]) ?? 'dist/playground';
  await buildPlayground(folder);
  if (serves) {
    const server = await serveFolder(folder, Number(process.argv[3] ?? 8123));
    process.stdout.write(`http://127.0.0.1:${server.address().port}/\n`);
  } else process.stdout.write(`${folder}\n`);
}
