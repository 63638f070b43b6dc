import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { freePort } from '../../cluster/databases.ts';
import { eventually, smallGame, viewOf } from '../support.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const architecture = process.arch === 'arm64' ? 'arm64' : '64';
const binary = at(`../../../node_modules/@cloudflare/workerd-${process.platform}-${architecture}/bin/workerd`);

const built = at('../../../src/server/dist/durable-object/durable-object.js');
/** The pages of the package, with their scripts. */
export const builtPages = at('../../../src/server/dist/viewer');

/** Why the platform's runtime cannot be started here; undefined if it can. */
export const lacking =
  process.platform !== 'linux'
    ? 'its process is found by /proc'
    : existsSync(built)
      ? existsSync(binary)
        ? undefined
        : 'no workerd here'
      : 'it is not built';

/** The token of an administrator with all rights, and of one who may only look. */
export const adminToken = 'the-token-of-the-owner';
export const lookerToken = 'looks-but-does-not-touch';

/** The key of all tokens. */
export const secret = 'a secret of all objects, long enough';

/** A worker as a user writes it, which also lets a test look into its rooms. */
const worker = `
import { reenact, ReenactRoom, ReenactStore } from '${built}';
import text from './options.txt';

const awardBadge = (values) => console.log(JSON.stringify({ code: 'awarded', ...values }));
let served, options, savesMs, bindings, prefix;
let made = 0;
let written = 0;
/** The rooms that clients have asked for, oldest first. */
const rooms = new Set();
${viewOf}

/** Serves other games, with objects whose names have a prefix. The rooms so far end without a word. */
async function configure({ options: { savesMs: ms = 0, words, ...given }, ...more }, env) {
  const ask = { method: 'POST', body: '{"ends":true}' };
  for (const name of rooms) await roomOf(env, name).fetch('https://object/inspect', ask).catch(() => {});
  rooms.clear();
  savesMs = ms;
  options = given;
  bindings = more.bindings;
  prefix = more.prefix ?? '';
  served = reenact({ ...options, ...(words && { hostModule: { ...words, handlers: { awardBadge } } }) });
}
await configure({ options: JSON.parse(text) });

function roomOf(env, name) {
  const { ROOMS } = bound(env);
  return ROOMS.get(ROOMS.idFromName(name));
}

/** The bindings as the package gets them. */
function bound(env) {
  const named = (objects, at = prefix) => ({
    idFromName: (name) => objects.idFromName(at + name),
    get: (id) => objects.get(id),
  });
  return { ...(bindings === undefined ? env : { ASSETS: env.ASSETS, ...bindings }), ROOMS: named(env.ROOMS), STORE: named(env.STORE) };
}

export class Store extends ReenactStore {
  async fetch(request) {
    if (savesMs > 0 && new URL(request.url).pathname === '/write') await scheduler.wait(savesMs);
    return super.fetch(request);
  }
}
export class Room extends ReenactRoom {
  constructor(context, env) {
    const { storage } = context;
    const counted = {
      exec(...query) {
        const cursor = storage.sql.exec(...query);
        const rows = [...cursor];
        written += cursor.rowsWritten;
        return rows;
      },
    };
    super(
      {
        storage: {
          sql: counted,
          setAlarm: (at) => (written++, storage.setAlarm(at)),
          deleteAlarm: () => (written++, storage.deleteAlarm()),
          deleteAll: () => storage.deleteAll(),
        },
        acceptWebSocket: (wire) => context.acceptWebSocket(wire),
        getWebSockets: () => context.getWebSockets(),
      },
      bound(env),
    );
    this.objectContext = context;
    this.storage = storage;
    made++;
  }
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname !== '/inspect') {
      rooms.add(pathname.split('/')[1]);
      return super.fetch(request);
    }
    const { sql, fails, view, ends } = await request.json();
    if (ends) {
      await this.storage.deleteAlarm();
      await this.storage.sync();
      this.objectContext.abort();
    }
    if (view) {
      const played = await this.opening?.catch(() => undefined);
      const isHere = played?.core.rooms.byId.get(played.room.identity.id) === played?.room;
      return Response.json(isHere && played ? viewOf(played.room) : null);
    }
    if (fails) {
      const { core, room } = await this.opening;
      core.rooms.pool.threads[0].host.rooms.get(room.identity.id).tick = () => {
        throw new Error('The test fails this tick.');
      };
    }
    const rows = sql === undefined ? [] : [...this.storage.sql.exec(sql)];
    return Response.json({ rows, alarm: await this.storage.getAlarm(), written, made });
  }
}
export default {
  async fetch(request, env) {
    const { pathname } = new URL(request.url);
    if (pathname === '/configure') {
      await configure(await request.json(), env);
      return new Response();
    }
    if (pathname === '/open') {
      const room = [...rooms].length;
      const name = Object.keys(options.games)[0] + '-' + 'abcdef0123'[room].repeat(12);
      const asked = { name: 'openRoom', request: { headers: {}, query: {}, params: {}, body: {} } };
      return roomOf(env, name).fetch('https://object/' + name + '/route', { method: 'POST', body: JSON.stringify(asked) });
    }
    if (pathname === '/views') {
      const ask = { method: 'POST', body: '{"view":true}' };
      const answers = await Promise.all([...rooms].map((name) => roomOf(env, name).fetch('https://object/inspect', ask)));
      const views = await Promise.all(answers.map((answer) => answer.json()));
      return Response.json(views.filter((view) => view !== null));
    }
    const [, inspected] = /^\\/inspect\\/(.*)$/.exec(pathname) ?? [];
    if (inspected === undefined) return served.fetch(request, bound(env));
    return roomOf(env, inspected).fetch(new Request('https://object/inspect', request));
  },
};
`;

export const administrators = `owner: look,moderate,operate,addresses ${adminToken}\nlou: look ${lookerToken}`;

let bundling: ReturnType<typeof bundle> | undefined;

/** The worker as the platform's bundler makes it, with what it imports. `version`: of Reenact, in place of its own. */
export async function bundle(version?: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents: worker, resolveDir: at('.') },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['browser', 'module', 'main'],
    external: ['node:*', './options.txt'],
    metafile: true,
    minify: true,
    write: false,
    outfile: 'worker.js',
    plugins: [
      {
        name: 'another version',
        setup({ onLoad }) {
          onLoad({ filter: /durable-object\.js$/ }, ({ path }) => {
            const text = readFileSync(path, 'utf8');
            const own = /(engineVersion = )"[\d.]+"/;
            if (!own.test(text)) throw new Error('The version of Reenact is not found in its code.');
            return { contents: version === undefined ? text : text.replace(own, `$1"${version}"`) };
          });
        },
      },
    ],
  });
  const { text } = outputFiles[0]!;
  const imports = [
    ...new Set(Object.values(metafile.outputs).flatMap((output) => output.imports.map(({ path }) => path))),
  ];
  return { text, imports, zipBytes: gzipSync(text).length };
}

export interface Inspected {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly alarm: number | null;
  /** Rows written by all rooms since the runtime was started, with alarms. */
  readonly written: number;
  /** How many times the object of a room was made since then. */
  readonly made: number;
}

/** Options of `reenact` for tests. */
const withDefaults = (options: object) => ({
  games: { small: JSON.stringify(smallGame()) },
  seed: 'test',
  log: 'events',
  // Long, because the machine may be slow.
  traffic: { handshakeMs: 600_000 },
  ...options,
});

/** The platform's runtime with a worker. Its storage is in a folder, and it can be killed and started again. */
export class Runtime {
  readonly log: Record<string, unknown>[] = [];
  readonly url: string;
  readonly wsUrl: string;
  private readonly folder: string;
  private readonly port: number;
  private host: ChildProcess | undefined;
  private pid = 0;
  /** What the host has printed. */
  private output = '';
  /** The folder of static files that the worker serves; undefined for none. */
  pages: string | undefined;
  /** The secrets of the worker. */
  bindings: Readonly<Record<string, string>> = { REENACT_SECRET: secret, REENACT_ADMIN_TOKEN: administrators };
  /** The folder of what the objects keep, inside of the folder of the runtime. */
  state = 'state';

  private constructor(folder: string, port: number) {
    this.folder = folder;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
    this.wsUrl = `ws://127.0.0.1:${port}/play`;
  }

  static async start(
    folder: string,
    options: object,
    about: Partial<Pick<Runtime, 'pages' | 'bindings' | 'state'>> = {},
  ): Promise<Runtime> {
    const runtime = Object.assign(new Runtime(folder, await freePort()), about);
    await runtime.begin(options);
    return runtime;
  }

  /**
   * Starts the runtime with the options of `reenact`. By default it serves the small game. `savesMs` delays each write
   * of an account.
   */
  async begin(options: object = {}, version?: string): Promise<void> {
    bundling ??= bundle();
    const { text } = version === undefined ? await bundling : await bundle(version);
    const { folder, port } = this;
    const files = {
      'worker.js': text,
      'options.txt': JSON.stringify(withDefaults(options)),
    };
    for (const [name, contents] of Object.entries(files)) writeFileSync(join(folder, name), contents);
    const modules = Object.keys(files).map((name) => ({
      type: name.endsWith('.js') ? 'ESModule' : 'Text',
      path: join(folder, name),
    }));
    const { bindings, pages } = this;
    const settings = JSON.stringify({ modules, port, state: join(folder, this.state), bindings, pages });
    const from = this.log.length;
    if (this.pid === 0) this.spawn(settings);
    else this.host!.stdin!.write(`${settings}\n`);
    await eventually(() => {
      if (this.host?.exitCode !== null) throw new Error(`The runtime ended: ${this.output}`);
      this.pid = Number(this.log.slice(from).find(({ msg }) => msg === 'ready')?.['pid'] ?? 0);
      return this.pid !== 0;
    }, 'the runtime');
  }

  private spawn(settings: string): void {
    this.host = spawn(process.execPath, [at('host.mjs'), settings], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.output = '';
    for (const stream of [this.host.stdout!, this.host.stderr!]) {
      let rest = '';
      stream.on('data', (part) => {
        this.output += part;
        const lines = `${rest}${part}`.split('\n');
        rest = lines.pop()!;
        for (const line of lines) if (line.startsWith('{')) this.log.push(JSON.parse(line) as Record<string, unknown>);
      });
    }
  }

  get isAlive(): boolean {
    return this.pid !== 0;
  }

  /**
   * Serves other games in the runtime as it is, which is faster than `begin`. Objects have names with the prefix, so
   * that nothing is kept from before.
   */
  async configure(options: object, prefix: string): Promise<void> {
    const body = JSON.stringify({ options: withDefaults(options), bindings: this.bindings, prefix });
    await fetch(`${this.url}/configure`, { method: 'POST', body });
  }

  /** Kills the process of the runtime, then its host. */
  async kill(): Promise<void> {
    const { host } = this;
    if (host === undefined || this.pid === 0) return;
    process.kill(this.pid, 'SIGKILL');
    host.kill('SIGKILL');
    this.pid = 0;
    await eventually(() => host.signalCode !== null || host.exitCode !== null, 'the end of the host');
  }

  /** What the object of a room keeps, after an SQL statement. Wakes the object, but not the room. */
  async inspect(room: string, sql?: string): Promise<Inspected> {
    const answer = await fetch(`${this.url}/inspect/${room}`, { method: 'POST', body: JSON.stringify({ sql }) });
    return (await answer.json()) as Inspected;
  }

  /** Makes the next tick of a room throw, as a mistake of ours in the engine would. */
  async failTick(room: string): Promise<void> {
    await fetch(`${this.url}/inspect/${room}`, { method: 'POST', body: JSON.stringify({ fails: true }) });
  }

  async rooms(
    query = '',
  ): Promise<readonly { readonly id: string; readonly players: number; readonly slug: string }[]> {
    return ((await (await fetch(`${this.url}/rooms${query}`)).json()) as { rooms: [] }).rooms;
  }

  /** A request of an administrator. */
  async ask(
    method: string,
    path: string,
    body?: object,
    token: string = adminToken,
  ): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> & { code?: string } }> {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
  }

  said(what: string): readonly Record<string, unknown>[] {
    return this.log.filter(({ msg, code }) => msg === what || code === what);
  }
}
