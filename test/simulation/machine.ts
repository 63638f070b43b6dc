import type { FastifyInstance } from 'fastify';
import type { RandomStreams } from '../../engine/core/random.ts';
import type { DialectName } from '../../engine/index.ts';
import { ServerError } from '../../src/cluster/operator/codes.ts';
import type { About, Observer } from '../../src/cluster/operator/observer.ts';
import { RedisJournal } from '../../src/cluster/redis/redis-journal.ts';
import type { Machine } from '../../src/machine/machine.ts';
import {
  defaultPlay,
  defaultTraffic,
  type EndPolicy,
  type JournalFailurePolicy,
  type SyncPolicy,
} from '../../src/server/base/options.ts';
import { readSecret } from '../../src/server/base/secret-file.ts';
import { moddio } from '../../src/server/client-protocols/moddio.ts';
import { reenact } from '../../src/server/client-protocols/reenact.ts';
import { ServerCore } from '../../src/server/core.ts';
import type { Definitions, ServedDefinition } from '../../src/server/definitions/served.ts';
import { FileJournal } from '../../src/server/journal/files.ts';
import { missingInJournal } from '../../src/server/lobby/recovery.ts';
import type { PlatformInput } from '../../src/server/room/room-messages.ts';
import { AddressList } from '../../src/server/session/addresses.ts';
import { type ResumeTokens, Tokens } from '../../src/server/session/tokens.ts';
import { Admins } from '../../src/server/web/admins.ts';
import { createHttp } from '../../src/server/web/routes.ts';
import { AccountStore } from '../../src/store/account-store.ts';
import { FileRecordStore, MemoryRecordStore } from '../../src/store/records.ts';
import type { AccountData, Store } from '../../src/store/store.ts';
import { silentListener } from '../support/silent-listener.ts';
import { VirtualDisk } from './disk.ts';
import type { Network } from './network.ts';
import { Process, type Wall } from './process.ts';
import type { VirtualRedis } from './redis.ts';
import { type Answered, type Asked, adminToken } from './request.ts';
import { type ReportWatcher, VirtualThread } from './thread.ts';
import type { Timeline } from './timeline.ts';
import { sessionsMax, type Watch } from './watch.ts';

export interface MachineOptions {
  readonly dialect: DialectName;
  readonly sync: SyncPolicy;
  readonly onJournalFailure: JournalFailurePolicy;
  readonly sight: number;
  readonly variables: readonly string[];
  readonly rooms: number;
  readonly threads: number;
  readonly graceMs: number;
  readonly snapshotSeconds: number;
  /** `keep` by default. */
  readonly onEnd?: EndPolicy;
  /** Parts shared with other machines; undefined for a machine that shares nothing. */
  readonly shared?: Shared | undefined;
}

/** Parts shared by several servers. */
export interface Shared {
  readonly redis: VirtualRedis;
  readonly players: Store;
  /** The secret that signs tokens. */
  readonly secret: Uint8Array;
  /** A process without a heartbeat for this long is considered dead, ms. */
  readonly leaseMs: number;
}

/** Connection numbers are offset by machine and process, so that they are unique in a world. */
const bootsMax = 1e4;

function redisOptions(leaseMs: number) {
  return {
    url: 'redis://simulated',
    replicas: 0,
    leaseMs,
    orphanMs: 24 * 3_600_000,
    sealOf: () => 'seal',
    storeMark: '',
  };
}

const data = '/data';
const journalFolder = `${data}/journal`;
/** After a fault ends, log lines about it may appear for this long. */
const aftermathMs = 40_000;
const failedOften = /^The room failed \d+ times within a minute and is closed\.$/;
const endMs = 10_000;

/** A temporary fault of the store: it fails, or never answers. */
export type StoreTrouble = 'none' | 'failing' | 'silent';

/** The machine of a server: what outlives its processes, and the process that runs on it. */
export class ServerMachine {
  readonly disk: VirtualDisk;
  readonly wall: Wall = { startMs: 1_750_000_000_000 };
  storeTrouble: StoreTrouble = 'none';
  boots = 0;
  /** The address of the machine. */
  readonly host: string;
  /** Offset of the connection numbers of its current process. */
  base = 0;
  process: Process | undefined;
  core: ServerCore | undefined;
  /** The HTTP routes, called without a socket. */
  private http: FastifyInstance | undefined;
  isStopping = false;
  /** The platform's answer to every request; undefined if it does not answer. */
  platformAnswer: PlatformInput | undefined;
  threads: VirtualThread[] = [];
  /**
   * The process dies in the disk operation with this number, counted from now; `isPowerLost` tells whether the machine
   * loses power, too.
   */
  fatal: { operations: number; readonly isPowerLost: boolean } | undefined;
  readonly problems = new Map<string, number>();
  private definition: ServedDefinition;
  private readonly index: number;
  private readonly options: MachineOptions;
  private readonly timeline: Timeline;
  private readonly streams: RandomStreams;
  private readonly network: Network;
  private readonly watch: Watch;
  /** Also receives everything that the server logs. */
  readonly alsoTold: Observer | undefined;
  private troubledUntilMs = 0;

  constructor(
    parts: {
      readonly timeline: Timeline;
      readonly streams: RandomStreams;
      readonly network: Network;
      readonly watch: Watch;
      readonly definition: ServedDefinition;
      readonly alsoTold?: Observer;
      /** The number of the machine if there are several. */
      readonly index?: number;
    },
    options: MachineOptions,
  ) {
    this.index = parts.index ?? 0;
    this.host = `server${this.index}`;
    this.timeline = parts.timeline;
    this.streams = parts.streams;
    this.network = parts.network;
    this.watch = parts.watch;
    this.definition = parts.definition;
    this.alsoTold = parts.alsoTold;
    this.options = options;
    this.disk = new VirtualDisk(parts.timeline, parts.streams.stream(this.own('disk')));
  }

  /** Notes that the disk or the store was faulty until now, so the server may report problems for a while. */
  noteTrouble(): void {
    this.troubledUntilMs = this.timeline.nowMs + aftermathMs;
  }

  /** Number of entities in all rooms. */
  get entities(): number {
    return this.threads.reduce((sum, thread) => sum + thread.entities, 0);
  }

  get isServing(): boolean {
    return this.core !== undefined;
  }

  // Events.

  /** Starts the server. If that fails, it is started again later. */
  boot(): void {
    this.boots++;
    this.base = (this.index * bootsMax + this.boots) * sessionsMax;
    const process = new Process(this.timeline, this.wall, this.streams.stream(this.own('timers')));
    this.process = process;
    this.threads = [];
    this.start(process).catch((error: unknown) => {
      if (this.process !== process) return;
      const isExcused = error instanceof Error && this.isTroubled;
      if (!isExcused) this.watch.fail(`the server does not start: ${textOf(error)}`);
      this.die(false);
      this.bootIn(3000);
    });
  }

  bootIn(ms: number): void {
    this.timeline.after(ms, () => {
      if (this.process === undefined) this.boot();
    });
  }

  /** Kills the process immediately; the machine may lose power, too. */
  die(isPowerLost: boolean): void {
    const { process } = this;
    if (process === undefined) return;
    process.kill();
    this.process = undefined;
    this.core = undefined;
    this.http = undefined;
    this.isStopping = false;
    this.fatal = undefined;
    this.network.serverDied(this.host, isPowerLost);
    if (isPowerLost) this.disk.losePower();
    this.watch.died(this.base, isPowerLost);
  }

  /** Stops the server as SIGTERM does. Resolves to the time it took, ms; never if the process dies meanwhile. */
  async stop(): Promise<number> {
    const { core } = this;
    if (core === undefined) return 0;
    const startMs = this.timeline.nowMs;
    this.isStopping = true;
    await core.end();
    this.core = undefined;
    await core.close();
    const tookMs = this.timeline.nowMs - startMs;
    this.die(false);
    return tookMs;
  }

  /** Replaces the file of the game by another version. */
  change(definition: ServedDefinition): void {
    this.definition = definition;
    this.core?.rooms.openMissing(definition.slug);
  }

  /** Sends an HTTP request; both request and answer have a delay. There is no answer if the process dies first. */
  request(asked: Asked, answered: (answer: Answered) => void): void {
    const { process, http, timeline } = this;
    if (process === undefined || http === undefined) return;
    const random = this.streams.stream('http');
    const { headers, payload, ...rest } = asked;
    const request = {
      ...rest,
      remoteAddress: '10.8.0.1',
      ...(headers === undefined ? {} : { headers: { ...headers } }),
      ...(payload === undefined ? {} : { payload }),
    };
    timeline.after(random.between(1, 40), () =>
      process.run(() => {
        void http.inject(request).then(({ statusCode: status, rawPayload }) => {
          if (process.isDead) return;
          timeline.after(random.between(1, 40), () => answered({ status, body: new Uint8Array(rawPayload) }));
        });
      }),
    );
  }

  /** Checks that the journal, as a new process would find it now, contains everything that was acknowledged. */
  async audit(): Promise<void> {
    if (this.options.shared !== undefined) {
      await this.auditShared(this.options.shared);
      return;
    }
    const after = this.options.sync === 'always' ? 'power' : 'process';
    const process = new Process(this.timeline, this.wall, this.streams.stream('audit'));
    const image = this.disk.image(after);
    const demanded = this.watch.demanded();
    const journal = await this.openJournal(image, process, () => {});
    this.watch.audit(journal.stored, demanded);
    await journal.close();
    process.kill();
  }

  /** Does the same for a journal in the database. */
  private async auditShared({ redis, leaseMs }: Shared): Promise<void> {
    const process = new Process(this.timeline, this.wall, this.streams.stream('audit'));
    const demanded = this.watch.demanded();
    const journal = await RedisJournal.open({
      ...redisOptions(leaseMs),
      publicUrl: undefined,
      takes: 'asked',
      listener: silentListener,
      onNotice: () => {},
      machine: { clock: process.clock, random: (count) => new Uint8Array(count) },
      ports: redis.portsOfCopy(),
    });
    const stored = await Promise.all([...demanded.keys()].map((id) => journal.history(id)));
    this.watch.audit(
      stored.flatMap((room) => room ?? []),
      demanded,
    );
    await journal.close();
    process.kill();
  }

  /** A name for a random stream that is unique to this machine. */
  private own(name: string): string {
    return this.index === 0 ? name : `${name} ${this.index}`;
  }

  // Parts.

  private async start(process: Process): Promise<void> {
    const { clock } = process;
    const { base, host } = this;
    const { sight, variables, snapshotSeconds, rooms, graceMs, onJournalFailure, threads } = this.options;
    const disk = this.disk.for(process, () => this.diesNow());
    const random = this.streams.stream(this.own('secrets'));
    const machine: Machine = {
      clock,
      disk,
      processes: { pid: 7, namespace: 'here', isAlive: () => false },
      random: (count) => Uint8Array.from({ length: count }, () => random.integer(0, 255)),
    };
    const { shared } = this.options;
    const tokens = new Tokens(shared?.secret ?? (await readSecret(`${data}/secret`, true, machine)), clock);
    const play = {
      ...defaultPlay,
      dialect: this.options.dialect,
      limits: { ...defaultPlay.limits, actionsPerTick: 5000, entities: 2048 },
      sight,
      variables,
      snapshotSeconds,
    };
    const inRooms = new Map([reenact, moddio].map(({ room }) => [room.name, room]));
    const current = (): ServedDefinition => this.definition;
    const library: Definitions = {
      get all() {
        return [current()];
      },
      get: (slug) => (slug === current().slug ? current() : undefined),
    };
    const core = await ServerCore.open(
      {
        play,
        traffic: { ...defaultTraffic, connects: { size: 1000, perSecond: 100 } },
        seed: undefined,
        rooms,
        roomsMax: 8,
        idleMs: 60_000,
        watchersMax: 4,
        takes: 'all',
        onEnd: this.options.onEnd ?? 'keep',
        onJournalFailure,
        placement: 'fill',
        graceMs,
        endMs,
      },
      {
        machine,
        observer: this.observer(process),
        library,
        tokens: besideTime(tokens, this.timeline),
        // Here a token is simply the name of an account, because others authenticate.
        identify: async (token) => (token === undefined ? undefined : { userId: token }),
        records: new MemoryRecordStore(process.clock),
        store: this.store(shared?.players ?? new AccountStore(new FileRecordStore(data, machine))),
        openJournal: (listener) =>
          shared === undefined
            ? this.openJournal(this.disk, process, () => {}, { disk, listener })
            : RedisJournal.open({
                ...redisOptions(shared.leaseMs),
                publicUrl: `ws://${this.host}`,
                takes: 'all',
                listener,
                onNotice: (code, message) => this.problem(code, message),
                machine,
                ports: shared.redis.portsOf(process, () => this.diesNow()),
              }),
        threads: {
          count: threads,
          areThreads: true,
          make: (id, isForSlow, listener) => {
            const watch: ReportWatcher = (host, report) => this.watch.report(base, host, report);
            const random = this.streams.stream(this.own('threads'));
            const parts = { timeline: this.timeline, process, watch, random };
            const thread = new VirtualThread(id, parts, { play, isForSlow, movesGreedy: true }, inRooms, listener);
            this.threads[id] = thread;
            return thread;
          },
        },
        platform: {
          ask: async (_room, _request, answer) => {
            if (this.platformAnswer !== undefined) answer(this.platformAnswer, 'key');
          },
        },
        web: { ask: (_room, event, answer) => this.ask(process, Number(event.requestId), answer) },
      },
    );
    await core.start();
    this.watch.started((id) => core.rooms.byId.has(id));
    const http = createHttp({
      hosts: [],
      origins: [],
      onForeignPage: () => {},
      trustProxy: false,
      admins: new Admins(adminToken),
      requests: { size: 120, perSecond: 30 },
      showsPlayers: true,
      requestMs: 10_000,
      trusted: new AddressList([]),
      moddio: this.options.dialect,
      viewer: undefined,
      client: undefined,
      clock,
      library,
      core,
      metrics: async () => ({ type: 'text/plain', text: `reenact_rooms ${core.rooms.byId.size}` }),
      hour: () => [],
      isReady: () => !core.rooms.isDraining,
      tokens,
      observer: this.observer(process),
    });
    await this.timeline.beside(Promise.resolve(http.ready()));
    this.core = core;
    this.http = http;
    this.network.listen({ host, process, hub: core.hub, codecs: [reenact.codec, moddio.codec], base, sessions: 0 });
  }

  private openJournal(
    on: VirtualDisk,
    process: Process,
    onNotice: () => void,
    given: Partial<Pick<Parameters<typeof FileJournal.open>[0], 'disk' | 'listener'>> = {},
  ): Promise<FileJournal> {
    return FileJournal.open({
      disk: given.disk ?? on.for(process, () => false),
      clock: process.clock,
      processes: { pid: 7, namespace: 'here', isAlive: () => false },
      folder: journalFolder,
      sync: this.options.sync,
      listener: given.listener ?? silentListener,
      onNotice: given.listener === undefined ? onNotice : (code, message) => this.problem(code, message),
    });
  }

  private diesNow(): boolean {
    const { fatal } = this;
    if (fatal === undefined || --fatal.operations > 0) return false;
    // What becomes of the operation in progress is up to the disk.
    this.timeline.after(0, () => {
      this.die(fatal.isPowerLost);
      this.bootIn(2000);
    });
    this.process?.kill();
    return true;
  }

  private store(files: Store): Store {
    const guard = async (): Promise<void> => {
      if (this.storeTrouble === 'none') return;
      // Like database adapters, which time out.
      if (this.storeTrouble === 'silent') await this.timeline.wait(10_000);
      throw new Error('The store is not there.');
    };
    return {
      load: async (gameId, userId) => {
        await guard();
        return files.load(gameId, userId);
      },
      save: async (gameId, userId, kept: AccountData) => {
        await guard();
        await files.save(gameId, userId, kept);
        this.watch.storeHas(userId);
      },
    };
  }

  /** Answers a web request soon, late, with nothing, or never. */
  private ask(process: Process, requestId: number, answer: (requestId: number, body: unknown) => void): void {
    const random = this.streams.stream('web');
    const way = random.integer(0, 3);
    if (way === 0) return;
    const body = way === 1 ? undefined : { answer: random.integer(0, 9) };
    this.timeline.after(random.between(1, 8000), () => process.run(() => answer(requestId, body)));
  }

  // Logs.

  get isTroubled(): boolean {
    const { disk, storeTrouble, timeline, options } = this;
    const redis = options.shared?.redis;
    const isCutOff = this.process !== undefined && redis?.cutOff.has(this.process) === true;
    return (
      disk.trouble !== 'none' ||
      storeTrouble !== 'none' ||
      (redis !== undefined && redis.trouble !== 'none') ||
      isCutOff ||
      timeline.nowMs < this.troubledUntilMs
    );
  }

  private observer(process: Process): Observer {
    const checked = this.checking(process);
    const also = this.alsoTold;
    return also === undefined ? checked : both(checked, also);
  }

  private checking(process: Process): Observer {
    return {
      problem: (code, message, about) => {
        if (!process.isDead) this.problem(code, message, about);
      },
      event: (what, { room }) => {
        if (!process.isDead && what === 'room-ended' && room !== undefined) this.watch.roomEnded(room, this.base);
      },
      tick: (_room, { faults }) => {
        this.watch.seen.budgetFaults += faults;
      },
      overrun: () => {},
      roomGone: () => {},
      sent: () => {},
      received: () => {},
      refused: () => {},
      ended: () => {},
      acknowledged: () => {},
      audit: () => {},
    };
  }

  /** Each problem that a server logs must follow from a fault that was injected. */
  private problem(code: string, message: string, about?: About): void {
    this.problems.set(code, (this.problems.get(code) ?? 0) + 1);
    const isExcused =
      code === 'worker-failed' ||
      // A process that was suspended for longer than its lease, or a database that lost the lease.
      (code === 'room-fenced' && this.options.shared !== undefined) ||
      // A process that was suspended for long may find that another has taken over the room and ended it.
      (code === 'resume-failed' && this.options.shared !== undefined && message === missingInJournal) ||
      // The simulator kills threads until the server gives up one of their rooms.
      (code === 'resume-failed' && failedOften.test(message)) ||
      (code === 'room-failed' && this.isTroubled) ||
      (code === 'journal-torn' && (this.boots > 1 || this.isTroubled)) ||
      ((code === 'journal-failed' || code === 'store-failed') && this.isTroubled);
    if (!isExcused) this.watch.fail(`the server says ${code}: ${message} ${about?.room ?? ''}`);
  }
}

function both(first: Observer, second: Observer): Observer {
  const told = Object.keys(first).map((name) => {
    const tell = (...details: unknown[]): void => {
      for (const observer of [first, second] as unknown as Record<string, (...details: unknown[]) => void>[]) {
        observer[name]!(...details);
      }
    };
    return [name, tell] as const;
  });
  return Object.fromEntries(told) as unknown as Observer;
}

/** Cryptography takes no simulated time. */
function besideTime(tokens: Tokens, timeline: Timeline): ResumeTokens {
  return {
    signResume: (resumed) => timeline.beside(tokens.signResume(resumed)),
    readResume: (token) => timeline.beside(tokens.readResume(token)),
    readSeat: (token) => timeline.beside(tokens.readSeat(token)),
  };
}

function textOf(error: unknown): string {
  if (error instanceof ServerError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
