// Runs a worker in the platform's own runtime, for tests: `node host.mjs OPTIONS`. Each further line of the input has new
// options, with which the runtime is started again; the end of the input ends it. Prints the worker's log and, when it
// listens, the process of the runtime.
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Miniflare } from 'miniflare';

let miniflare;

async function begin(text) {
  const { modules, port, state, bindings, pages } = JSON.parse(text);
  const options = {
    modules,
    modulesRoot: '/',
    host: '127.0.0.1',
    port,
    bindings,
    // As `assets` in wrangler.jsonc.
    ...(pages && { assets: { directory: pages, binding: 'ASSETS', routerConfig: { has_user_worker: true } } }),
    compatibilityDate: '2026-04-01',
    compatibilityFlags: ['nodejs_compat'],
    durableObjects: {
      ROOMS: { className: 'Room', useSQLite: true },
      STORE: { className: 'Store', useSQLite: true },
    },
    durableObjectsPersist: state,
  };
  if (miniflare === undefined) miniflare = new Miniflare(options);
  else await miniflare.setOptions(options);
  await miniflare.ready;
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '),
  );
  const isRuntime = (child) => child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'workerd';
  console.log(JSON.stringify({ msg: 'ready', pid: Number(children.findLast(isRuntime)) }));
}

await begin(process.argv[2]);
for await (const line of createInterface(process.stdin)) await begin(line);
await miniflare.dispose();
