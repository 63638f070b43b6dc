import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { hostClock } from '../../../src/machine/index.ts';
import { Tokens } from '../../../src/server/session/tokens.ts';
import { type RoomView, type Serving, type ServingOptions, skipTest, smallGame, temporaryFolder } from '../support.ts';
import { lacking, Runtime, secret } from './runtime.ts';

/** Options of a server that a worker does not have, and why: tests that need them are skipped. */
const absent: { readonly [name in keyof ServingOptions]?: string } = {
  roomsMax: 'A worker opens as many rooms as its players need.',
  placement: 'A worker fills the fullest room first.',
  trustProxy: 'The platform tells the addresses of clients, not a header of a proxy.',
  identify: 'The function of the test cannot run in the process of the runtime.',
  hostModule: 'The functions of the test cannot run in the process of the runtime.',
  filterChat: 'A worker has no chat filter of the operator.',
  chatLogDays: 'A worker keeps no log of the chat.',
  viewer: 'The pages of a worker are static files.',
  workers: 'The platform has no threads.',
  journal: 'The platform has no Redis.',
};

/** Options of a server that concern its machine: a worker behaves as if they were set. */
const implied: readonly (keyof ServingOptions)[] = ['data', 'store', 'onEnd', 'compress', 'log'];
/** Options of both. */
const common: readonly (keyof ServingOptions)[] = ['play', 'traffic', 'watchersMax', 'origins', 'seed'];
const handled: readonly (keyof ServingOptions)[] = [
  'game',
  'paths',
  'graceMs',
  'adminToken',
  'tokenSecretFile',
  'rooms',
  'protocols',
];

/** The runtime of all tests of a thread. Those that keep data start it again, the others only give it their options. */
let shared: Runtime | undefined;
let starts = 0;

/** A worker in the platform's runtime, in place of a server. It is ended by the next one. */
export async function servePlatform(folder: string, options: ServingOptions = {}): Promise<Serving> {
  if (lacking !== undefined) skipTest(lacking);
  const known = new Set<string>([...implied, ...common, ...handled]);
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && value !== 0 && !known.has(name))
      skipTest(absent[name as keyof ServingOptions] ?? `A worker has no option "${name}".`);
  const { graceMs = 600_000, rooms = 1, tokenSecretFile } = options;
  const key = tokenSecretFile === undefined ? secret : readFileSync(tokenSecretFile, 'utf8').trim();
  const token = options.adminToken;
  const keepsData = (options.data ?? options.store) !== undefined;
  const bindings = { REENACT_SECRET: key, ...(token !== undefined && { REENACT_ADMIN_TOKEN: token }) };
  const worker = {
    games: Object.fromEntries(gamesOf(options)),
    protocols: options.protocols?.map(({ room: { name } }) => (name === 'reenact' ? name : 'moddio')),
    graceSeconds: graceMs / 1000,
    watchersMax: 2,
    ...Object.fromEntries(common.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]))),
    traffic: { handshakeMs: 600_000, ...options.traffic },
  };
  shared ??= await Runtime.start(temporaryFolder().path, {});
  const runtime = Object.assign(shared, { bindings });
  // What a test keeps, its next worker finds.
  if (keepsData) runtime.state = `state of ${basename(folder)}`;
  if (keepsData || !runtime.isAlive) await runtime.begin(worker);
  if (!keepsData) await runtime.configure(worker, `${++starts} `);
  const from = runtime.log.length;
  const log = () => runtime.log.slice(from);
  const views = async () => (await (await fetch(`${runtime.url}/views`)).json()) as RoomView[];
  const open = () => fetch(`${runtime.url}/open`);
  for (let room = 0; rooms > 1 && room < rooms; room++) await open();
  return {
    get server() {
      return skipTest('The test looks into the process of the server.');
    },
    url: runtime.url,
    wsUrl: runtime.wsUrl,
    get log() {
      return log();
    },
    tokens: new Tokens(new TextEncoder().encode(key), hostClock),
    codes: () => log().flatMap(({ code }) => (code === undefined ? [] : [code])),
    views,
    open: async () => {
      if ((await views()).length === 0) await open();
    },
    stop: async () => {
      if (keepsData) await runtime.kill();
    },
  };
}

/** The games of a server by name: that of a test, or those of its files. */
function gamesOf({ game = smallGame(), paths }: ServingOptions): (readonly [slug: string, text: string])[] {
  const texts = paths?.map((path) => readFileSync(path, 'utf8')) ?? [JSON.stringify(game)];
  return texts.map((text, i) => {
    const { data } = JSON.parse(text) as { data?: { defaultData?: { gameSlug?: string } } };
    return [data?.defaultData?.gameSlug ?? basename(paths?.[i] ?? 'small-game', '.json'), text];
  });
}
