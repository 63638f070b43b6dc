import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import { thisMachine } from '../machine/machine.ts';
import type { Store } from '../store/store.ts';
import { ServerError } from './base/codes.ts';
import type { Observer } from './base/observer.ts';
import {
  defaultLeaseMs,
  defaultPlay,
  defaultTraffic,
  type JournalFailurePolicy,
  type PlayOptions,
  type SyncPolicy,
  type TrafficLimits,
} from './base/options.ts';
import { ServerCore } from './core.ts';
import { Library } from './definitions/library.ts';
import { openJournal } from './journals.ts';
import type { Rooms } from './lobby/rooms.ts';
import { LocalThread, WorkerThread } from './lobby/threads.ts';
import { createLog, type LogLevel, observe } from './logging.ts';
import { Metrics } from './metrics.ts';
import { moddio } from './protocols/moddio.ts';
import type { Protocol } from './protocols/protocol.ts';
import { type Identify, readSecret, Tokens } from './session/tokens.ts';
import { type OpenStore, openStore } from './stores.ts';
import type { OriginRule } from './web/requests.ts';
import { createHttp } from './web/routes.ts';
import { Sockets } from './web/sockets.ts';
import { defaultWeb, type WebOptions, WebRequests } from './web-requests.ts';

export interface ServerOptions {
  /** Files and folders of definitions. */
  readonly paths: readonly string[];
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly play?: Partial<PlayOptions> | undefined;
  readonly traffic?: Partial<TrafficLimits> | undefined;
  readonly web?: Partial<WebOptions> | undefined;
  /** Of every room; without one, each room has its own by chance. */
  readonly seed?: string | undefined;
  /** Rooms of each definition that are open from the start, and all rooms at most. */
  readonly rooms: number;
  readonly roomsMax: number;
  /** Connections that may watch one room without playing; 0 for none. */
  readonly watchersMax: number;
  /** Threads of rooms; 0 plays them in the thread of the sockets. */
  readonly workers: number;
  /** Where a thread of rooms finds its file; needed where there are some. */
  readonly workerUrl?: string | undefined;
  readonly protocols: readonly [Protocol, ...Protocol[]];
  /** Folder of everything that outlives the process; without one nothing does, unless its own address is given. */
  readonly data?: string | undefined;
  readonly store?: string | undefined;
  /** `off`, `file:FOLDER`, `redis://…`; by default a folder of the data. */
  readonly journal?: string | undefined;
  /** Of a journal that several processes share: after so long without a sign of life, ms, a process loses its rooms to others. */
  readonly leaseMs?: number | undefined;
  /** Where clients reach this process, `wss://…`: others send those there whose room is here. */
  readonly publicUrl?: string | undefined;
  readonly sync: SyncPolicy;
  readonly onJournalFailure: JournalFailurePolicy;
  readonly tokenSecretFile?: string | undefined;
  readonly identify?: Identify | undefined;
  readonly adminToken?: string | undefined;
  readonly origins: OriginRule;
  readonly trustProxy: boolean;
  readonly compress: boolean;
  /** How long a player stays whose connection is lost, ms. */
  readonly graceMs: number;
  /** How long the end may take, ms. */
  readonly endMs: number;
  readonly watch: boolean;
  /** Script of the page on which rooms are watched and played; without one there is no page. */
  readonly pageScript?: string | undefined;
  readonly log: LogLevel;
  readonly logTo: DestinationStream;
}

const httpRequests = { size: 120, perSecond: 30 };

/** Everything that `reenact serve` is, from the files to the sockets. */
export class GameServer {
  readonly rooms: Rooms;
  readonly tokens: Tokens;
  private readonly options: ServerOptions;
  private readonly observer: Observer;
  private readonly library: Library;
  private readonly core: ServerCore;
  private readonly store: OpenStore;
  private readonly http: FastifyInstance;
  private readonly sockets: Sockets;
  private isReady = false;
  private ending: Promise<void> | undefined;

  /** Rejects with `ServerError` for what keeps it from starting. Resolves when it listens. */
  static async start(options: ServerOptions): Promise<GameServer> {
    let core: ServerCore | undefined;
    const metrics = new Metrics({
      rooms: () => core?.rooms.byId.size ?? 0,
      connections: () => core?.hub.size ?? 0,
    });
    const observer = observe(createLog(options.log, options.logTo), metrics);
    const notice = observer.problem.bind(observer);
    const library = await Library.open(options.paths, notice);
    const secret = await secretOf(options);
    const tokens = new Tokens(secret, thisMachine.clock);
    const store = await openStore(options.store, options.data);
    core = await openCore(options, { observer, library, tokens, store: store.store }, secret);
    const server = new GameServer(options, { observer, library, tokens, store, core, metrics });
    try {
      await server.begin();
    } catch (error) {
      await server.abandon();
      throw error;
    }
    return server;
  }

  private constructor(
    options: ServerOptions,
    parts: {
      readonly observer: Observer;
      readonly library: Library;
      readonly tokens: Tokens;
      readonly store: OpenStore;
      readonly core: ServerCore;
      readonly metrics: Metrics;
    },
  ) {
    const { observer, library, tokens, store, core, metrics } = parts;
    const { rooms, hub } = core;
    this.options = options;
    this.observer = observer;
    this.library = library;
    this.tokens = tokens;
    this.store = store;
    this.core = core;
    this.rooms = rooms;
    const { origins, trustProxy, compress, adminToken } = options;
    const [first, ...others] = options.protocols.map(({ codec }) => codec);
    this.sockets = new Sockets({ origins, trustProxy, compress }, hub, [first!, ...others], thisMachine.clock);
    this.http = createHttp(
      {
        origins,
        trustProxy,
        adminToken,
        requests: httpRequests,
        pageScript: options.pageScript,
        moddio: options.protocols.includes(moddio) ? { ...defaultPlay, ...options.play }.dialect : undefined,
      },
      {
        library,
        rooms,
        metrics: () => metrics.text(),
        journalOf: (room) => core.journalOf(room),
        isReady: () => this.isReady && !rooms.isDraining,
      },
    );
    this.sockets.listen(this.http.server);
  }

  get port(): number {
    const address = this.http.server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  /** No new players; games hear that the server shuts down; everything is written. The same promise each time. */
  stop(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  private async begin(): Promise<void> {
    await this.core.start();
    const { host, port } = this.options;
    try {
      await this.http.listen({ host, port });
    } catch (error) {
      throw new ServerError('bad-listen', error instanceof Error ? error.message : String(error));
    }
    if (this.options.watch) {
      await this.library.watch((definition) => {
        this.observer.event('definition-changed', { slug: definition.slug, version: definition.version });
        void this.rooms.keepOpen(definition).catch((error: unknown) => {
          this.observer.problem('room-failed', error instanceof Error ? error.message : String(error));
        });
      });
    }
    this.isReady = true;
    this.observer.event('listening', { host, port: this.port, rooms: this.rooms.byId.size });
  }

  private async end(): Promise<void> {
    this.isReady = false;
    this.library.close();
    await this.core.end();
    await this.abandon();
  }

  /** Closes what is open, without more ado. */
  private async abandon(): Promise<void> {
    this.library.close();
    await this.core.close();
    this.sockets.close();
    await this.http.close();
    await this.store.close();
  }
}

function openCore(
  options: ServerOptions,
  parts: {
    readonly observer: Observer;
    readonly library: Library;
    readonly tokens: Tokens;
    readonly store: Store;
  },
  secret: Uint8Array,
): Promise<ServerCore> {
  const play: PlayOptions = { ...defaultPlay, ...options.play };
  const { seed, rooms, roomsMax, watchersMax, graceMs, endMs, onJournalFailure, workers, workerUrl } = options;
  const inRooms = new Map(options.protocols.map(({ room }) => [room.name, room]));
  const { journal, data, sync, leaseMs = defaultLeaseMs, publicUrl } = options;
  const onNotice = parts.observer.problem.bind(parts.observer);
  const web = new WebRequests({ ...defaultWeb, allowed: [], ...options.web }, parts.observer);
  const traffic = { ...defaultTraffic, ...options.traffic };
  return ServerCore.open(
    { play, traffic, seed, rooms, roomsMax, watchersMax, graceMs, endMs, onJournalFailure },
    {
      ...parts,
      machine: thisMachine,
      identify: options.identify ?? parts.tokens.identify,
      openJournal: (listener) =>
        openJournal({ journal, data, sync, leaseMs, publicUrl, secret, listener, onNotice, machine: thisMachine }),
      ask: (room, event, answer) => web.ask(room, event, answer),
      threads: {
        count: Math.max(1, workers),
        areThreads: workers > 0 && workerUrl !== undefined,
        make: (id, listener) =>
          workers === 0 || workerUrl === undefined
            ? new LocalThread(id, play, inRooms, thisMachine.clock, listener)
            : new WorkerThread(id, workerUrl, play, listener),
      },
    },
  );
}

async function secretOf({ tokenSecretFile, data }: ServerOptions): Promise<Uint8Array> {
  if (tokenSecretFile !== undefined) return readSecret(tokenSecretFile, false, thisMachine);
  return data === undefined ? thisMachine.random(32) : readSecret(join(data, 'secret'), true, thisMachine);
}
