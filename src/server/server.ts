import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { DestinationStream } from 'pino';
import { ServerError } from './base/codes.ts';
import type { Observer } from './base/observer.ts';
import {
  defaultPlay,
  defaultTraffic,
  type JournalFailurePolicy,
  type PlayOptions,
  type SyncPolicy,
  type TrafficLimits,
} from './base/options.ts';
import { Library } from './definitions/library.ts';
import { exportJournal } from './journal/export.ts';
import { FileJournal } from './journal/files.ts';
import { NoJournal, type RoomJournal } from './journal/journal.ts';
import { Accounts } from './lobby/accounts.ts';
import { type Room, Rooms } from './lobby/rooms.ts';
import { LocalThread, WorkerThread } from './lobby/threads.ts';
import { createLog, type LogLevel, observe } from './logging.ts';
import { Metrics } from './metrics.ts';
import type { Protocol } from './protocols.ts';
import { Hub } from './session/hub.ts';
import { type Identify, randomSecret, readSecret, Tokens } from './session/tokens.ts';
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
  /** Threads of rooms; 0 plays them in the thread of the sockets. */
  readonly workers: number;
  /** Where a thread of rooms finds its file; needed where there are some. */
  readonly workerUrl?: string | undefined;
  readonly protocols: readonly [Protocol, ...Protocol[]];
  /** Folder of everything that outlives the process; without one nothing does, unless its own address is given. */
  readonly data?: string | undefined;
  readonly store?: string | undefined;
  /** `off`, `file:FOLDER`; by default a folder of the data. */
  readonly journal?: string | undefined;
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
  private readonly journal: RoomJournal;
  private readonly accounts: Accounts;
  private readonly store: OpenStore;
  private readonly hub: Hub;
  private readonly http: FastifyInstance;
  private readonly sockets: Sockets;
  private isReady = false;
  private ending: Promise<void> | undefined;

  /** Rejects with `ServerError` for what keeps it from starting. Resolves when it listens. */
  static async start(options: ServerOptions): Promise<GameServer> {
    let rooms: Rooms | undefined;
    const metrics = new Metrics({
      rooms: () => rooms?.byId.size ?? 0,
      connections: () => server?.hub.size ?? 0,
    });
    const observer = observe(createLog(options.log, options.logTo), metrics);
    const notice = observer.problem.bind(observer);
    const library = await Library.open(options.paths, notice);
    const tokens = new Tokens(await secretOf(options));
    const store = await openStore(options.store, options.data);
    const journal = await openJournal(options, observer, () => rooms);
    rooms = makeRooms(options, { library, observer, journal });
    const server: GameServer | undefined = new GameServer(options, {
      observer,
      library,
      tokens,
      store,
      journal,
      rooms,
      metrics,
    });
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
      readonly journal: RoomJournal;
      readonly rooms: Rooms;
      readonly metrics: Metrics;
    },
  ) {
    const { observer, library, tokens, store, journal, rooms, metrics } = parts;
    this.options = options;
    this.observer = observer;
    this.library = library;
    this.tokens = tokens;
    this.store = store;
    this.journal = journal;
    this.rooms = rooms;
    const { origins, trustProxy, compress, adminToken, identify = tokens.identify } = options;
    this.accounts = new Accounts(store.store, observer);
    const web = new WebRequests({ ...defaultWeb, allowed: [], ...options.web }, observer, (room, requestId, body) =>
      rooms.send(room, { kind: 'answer', room: room.identity.id, requestId, ...(body === undefined ? {} : { body }) }),
    );
    rooms.services = {
      save: (room, event, atMs) => this.accounts.save(room, event, atMs),
      request: (room, event) => web.ask(room, event),
    };
    const traffic = { ...defaultTraffic, ...options.traffic };
    this.hub = new Hub(
      { traffic, resumeSeconds: 24 * 3600 },
      { rooms, observer, tokens, identify, belongings: (room, userId) => this.accounts.belongings(room, userId) },
    );
    this.sockets = new Sockets({ origins, trustProxy, compress }, this.hub, [
      options.protocols[0].codec,
      ...options.protocols.slice(1).map(({ codec }) => codec),
    ]);
    this.http = createHttp(
      { origins, trustProxy, adminToken, requests: httpRequests },
      {
        library,
        rooms,
        metrics: () => metrics.text(),
        journalOf: (room) => this.journalOf(room),
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
    await this.rooms.start();
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
    const endsAt = performance.now() + this.options.endMs;
    const leftMs = (): number => Math.max(100, endsAt - performance.now());
    this.observer.event('draining', { rooms: this.rooms.byId.size, connections: this.hub.size });
    this.library.close();
    await within(leftMs(), this.rooms.drain());
    this.hub.close('shutting-down');
    await within(leftMs(), this.journal.settled());
    if (!(await this.accounts.close(leftMs()))) {
      this.observer.problem('store-failed', 'The store did not take everything in time.');
    }
    await this.abandon();
  }

  /** Closes what is open, without more ado. */
  private async abandon(): Promise<void> {
    this.library.close();
    this.hub.close('shutting-down');
    await this.rooms.stop();
    this.sockets.close();
    await this.http.close();
    await this.journal.close();
    await this.store.close();
  }

  private async journalOf(room: Room): Promise<Uint8Array | undefined> {
    const last = await this.rooms.hash(room);
    const stored = await this.journal.history(room.identity.id);
    if (stored === undefined) return undefined;
    const { hash, slug } = room.definition;
    return exportJournal(stored, { definitionHash: hash, rate: room.rate, source: slug }, last);
  }
}

function makeRooms(
  options: ServerOptions,
  parts: { readonly library: Library; readonly observer: Observer; readonly journal: RoomJournal },
): Rooms {
  const play: PlayOptions = { ...defaultPlay, ...options.play };
  const { seed, rooms, roomsMax, graceMs, onJournalFailure, workers, workerUrl } = options;
  const { dialect, limits } = play;
  const inRooms = new Map(options.protocols.map(({ room }) => [room.name, room]));
  return new Rooms({ dialect, limits, seed, rooms, roomsMax, graceMs, onJournalFailure }, parts, {
    count: Math.max(1, workers),
    areThreads: workers > 0 && workerUrl !== undefined,
    make: (id, listener) =>
      workers === 0 || workerUrl === undefined
        ? new LocalThread(id, play, inRooms, listener)
        : new WorkerThread(id, workerUrl, play, listener),
  });
}

async function secretOf({ tokenSecretFile, data }: ServerOptions): Promise<Uint8Array> {
  if (tokenSecretFile !== undefined) return readSecret(tokenSecretFile, false);
  return data === undefined ? randomSecret() : readSecret(join(data, 'secret'), true);
}

async function openJournal(
  { journal, data, sync }: ServerOptions,
  observer: Observer,
  rooms: () => Rooms | undefined,
): Promise<RoomJournal> {
  const folder = journal?.startsWith('file:') ? journal.slice('file:'.length) : data && join(data, 'journal');
  if (journal === 'off' || (journal === undefined && folder === undefined)) return new NoJournal();
  if (journal !== undefined && !journal.startsWith('file:')) {
    throw new ServerError('bad-journal', 'A journal is file:FOLDER or off.');
  }
  return FileJournal.open({
    folder: folder!,
    sync,
    listener: {
      failing: (message) => rooms()?.journalFails(message),
      working: () => rooms()?.journalWorks(),
      lost: () => rooms()?.journalLost(),
    },
    onNotice: observer.problem.bind(observer),
  });
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
