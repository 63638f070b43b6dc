// Runs a worker in the platform's own runtime, for tests: `node host.mjs OPTIONS`. Prints the worker's log and, when it
// listens, the process of the runtime.
import { readdirSync, readFileSync } from 'node:fs';
import { Miniflare } from 'miniflare';

const { modules, port, state, bindings, pages } = JSON.parse(process.argv[2]);
const miniflare = new Miniflare({
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
});
await miniflare.ready;
const children = readdirSync('/proc/self/task').flatMap((task) =>
  readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '),
);
const pid = children.find((child) => child !== '' && readFileSync(`/proc/${child}/comm`, 'utf8').trim() === 'workerd');
console.log(JSON.stringify({ msg: 'ready', pid: Number(pid) }));
