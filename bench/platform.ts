import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { freePort } from './served.ts';

/** The built package. */
const built = 'src/server/dist/durable-object/durable-object.js';

/** What is needed to measure rooms in the runtime of Durable Objects. */
export const platformBinary = `node_modules/@cloudflare/workerd-${process.platform}-64/bin/workerd`;

/** A worker that serves one game, as `reenact init --template worker` writes it. */
const worker = `
import { ReenactRoom, ReenactStore, reenact } from './${built}';
import game from './game.json';
export { ReenactRoom, ReenactStore };
export default reenact({ games: { game }, play: { limits: { players: 8 } }, log: 'events', graceSeconds: 2 });
`;

/** The runtime of Durable Objects with one game, in a process of its own that is killed and started again. */
export class Platform {
  /** The URL for players. */
  url = '';
  http = '';
  /** The id of the process that runs the rooms. */
  pid = 0;
  private port = 0;
  private host: Miniflare | undefined;

  /** `folder`: for the worker and its storage, which the next start finds again. */
  constructor(
    private readonly folder: string,
    private readonly game: string,
  ) {}

  async start(): Promise<void> {
    const { outputFiles } = await build({
      stdin: { contents: worker, resolveDir: '.' },
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2022',
      conditions: ['workerd', 'worker', 'browser'],
      mainFields: ['browser', 'module', 'main'],
      external: ['node:*', './game.json'],
      minify: true,
      write: false,
    });
    // Clients find the next start at the same address.
    if (this.port === 0) this.port = await freePort();
    const { port } = this;
    const others = new Set(runtimes());
    this.host = new Miniflare({
      modules: [
        { type: 'ESModule', path: 'worker.js', contents: outputFiles[0]!.text },
        { type: 'Text', path: 'game.json', contents: readFileSync(this.game, 'utf8') },
      ],
      host: '127.0.0.1',
      port,
      compatibilityDate: '2026-04-01',
      compatibilityFlags: ['nodejs_compat'],
      bindings: { REENACT_SECRET: 'the secret of a measurement on this machine' },
      durableObjects: {
        ROOMS: { className: 'ReenactRoom', useSQLite: true },
        STORE: { className: 'ReenactStore', useSQLite: true },
      },
      durableObjectsPersist: join(this.folder, 'state'),
      handleRuntimeStdio: (out: Readable, error: Readable) => {
        out.resume();
        error.resume();
      },
    });
    await this.host.ready;
    this.pid = runtimes().find((pid) => !others.has(pid)) ?? 0;
    this.http = `http://127.0.0.1:${port}`;
    this.url = `ws://127.0.0.1:${port}/play`;
  }

  /** Kills the process with SIGKILL, as a machine that fails. */
  async kill(): Promise<void> {
    const { pid, host } = this;
    process.kill(pid, 'SIGKILL');
    while (runtimes().includes(pid)) await wait(10);
    await host?.dispose().catch(() => {});
  }

  async end(): Promise<void> {
    await this.host?.dispose();
  }
}

/** The ids of this process's children that are runtimes. */
function runtimes(): number[] {
  return readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '))
    .filter((pid) => pid !== '' && readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'workerd')
    .map(Number);
}
