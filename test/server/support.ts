import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, TestRunner } from 'vitest';
import { WebSocket } from 'ws';
import { type Code, codeOfClose } from '../../src/net/protocol/messages/codes.ts';
import type { ClientInput } from '../../src/net/protocol/messages/inputs.ts';
import {
  type ClientMessage,
  decodeServerMessage,
  encodeClientMessage,
  protocolVersion,
  type ServerMessage,
} from '../../src/net/protocol/messages/messages.ts';
import { protocols } from '../../src/server/client-protocols/index.ts';
import type { RoomEntry, Seat } from '../../src/server/lobby/room.ts';
import { GameServer, type ServerOptions } from '../../src/server/server.ts';
import type { Tokens } from '../../src/server/session/tokens.ts';
import { setVariable } from '../support/actions.ts';
import { attribute, document, joinAs, script, unitType } from '../support/play.ts';

/**
 * Whether the rooms of the tests are Durable Objects in workerd, the platform's runtime, instead of those of a server
 * in this process. The project `workerd` of `vitest.config.ts` runs the tests of the session layer that way.
 */
export const isOnPlatform = process.env['REENACT_ROOMS'] === 'workerd';

/** Skips the current test, and reports the reason. */
export function skipTest(reason: string): never {
  TestRunner.getCurrentTest()!.context.skip(reason);
  throw new Error(reason);
}

type Message<K extends ServerMessage['kind']> = Extract<ServerMessage, { kind: K }>;

const player = { function: 'getTriggeringPlayer' };

/** A game in which a joining player gets a walker and a greeting. Custom inputs are stored in the variable `heard`. */
export function smallGame(data: Record<string, unknown> = {}): Record<string, unknown> {
  return document({
    title: 'Small game',
    defaultData: { _id: 'small-game', gameSlug: 'small-game', title: 'Small game', frameRate: 20, engineTickRate: 20 },
    variables: {
      seconds: { dataType: 'number', default: 0 },
      heard: { dataType: 'string', default: '' },
      home: { dataType: 'region', default: { x: 0, y: 0, width: 64, height: 64 } },
      ended: { dataType: 'number', default: 0 },
    },
    unitTypes: { walker: unitType({ name: 'Walker' }) },
    playerTypes: {
      human: {
        name: 'human',
        attributes: { gold: attribute(1, { max: 1000, decimalPlaces: 0 }) },
        variables: {},
        relationships: {},
      },
    },
    scripts: {
      join: joinAs('walker'),
      greet: script('playerJoinsGame', [{ type: 'sendChatMessageToPlayer', player, message: 'welcome' }]),
      answer: script('playerCustomInput', [setVariable('heard', { function: 'playerCustomInput', player })]),
    },
    ...data,
  });
}

/**
 * The small game with a script that uses its whole budget in each tick. Each action is a long sum, so that ticks are
 * too slow even on fast machines.
 */
export function greedyGame(slug: string): Record<string, unknown> {
  let sum: unknown = 1;
  for (let i = 0; i < 40; i++) sum = { function: 'calculate', items: [{ operator: '+' }, 1, sum] };
  const work = { type: 'repeat', count: 1000, actions: [setVariable('ended', sum)] };
  const game = smallGame();
  const { data } = game as { data: Record<string, unknown> };
  const burn = script('frameTick', [{ type: 'repeat', count: 1000, actions: [work] }]);
  data['scripts'] = { ...(data['scripts'] as object), burn };
  data['defaultData'] = { ...(data['defaultData'] as object), gameSlug: slug, frameRate: 240 };
  return game;
}

/** A folder for one test. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'reenact-server-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The part of a seat that tests ask for. */
export interface SeatView
  extends Pick<Seat, 'player' | 'userId' | 'isIn' | 'isSilent' | 'hasAnswered' | 'givenMs' | 'resumableFromMs'> {
  readonly isConnected: boolean;
}

/** The part of a room that tests ask for. */
export interface RoomView {
  readonly id: string;
  readonly tick: number;
  readonly title: string;
  readonly seats: readonly SeatView[];
  readonly reserved: number;
  readonly watchers: number;
}

/** Describes a room. The function is also part of the worker that tests run, so it uses nothing of this module. */
export function viewOf({ identity, definition, tick, seats, reserved, watchers }: RoomEntry): RoomView {
  return {
    id: identity.id,
    tick,
    title: definition.title,
    seats: [...seats.values()].map((seat) => ({
      player: seat.player,
      userId: seat.userId,
      isIn: seat.isIn,
      isSilent: seat.isSilent,
      hasAnswered: seat.hasAnswered,
      givenMs: seat.givenMs,
      resumableFromMs: seat.resumableFromMs,
      isConnected: seat.session !== undefined,
    })),
    reserved: reserved.size,
    watchers: watchers.size,
  };
}

export interface Serving {
  /** The server in this process. Tests that need it are skipped where rooms are Durable Objects. */
  readonly server: GameServer;
  readonly url: string;
  readonly wsUrl: string;
  /** The log entries. */
  readonly log: Record<string, unknown>[];
  readonly tokens: Pick<Tokens, 'signIdentity' | 'identify'>;
  /** The codes in the log. */
  codes(): unknown[];
  /** The rooms that are in memory, oldest first. */
  views(): Promise<readonly RoomView[]>;
  /** Opens a room where a server has one from its start. */
  open(): Promise<void>;
  stop(): Promise<void>;
}

export type ServingOptions = Partial<ServerOptions> & { readonly game?: unknown };

/** A server in this process, on a free port, which by default persists nothing. */
export async function serve(folder: string, { game = smallGame(), ...options }: ServingOptions = {}): Promise<Serving> {
  const log: Record<string, unknown>[] = [];
  const file = join(folder, 'small-game.json');
  if (options.paths === undefined) writeFileSync(file, JSON.stringify(game));
  const server = await GameServer.start({
    paths: [file],
    host: '127.0.0.1',
    port: 0,
    seed: 'test',
    rooms: 1,
    roomsMax: 10,
    watchersMax: 2,
    workers: 0,
    protocols: [protocols.reenact],
    sync: 'always',
    onJournalFailure: 'go-on',
    origins: [],
    trustProxy: false,
    compress: false,
    graceMs: 600_000,
    endMs: 30_000,
    watch: false,
    log: 'debug',
    logTo: { write: (line: string) => log.push(JSON.parse(line) as Record<string, unknown>) },
    ...options,
    // Long, because some tests hold silent connections, and the machine may be slow.
    traffic: { handshakeMs: 600_000, ...options.traffic },
  });
  const at = `127.0.0.1:${server.port}`;
  const codes = () => log.map(({ code }) => code).filter((code) => code !== undefined);
  const { tokens } = server;
  const views = async () => Array.from(server.rooms.byId.values(), viewOf);
  const stop = () => server.stop();
  const open = async () => {};
  return { server, url: `http://${at}`, wsUrl: `ws://${at}/play`, log, tokens, codes, views, open, stop };
}

/** What `TestHost` starts. `durable-object/setup.ts` replaces it. */
export const place = { serve };

/** Half as long as a test may take, so that a failure says what is missing. */
const waitMs = 60_000;

/** A minimal client with a real socket. */
export class TestClient {
  readonly messages: ServerMessage[] = [];
  /** How the connection ended. */
  closed: { readonly code: Code | undefined; readonly number: number } | undefined;
  socket: WebSocket;
  private sequence = 0;
  private wake: (() => void)[] = [];
  /** The messages since the request to join or watch; undefined once it is answered. */
  private sent: Uint8Array[] | undefined = [];
  private isFollowing = false;

  private constructor(
    private readonly open: (url: string) => WebSocket,
    url: string,
  ) {
    this.socket = this.opened(url);
  }

  private opened(url: string): WebSocket {
    const socket = this.open(url);
    socket.binaryType = 'nodebuffer';
    socket.on('message', (data: Buffer) => {
      const decoded = decodeServerMessage(new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.length));
      if (!decoded.ok) throw new Error(`The server sent bytes that are no message: ${decoded.fault}.`);
      const { message } = decoded;
      if (isOnPlatform && message.kind === 'refused' && message.code === 'elsewhere') {
        this.follow(message.text);
        return;
      }
      if (message.kind === 'welcome') this.sent = undefined;
      this.messages.push(message);
      this.wakeAll();
    });
    socket.on('close', (number) => {
      if (socket !== this.socket) return;
      this.closed = { code: codeOfClose(number), number };
      this.wakeAll();
    });
    socket.on('error', () => {});
    return socket;
  }

  /** Connects to the room to which a worker sends the client, and says there what the worker was told. */
  private follow(url: string): void {
    this.socket.terminate();
    this.isFollowing = true;
    this.socket = this.opened(url);
    this.socket.once('open', () => {
      this.isFollowing = false;
      for (const bytes of this.sent ?? []) this.socket.send(bytes);
    });
  }

  /** Connects without joining. */
  static async connect(
    url: string,
    options: { origin?: string; protocol?: string; address?: string } = {},
  ): Promise<TestClient> {
    const { origin, protocol, address } = options;
    const open = (at: string) =>
      new WebSocket(at, protocol === undefined ? [] : [protocol], {
        ...(origin === undefined ? {} : { origin }),
        // As a proxy names it.
        ...(address === undefined ? {} : { headers: { 'x-forwarded-for': address } }),
      });
    const client = new TestClient(open, url);
    await new Promise<void>((resolve, reject) => {
      client.socket.once('open', resolve);
      client.socket.once('error', reject);
    });
    return client;
  }

  /** Connects and joins. */
  static async join(
    url: string,
    wishes: Partial<Omit<Extract<ClientMessage, { kind: 'join' }>, 'kind'>> = {},
    address?: string,
  ): Promise<TestClient> {
    const client = await TestClient.connect(url, address === undefined ? {} : { address });
    client.send({ kind: 'join', protocol: protocolVersion, name: 'ann', ...wishes });
    await client.welcome();
    return client;
  }

  send(message: ClientMessage): void {
    const bytes = encodeClientMessage(message);
    const isRequest = message.kind === 'join' || message.kind === 'watch';
    if (isRequest || this.sent?.length) this.sent?.push(bytes);
    if (!this.isFollowing) this.socket.send(bytes);
  }

  /** Sends an input and returns its sequence number. */
  input(input: ClientInput, tick?: number): number {
    this.sequence++;
    const { sequence } = this;
    this.send({ kind: 'input', sequence, ...(tick === undefined ? {} : { tick }), input });
    return sequence;
  }

  /** Shows that it has received the welcome, where the transport cannot ask for that. */
  answer(): void {
    if (isOnPlatform) this.send({ kind: 'ack', frame: 1 });
  }

  /** Continues numbering after another number. */
  countFrom(sequence: number): void {
    this.sequence = sequence;
  }

  welcome(): Promise<Message<'welcome'>> {
    return this.first('welcome');
  }

  /** The first message of a kind that satisfies a condition, received already or later. */
  first<K extends ServerMessage['kind']>(
    kind: K,
    holds: (message: Message<K>) => boolean = () => true,
  ): Promise<Message<K>> {
    return this.until(
      () =>
        this.messages.find((message): message is Message<K> => message.kind === kind && holds(message as Message<K>)),
      `a message "${kind}"`,
    );
  }

  /** The result of an input. */
  result(sequence: number) {
    const find = () =>
      this.messages
        .flatMap((message) => (message.kind === 'inputResults' ? message.results : []))
        .find((result) => result.sequence === sequence);
    return this.until(find, `the result of input ${sequence}`);
  }

  end(): Promise<NonNullable<TestClient['closed']>> {
    return this.until(() => this.closed, 'the end of the connection', false);
  }

  /** Simulates a lost connection. */
  async lose(): Promise<void> {
    this.socket.terminate();
    await this.end();
  }

  /** Waits until `find` returns something other than false and undefined. */
  async until<T>(find: () => T | undefined | false, what: string, whileOpen = true): Promise<T> {
    const endMs = performance.now() + waitMs;
    setTimeout(() => this.wakeAll(), waitMs).unref();
    for (;;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      if (whileOpen && this.closed !== undefined) {
        throw new Error(
          `The connection ended (${this.closed.code ?? this.closed.number}) before ${what}: ${this.lastSaid()}`,
        );
      }
      if (performance.now() >= endMs) throw new Error(`${what} did not arrive in a minute: ${this.lastSaid()}`);
      await new Promise<void>((resolve) => this.wake.push(resolve));
    }
  }

  private lastSaid(): string {
    return JSON.stringify(this.messages.filter(({ kind }) => kind !== 'frame').at(-1));
  }

  private wakeAll(): void {
    const waiting = this.wake;
    this.wake = [];
    for (const wake of waiting) wake();
  }
}

/**
 * Polls until a condition, which may be a promise, holds. The timeout is long, because other tests run at the same
 * time.
 */
export async function eventually<T>(
  find: () => T | undefined | false | Promise<T | undefined | false>,
  what = 'it',
): Promise<T> {
  for (let rest = 6000; rest > 0; rest--) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`In thirty seconds ${what} did not happen.`);
}

/**
 * Whether requests are eventually refused as too many. They are pipelined on one connection, because on a slow machine
 * the bucket refills faster than single requests use it up.
 */
export async function isToldToWait(
  { url }: Pick<Serving, 'url'>,
  headersOf = (_number: number) => '',
): Promise<boolean> {
  const { hostname, port } = new URL(url);
  for (let round = 0; round < 20; round++) {
    const socket = connect(Number(port), hostname);
    let said = '';
    socket.on('data', (part) => (said += part));
    const requests = Array.from({ length: 300 }, (_, i) => {
      const last = i === 299 ? 'Connection: close\r\n' : '';
      return `GET /healthz HTTP/1.1\r\nHost: localhost\r\n${headersOf(i)}${last}\r\n`;
    });
    socket.write(requests.join(''));
    await once(socket, 'close');
    if (said.includes('HTTP/1.1 429 ')) return true;
  }
  return false;
}

type JoinWishes = Parameters<typeof TestClient.join>[1];

/** What each test of a file has: a folder, servers in it, and their clients. Everything ends with the test. */
export class TestHost {
  /** The folder of the test. */
  folder = '';
  private removeFolder = (): void => {};
  private readonly servings: Serving[] = [];
  private readonly clients: TestClient[] = [];

  /** The server that was started last. */
  get serving(): Serving {
    const newest = this.servings.at(-1);
    if (newest === undefined) throw new Error('The test has started no server.');
    return newest;
  }

  async start(options: ServingOptions = {}): Promise<Serving> {
    const serving = await place.serve(this.folder, options);
    this.servings.push(serving);
    return serving;
  }

  /** Signs and reads tokens as the server does. */
  get tokens(): Serving['tokens'] {
    return this.serving.tokens;
  }

  /** The oldest room in memory. */
  async view(): Promise<RoomView> {
    const [view] = await this.serving.views();
    if (view === undefined) throw new Error('There is no room.');
    return view;
  }

  /** The seats of a room; by default, of the oldest room. Empty if the room is not in memory. */
  async seats(room?: string): Promise<readonly SeatView[]> {
    const views = await this.serving.views();
    return views.find(({ id }) => id === (room ?? id))?.seats ?? [];
  }

  /** The seat of a player in the oldest room. */
  async seat(player: string): Promise<SeatView> {
    const found = (await this.seats()).find((seat) => seat.player === player);
    if (found === undefined) throw new Error(`There is no seat of ${player}.`);
    return found;
  }

  /** Skips the test where rooms are Durable Objects. */
  needsServer(reason: string): void {
    if (isOnPlatform) skipTest(reason);
  }

  /** Joins a player. */
  joined(
    wishes: JoinWishes = {},
    { wsUrl }: Pick<Serving, 'wsUrl'> = this.serving,
    address?: string,
  ): Promise<TestClient> {
    return this.kept(TestClient.join(wsUrl, wishes, address));
  }

  /** Opens a connection without joining. */
  connected(
    options: Parameters<typeof TestClient.connect>[1] = {},
    { wsUrl }: Pick<Serving, 'wsUrl'> = this.serving,
  ): Promise<TestClient> {
    return this.kept(TestClient.connect(wsUrl, options));
  }

  /** The code with which a join is refused. */
  async refused(wishes: JoinWishes = {}, serving: Pick<Serving, 'wsUrl'> = this.serving): Promise<Code> {
    const client = await this.connected({}, serving);
    client.send({ kind: 'join', protocol: protocolVersion, name: 'ann', ...wishes });
    return (await client.first('refused')).code;
  }

  /** The rooms of the server, oldest first. */
  get rooms() {
    return [...this.serving.server.rooms.byId.values()];
  }

  begin(): void {
    const { path, remove } = temporaryFolder();
    this.folder = path;
    this.removeFolder = remove;
  }

  async end(): Promise<void> {
    for (const { socket } of this.clients.splice(0)) socket.terminate();
    for (const serving of this.servings.splice(0)) await serving.stop();
    this.removeFolder();
  }

  /** Makes all other clients leave. */
  async leaveAllBut(staying: TestClient): Promise<void> {
    const leaving = this.clients.filter((client) => client !== staying);
    this.clients.splice(0, this.clients.length, staying);
    for (const client of leaving) {
      if (client.socket.readyState === client.socket.OPEN) client.send({ kind: 'leave' });
      client.socket.close();
    }
    await Promise.all(leaving.map((client) => client.end()));
  }

  private async kept(coming: Promise<TestClient>): Promise<TestClient> {
    const client = await coming;
    this.clients.push(client);
    return client;
  }
}

/** Call this once per file, outside of its tests. */
export function hostForEach(): TestHost {
  const host = new TestHost();
  beforeEach(() => host.begin());
  afterEach(() => host.end());
  return host;
}
