import { type RandomStream, RandomStreams } from '../../engine/core/random.ts';
import type { DialectName } from '../../engine/index.ts';
import { leasePrefix } from '../../src/cluster/redis/names.ts';
import { hostClock } from '../../src/machine/clock.ts';
import type { EndPolicy, JournalFailurePolicy, SyncPolicy } from '../../src/server/base/options.ts';
import { moddio } from '../../src/server/client-protocols/moddio.ts';
import type { RoomEntry } from '../../src/server/lobby/room.ts';
import type { Connection } from '../../src/server/session/connection.ts';
import { AccountStore } from '../../src/store/account-store.ts';
import { MemoryRecordStore } from '../../src/store/records.ts';
import type { DiskTrouble } from './disk.ts';
import { ExistingPlayer, returning } from './existing-player.ts';
import { samples, servedSample } from './game.ts';
import { attack } from './hostile.ts';
import { ServerMachine, type StoreTrouble } from './machine.ts';
import { Network } from './network.ts';
import { Operator } from './operator.ts';
import { commonOf, Player } from './player.ts';
import type { Process } from './process.ts';
import { type RedisTrouble, VirtualRedis } from './redis.ts';
import { Timeline } from './timeline.ts';
import { type Seen, Watch } from './watch.ts';

/** The faults that can happen to a world, and the average number per hour if they are enabled. */
const faultsAnHour = {
  /** The process of the server is killed. */
  kill: 120,
  /** The machine loses power. */
  power: 120,
  /** The process or the machine dies in the middle of a disk operation. */
  killAtWrite: 240,
  /** A thread of rooms dies. */
  thread: 120,
  /** The server gets a termination signal and is started again. */
  restart: 24,
  /** The disk is full for a while. */
  fullDisk: 120,
  /** The disk sometimes fails for a while. */
  brokenDisk: 120,
  /** The disk is slow for a while. */
  slowDisk: 120,
  /** The store fails, or does not answer. */
  store: 120,
  /** A connection is lost, and both ends get an event. */
  cut: 480,
  /** A connection is lost without an event at either end. */
  silence: 240,
  /** A player's page is closed without a close message. */
  pageCrash: 160,
  /** Messages to and from a player are delayed, then delivered all at once. */
  stall: 480,
  /** A player's bandwidth is a few hundred bytes per second for a while. */
  slowClient: 240,
  /** Wall time jumps by up to two days. */
  wallJump: 240,
  /** The server's process is suspended for a while. */
  freeze: 240,
  /** Somebody sends messages that no client would send. */
  attack: 160,
  /**
   * Players start scripts that exhaust their budgets, save, make web requests or use delays, and send names that do not
   * exist.
   */
  command: 4000,
  /** The file of the game is replaced by another version. */
  change: 24,
} as const;

/** Additional faults if two servers keep their journal in one Redis. */
const redisFaultsAnHour = {
  /** The database is unreachable for a while. */
  redisGone: 60,
  /** It does not answer for a while, and then executes everything that it was sent. */
  redisDeaf: 60,
  /** Each answer takes up to several seconds. */
  redisSlow: 60,
  /** It refuses all commands that need memory. */
  redisFull: 60,
  /** All its connections are lost. */
  redisReset: 120,
  /** One process cannot reach it for a while. */
  redisCut: 120,
  /** A lease expires early. */
  leaseLost: 120,
} as const;
/** Additional events, independent of the journal. */
const furtherAnHour = {
  /**
   * Somebody requests a server's state or a journal by HTTP, opens and ends rooms, and delivers results of a platform.
   */
  request: 2400,
} as const;
const ratesAnHour = { ...faultsAnHour, ...redisFaultsAnHour, ...furtherAnHour };
type RedisFault = keyof typeof redisFaultsAnHour;
export type FaultKind = keyof typeof ratesAnHour;
/** Faults if a server has a journal of its own. */
const ownKinds = Object.keys(faultsAnHour) as readonly (keyof typeof faultsAnHour)[];
const redisKinds = Object.keys(redisFaultsAnHour) as readonly RedisFault[];
const furtherKinds = Object.keys(furtherAnHour) as readonly (keyof typeof furtherAnHour)[];
export const faultKinds: readonly FaultKind[] = [...ownKinds, ...redisKinds, ...furtherKinds];
/** Faults that do not affect servers with one Redis. */
const diskKinds = new Set<FaultKind>(['fullDisk', 'brokenDisk', 'slowDisk', 'power']);

const leaseMs = 3000;
const serversOfRedis = 2;

/** Time between two audits of what a crash would leave. */
const auditMs = 10_000;
const lookMs = 1000;
/** At the end no more faults are injected for this long; afterwards everybody must be playing. */
const calmMs = 45_000;
/** A client that is sent nothing for this long without knowing why has been forgotten by the server. */
const deafMs = 60_000;
/** An answer may take as long as a process or its disk can be unavailable, plus the time to end rooms. */
const answerMs = 120_000;
/** The maximum time that an admission may be in transit. */
const seatlessMs = 60_000;

export interface EpisodeOptions {
  readonly seed: string;
  readonly seconds: number;
  /** If given, only these faults happen; by default the seed selects them. */
  readonly kinds?: readonly FaultKind[] | undefined;
  /** Where the journal is kept; by default the seed decides. */
  readonly journal?: JournalForm | undefined;
}

export type JournalForm = 'files' | 'redis';

export interface EpisodeResult {
  /** Violations; the first one ended the episode. */
  readonly failures: readonly string[];
  readonly simulatedMs: number;
  readonly happenings: number;
  readonly faults: Readonly<Partial<Record<FaultKind, number>>>;
  readonly seen: Seen;
  readonly problems: ReadonlyMap<string, number>;
  readonly ends: ReadonlyMap<string, number>;
  readonly operations: number;
  readonly setting: string;
}

/** Plays one world from start to end. The same seed gives the same world. */
export async function playEpisode(options: EpisodeOptions): Promise<EpisodeResult> {
  return new Episode(options).play();
}

class Episode {
  private readonly failures: string[] = [];
  private readonly faults: Partial<Record<FaultKind, number>> = {};
  private readonly timeline = new Timeline();
  private readonly streams: RandomStreams;
  private readonly random: RandomStream;
  private readonly watch: Watch;
  private readonly network: Network;
  private readonly machines: readonly ServerMachine[];
  private readonly redis: VirtualRedis | undefined;
  private readonly players: readonly Player[];
  /** Players who use the page of the original engine. */
  private readonly pages: readonly ExistingPlayer[];
  private readonly operator: Operator;
  private readonly kinds: ReadonlySet<FaultKind>;
  private readonly sample: (typeof samples)[number];
  private readonly endsMs: number;
  private readonly setting: string;
  private edition = 1;
  private isCalm = false;
  /** By room whose game is over: since when it has still been open. */
  private readonly overSince = new Map<string, number>();
  /** By player in a game without a seat: since when. */
  private readonly seatless = new Map<string, number>();
  private lacksNewestSince: number | undefined;
  /** By seat whose player has left: since when. */
  private readonly emptySince = new Map<string, number>();
  /** By seat kept for a disconnected player: since when. */
  private readonly waitedSince = new Map<string, number>();
  private readonly graceMs: number;
  private readonly onEnd: EndPolicy;

  constructor({ seed, seconds, kinds = faultKinds, journal }: EpisodeOptions) {
    this.streams = new RandomStreams(seed);
    const plan = this.streams.stream('plan');
    const fleet = this.streams.stream('fleet');
    const form = fleet.chance(0.4) ? 'redis' : 'files';
    const isShared = (journal ?? form) === 'redis';
    const pageCount = fleet.pick([0, 0, 1, 2])!;
    this.random = this.streams.stream('faults');
    this.endsMs = seconds * 1000;
    this.watch = new Watch((message) => this.fail(message));
    this.network = new Network(this.timeline, this.streams.stream('network'));
    this.sample = plan.pick(samples)!;
    // Each world uses a random half of the faults, because some defects show only in the absence of others.
    const own = ownKinds.filter((kind) => plan.chance(kind === 'command' ? 0.9 : 0.5) && kinds.includes(kind));
    const also = redisKinds.filter((kind) => fleet.chance(0.5) && kinds.includes(kind));
    const further = furtherKinds.filter((kind) => fleet.chance(0.7) && kinds.includes(kind));
    const ofJournal = isShared ? [...own.filter((kind) => !diskKinds.has(kind)), ...also] : own;
    this.kinds = new Set([...ofJournal, ...further]);
    const sync = plan.pick<SyncPolicy>(['always', 'always', 'always', 'second'])!;
    const onJournalFailure = plan.pick<JournalFailurePolicy>(['go-on', 'go-on', 'stop'])!;
    const sight = plan.chance(0.3) ? 600 : Number.POSITIVE_INFINITY;
    const definition = servedSample(this.sample, 1);
    const known = definition.game.definition.variables;
    const variables = ['state', 'timeLeft', 'round'].filter((name) => known.has(name));
    // As an operator would configure it to serve pages of the original engine.
    const dialect: DialectName = pageCount > 0 ? 'moddio' : 'standard';
    const options = {
      dialect,
      sync,
      onJournalFailure,
      sight,
      variables,
      rooms: plan.integer(1, 2),
      threads: plan.integer(1, 2),
      graceMs: plan.pick([5000, 30_000])!,
      snapshotSeconds: plan.pick([2, 10])!,
    };
    this.graceMs = options.graceMs;
    this.onEnd = this.streams.stream('end').pick<EndPolicy>(['keep', 'keep', 'end', isShared ? 'hand-over' : 'keep'])!;
    const count = plan.integer(2, 6);
    const where = isShared ? `redis servers=${serversOfRedis}` : 'files';
    this.setting = `${this.sample} ${where} pages=${pageCount} sync=${sync} end=${this.onEnd} failure=${onJournalFailure} sight=${sight} players=${count} rooms=${options.rooms} ${[...this.kinds].join(',')}`;
    this.watch.sight = sight;
    // While the journal fails, a token is valid only in its process.
    const expire = ['wallJump', 'fullDisk', 'brokenDisk', ...redisKinds] as const;
    this.watch.tokensExpire = expire.some((kind) => this.kinds.has(kind));
    this.watch.isShared = isShared;
    this.watch.variables = variables;
    this.watch.keepsOverPower = isShared || sync === 'always';
    const { timeline, streams, network, watch } = this;
    this.redis = isShared ? new VirtualRedis(timeline, streams.stream('redis')) : undefined;
    const shared =
      this.redis === undefined
        ? undefined
        : {
            redis: this.redis,
            players: new AccountStore(new MemoryRecordStore(hostClock)),
            secret: new Uint8Array(32).fill(7),
            leaseMs,
          };
    this.machines = Array.from(
      { length: isShared ? serversOfRedis : 1 },
      (_, index) =>
        new ServerMachine(
          { timeline, streams, network, watch, definition, index },
          { ...options, onEnd: this.onEnd, shared },
        ),
    );
    this.operator = new Operator({ timeline, watch, random: streams.stream('operator') });
    watch.onAudit = () => this.auditNow();
    watch.isStoreTroubled = () => this.machines.some(({ isTroubled }) => isTroubled);
    watch.openedBy = (session) => {
      const offered = network.offers.get(session);
      return offered && { isPage: offered.includes(moddio.codec.name), isBack: offered.includes(returning) };
    };
    const { data } = JSON.parse(definition.forModdio(dialect).json) as { data: unknown };
    watch.pageData = data;
    const common = commonOf(definition.game.definition);
    this.players = Array.from({ length: count }, (_, index) => {
      const random = streams.stream(`player ${index}`);
      const { game } = definition;
      return new Player(index, { timeline, network, watch, definition: game.definition, common, random });
    });
    this.pages = Array.from(
      { length: pageCount },
      (_, index) =>
        new ExistingPlayer(index, { timeline, network, watch, data, random: streams.stream(`page ${index}`) }),
    );
  }

  async play(): Promise<EpisodeResult> {
    const { timeline, machines } = this;
    const onStray = (error: unknown): void =>
      this.fail(`a promise is rejected that nobody waits for: ${String(error)}`);
    process.on('unhandledRejection', onStray);
    try {
      for (const machine of machines) machine.boot();
      for (const kind of this.kinds) this.schedule(kind);
      this.look();
      this.audit();
      await timeline.run(this.endsMs);
      this.isCalm = true;
      this.heal();
      await timeline.run(this.endsMs + calmMs);
      this.demandPlay();
      await this.finish();
    } catch (error) {
      this.fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
    } finally {
      process.off('unhandledRejection', onStray);
      for (const machine of machines) machine.process?.kill();
    }
    const ends = new Map<string, number>();
    for (const player of [...this.players, ...this.pages])
      for (const [code, n] of player.ends) ends.set(code, (ends.get(code) ?? 0) + n);
    return {
      failures: this.failures,
      simulatedMs: timeline.nowMs,
      happenings: timeline.happenings,
      faults: this.faults,
      seen: this.watch.seen,
      problems: this.problems(),
      ends,
      operations: machines.reduce((sum, { disk }) => sum + disk.counts.operations, this.redis?.questions ?? 0),
      setting: this.setting,
    };
  }

  private fail(message: string): void {
    this.failures.push(`${(this.timeline.nowMs / 1000).toFixed(3)} s: ${message}`);
    this.timeline.end();
  }

  private problems(): Map<string, number> {
    const sum = new Map<string, number>();
    for (const { problems } of this.machines)
      for (const [code, times] of problems) sum.set(code, (sum.get(code) ?? 0) + times);
    return sum;
  }

  // Faults.

  private schedule(kind: FaultKind): void {
    const meanMs = 3_600_000 / ratesAnHour[kind];
    // Requests use their own random stream, so that worlds with and without them get the same faults.
    const random = kind === 'request' ? this.operator.random : this.random;
    const ms = -Math.log(1 - random.next()) * meanMs;
    this.timeline.after(ms, () => {
      if (this.isCalm) return;
      if (this.cause(kind)) this.faults[kind] = (this.faults[kind] ?? 0) + 1;
      this.schedule(kind);
    });
  }

  /** Injects a fault. False if there is nothing that it could affect. */
  private cause(kind: FaultKind): boolean {
    const { machines, random, timeline, operator } = this;
    if (kind === 'request') return operator.ask(operator.random.pick(machines)!);
    const machine = machines.length > 1 ? random.pick(machines)! : machines[0]!;
    const player = random.pick([...this.players, ...this.pages])!;
    const isRunning = machine.process !== undefined;
    switch (kind) {
      case 'kill':
      case 'power':
        machine.die(kind === 'power');
        machine.bootIn(random.between(200, kind === 'power' ? 20_000 : 5000));
        return isRunning;
      case 'killAtWrite':
        machine.fatal = { operations: random.integer(1, 40), isPowerLost: random.chance(0.5) };
        return isRunning;
      case 'thread': {
        const thread = random.pick(machine.threads);
        if (thread !== undefined && machine.isServing) thread.die();
        return machine.isServing;
      }
      case 'restart':
        if (!machine.isServing || machine.isStopping) return false;
        void machine.stop().then(() => machine.bootIn(500));
        return true;
      case 'fullDisk':
        return this.disturbDisk(machine, 'full');
      case 'brokenDisk':
        return this.disturbDisk(machine, 'broken');
      case 'slowDisk':
        machine.disk.slowness = random.between(5, 200);
        timeline.after(random.between(1000, 20_000), () => {
          machine.disk.slowness = 1;
        });
        return true;
      case 'store': {
        machine.storeTrouble = random.pick<StoreTrouble>(['failing', 'silent'])!;
        timeline.after(random.between(1000, 60_000), () => this.endStoreTrouble(machine));
        return true;
      }
      case 'cut':
        player.socket?.connection?.reset('network');
        return true;
      case 'silence':
        player.socket?.connection?.silence();
        return true;
      case 'pageCrash':
        player.crash(random.chance(0.5));
        return true;
      case 'stall':
        player.way.stalledUntilMs = timeline.nowMs + random.between(100, random.chance(0.2) ? 40_000 : 3000);
        return true;
      case 'slowClient':
        player.way.bytesPerSecond = random.between(100, 4000);
        timeline.after(random.between(5000, 120_000), () => {
          player.way.bytesPerSecond = 500_000;
        });
        return true;
      case 'wallJump':
        machine.wall.startMs += (random.next() * 2 - 1) ** 3 * 2 * 86_400_000;
        return true;
      case 'freeze':
        machine.process?.freeze(random.between(50, random.chance(0.2) ? 40_000 : 2000));
        return isRunning;
      case 'attack':
        attack(timeline, this.network, random, random.between(1, 20));
        return true;
      case 'command':
        player.command();
        return true;
      case 'change':
        this.edition++;
        // On all servers, as an operator would do it.
        for (const each of machines) each.change(servedSample(this.sample, this.edition));
        return true;
      case 'redisGone':
        return this.disturbRedis('gone');
      case 'redisDeaf':
        return this.disturbRedis('deaf');
      case 'redisSlow':
        return this.disturbRedis('slow');
      case 'redisFull':
        return this.disturbRedis('full');
      case 'redisReset':
        for (const client of [...(this.redis?.clients ?? [])]) client.reset();
        this.noteTrouble();
        return true;
      case 'redisCut':
        return this.cutOff(machine.process);
      case 'leaseLost': {
        const lease = random.pick(this.redis?.data.named(leasePrefix, Number.NEGATIVE_INFINITY) ?? []);
        if (lease !== undefined) this.redis?.data.delete(lease);
        return lease !== undefined;
      }
    }
  }

  private disturbDisk(machine: ServerMachine, trouble: DiskTrouble): boolean {
    const { disk } = machine;
    if (disk.trouble !== 'none') return false;
    disk.trouble = trouble;
    this.timeline.after(this.random.between(500, 30_000), () => this.endDiskTrouble(machine));
    return true;
  }

  private endDiskTrouble(machine: ServerMachine): void {
    machine.disk.trouble = 'none';
    machine.noteTrouble();
  }

  private endStoreTrouble(machine: ServerMachine): void {
    machine.storeTrouble = 'none';
    machine.noteTrouble();
  }

  private disturbRedis(trouble: RedisTrouble): boolean {
    const { redis } = this;
    if (redis === undefined || redis.trouble !== 'none') return false;
    redis.begin(trouble);
    this.timeline.after(this.random.between(500, 30_000), () => this.endRedisTrouble());
    return true;
  }

  private endRedisTrouble(): void {
    this.redis?.begin('none');
    this.noteTrouble();
  }

  /** Cuts the connection between a process and the database for a while. */
  private cutOff(process: Process | undefined): boolean {
    const { redis } = this;
    if (redis === undefined || process === undefined) return false;
    redis.cutOff.add(process);
    this.timeline.after(this.random.between(500, 30_000), () => {
      redis.cutOff.delete(process);
      this.noteTrouble();
    });
    return true;
  }

  private noteTrouble(): void {
    for (const machine of this.machines) machine.noteTrouble();
  }

  /** Ends all faults. */
  private heal(): void {
    this.endRedisTrouble();
    this.redis?.cutOff.clear();
    for (const machine of this.machines) {
      this.endDiskTrouble(machine);
      this.endStoreTrouble(machine);
      machine.disk.slowness = 1;
      machine.fatal = undefined;
      machine.bootIn(0);
    }
    for (const player of [...this.players, ...this.pages]) player.way.bytesPerSecond = 500_000;
  }

  // Checks.

  private look(): void {
    this.timeline.after(lookMs, () => {
      this.demandBounds();
      this.look();
    });
  }

  private audit(): void {
    this.timeline.after(auditMs, () => {
      this.auditNow();
      this.audit();
    });
  }

  private auditNow(): void {
    this.machines[0]!.audit().catch((error: unknown) => this.fail(`what is kept cannot be read: ${String(error)}`));
  }

  /** Resources stay bounded: connections, seats, timers, open files and stored files. */
  private demandBounds(): void {
    const { machines, players, timeline } = this;
    for (const machine of machines) {
      this.demandBoundsOf(machine);
      this.demandSeats(machine);
    }
    this.demandNewest();
    const { longest } = this.operator;
    if (longest !== undefined && timeline.nowMs - longest.sinceMs > answerMs)
      this.fail(`${longest.what} has had no answer for ${answerMs / 1000} s`);
    for (const { client, aliveMs, address, socket } of players) {
      const connection = socket?.connection;
      const isDeaf = client?.isConnected === true && connection !== undefined && !connection.serverOpen;
      if (isDeaf && timeline.nowMs - aliveMs > deafMs) {
        this.fail(
          `the client at ${address} has been shown nothing for ${deafMs / 1000} s, and believes that it is connected`,
        );
      }
    }
  }

  /** New players find a room of the newest version. In the absence of faults, it is opened when the game changes. */
  private demandNewest(): void {
    const { machines, timeline } = this;
    const isCalm = machines.every(({ isServing, isStopping, isTroubled }) => isServing && !isStopping && !isTroubled);
    if (!isCalm || this.hasNewest()) this.lacksNewestSince = undefined;
    else {
      this.lacksNewestSince ??= timeline.nowMs;
      if (timeline.nowMs - this.lacksNewestSince > seatlessMs)
        this.fail('there is no room of the newest version of the game, and nothing is wrong');
    }
  }

  /** Also true if no process can open rooms any more. */
  private hasNewest(): boolean {
    const { machines } = this;
    const { slug, version } = servedSample(this.sample, this.edition);
    const rooms = machines.flatMap(({ core }) => [...(core?.rooms.byId.values() ?? [])]);
    const isFull = machines.every(({ core }) => core?.rooms.mayOpen(slug) === false);
    return isFull || rooms.some(({ identity, state }) => identity.version === version && state === 'open');
  }

  private demandBoundsOf({ core, process, disk, base }: ServerMachine): void {
    const { network, redis } = this;
    const players = [...this.players, ...this.pages];
    if (core === undefined || process === undefined) return;
    const wires = [...network.connections].filter((each) => each.base === base && each.serverOpen).length;
    const rooms = [...core.rooms.byId.values()];
    const seats = rooms.reduce((sum, room) => sum + room.seats.size, 0);
    // Each command to the database has its own timer.
    const asked = redis === undefined ? 0 : 10 + rooms.length * 3;
    const bounds: [what: string, count: number, most: number][] = [
      ['connections of the server', core.hub.connections.size, wires],
      ['seats', seats, players.length * (1 + rooms.length) + 40],
      [
        'timers',
        process.timers,
        wires * 2 + seats + rooms.length + players.length + 5 + asked + this.operator.waitingAt(process),
      ],
      ['open files', process.openFiles, 4 + players.length],
      ['files', disk.files, 2000],
      ['keys of the database', redis?.data.size ?? 0, 2000],
    ];
    for (const [what, count, most] of bounds)
      if (count > most) this.fail(`${count} ${what}, at most ${most} are needed`);
  }

  /** Each player in a game has a seat, so that a player who does not return is noticed. */
  private demandSeats(machine: ServerMachine): void {
    const { core, base, isTroubled, process } = machine;
    const nowMs = this.timeline.nowMs;
    // Seats are not released while nothing can be written or executed.
    const isHeld = isTroubled || process?.isFrozen === true;
    this.demandGrace(machine);
    this.demandSeated(machine);
    for (const [id, room] of core?.rooms.byId ?? []) {
      if (!this.watch.isOver(id)) this.overSince.delete(id);
      else if (isHeld || !this.overSince.has(id)) this.overSince.set(id, nowMs);
      else if (nowMs - this.overSince.get(id)! > seatlessMs) this.fail(`${id} is over, and stays`);
      for (const player of room.state === 'open' ? this.watch.playersOf(id, base) : []) {
        const key = `${base} ${id} ${player}`;
        if (room.seats.has(player)) this.seatless.delete(key);
        else if (!this.seatless.has(key)) this.seatless.set(key, nowMs);
        else if (nowMs - this.seatless.get(key)! > seatlessMs)
          this.fail(`${id}: ${player} is in the game and has no seat`);
      }
      if (!isHeld) this.demandLeft(base, id, room);
    }
  }

  /** A player who has left loses its seat as soon as the departure is stored. */
  private demandLeft(base: number, id: string, room: RoomEntry): void {
    // A process that cannot reach the journal does not know yet that the room has ended elsewhere.
    if (!this.watch.owns(id, base)) return;
    const nowMs = this.timeline.nowMs;
    const players = new Set(this.watch.playersOf(id, base));
    for (const { player, isIn } of room.seats.values()) {
      const key = `${base} ${id} ${player}`;
      if (!isIn || players.has(player) || room.state !== 'open') this.emptySince.delete(key);
      else if (!this.emptySince.has(key)) this.emptySince.set(key, nowMs);
      else if (nowMs - this.emptySince.get(key)! > seatlessMs) this.fail(`${id}: ${player} has left and has a seat`);
    }
  }

  /** Each playing connection has a seat, and each seat has one connection: its player's newest. */
  private demandSeated({ core, host }: ServerMachine): void {
    if (core === undefined) return;
    const { connections } = core.hub as unknown as { readonly connections: { byId: ReadonlyMap<number, Connection> } };
    for (const { id, state, room, seat } of connections.byId.values()) {
      if (state !== 'playing' || room?.watchers.has(id) === true) continue;
      if (seat?.session !== id) this.fail(`${host}: the connection ${id} plays, and has no seat`);
    }
  }

  /** A disconnected player stays in the game only for the grace period. */
  private demandGrace({ core, base, isTroubled }: ServerMachine): void {
    const nowMs = this.timeline.nowMs;
    const waiting = new Set<string>();
    // A departure counts once it is stored: while nothing can be written, players stay.
    for (const [id, room] of isTroubled ? [] : (core?.rooms.byId ?? [])) {
      for (const { player, session, isIn } of room.state === 'open' ? room.seats.values() : []) {
        if (session === undefined && isIn) waiting.add(`${base} ${id} ${player}`);
      }
    }
    for (const key of this.waitedSince.keys()) {
      if (key.startsWith(`${base} `) && !waiting.has(key)) this.waitedSince.delete(key);
    }
    for (const key of waiting) {
      const sinceMs = this.waitedSince.get(key) ?? nowMs;
      this.waitedSince.set(key, sinceMs);
      if (nowMs - sinceMs > this.graceMs + seatlessMs) this.fail(`the seat ${key} is kept for a player that is gone`);
    }
  }

  /** After the calm, the server responds, and each player that wants to play is sent frames. */
  private demandPlay(): void {
    if (this.failures.length > 0) return;
    const { machines, players, timeline } = this;
    for (const { isServing, host } of machines) if (!isServing) this.fail(`${host} does not come back`);
    if (this.redis !== undefined) {
      this.watch.demandKept((id) => machines.some(({ core }) => core?.rooms.byId.get(id)?.state === 'open'));
    }
    for (const { client, aliveMs, address } of players) {
      if (client?.isConnected && timeline.nowMs - aliveMs > 10_000) {
        this.fail(`the client at ${address} is connected and has been shown nothing for 10 s`);
      }
    }
    const { longest } = this.operator;
    if (longest !== undefined && timeline.nowMs - longest.sinceMs > calmMs / 2)
      this.fail(`${longest.what} has no answer`);
    for (const { isConnected, aliveMs, address, socket } of this.pages) {
      // Not for silent connections: pages of existing clients send no pings, so they do not notice that a connection is
      // dead until the OS does.
      if (isConnected && socket?.connection?.isSilent === false && timeline.nowMs - aliveMs > 10_000) {
        this.fail(`the page at ${address} is connected and has been shown nothing for 10 s`);
      }
    }
    if (!this.hasNewest()) this.fail('there is no room of the newest version of the game');
    // Players leave now and then, and return.
    if (!players.some(({ aliveMs }) => timeline.nowMs - aliveMs < calmMs / 2))
      this.fail('nobody plays, although everything works');
  }

  /** The servers shut down cleanly and in time, one after the other, and leave nothing to resume. */
  private async finish(): Promise<void> {
    if (this.failures.length > 0) return;
    const { machines, timeline, onEnd } = this;
    let kept = 0;
    for (const [stopped, machine] of machines.entries()) {
      const rooms = [...(machine.core?.rooms.byId.values() ?? [])];
      kept = onEnd === 'keep' ? rooms.filter(({ state }) => state === 'open').length : 0;
      let tookMs: number | undefined;
      void machine.stop().then((ms) => {
        tookMs = ms;
        const leases = this.redis?.data.named(leasePrefix, timeline.nowMs).length ?? 0;
        if (leases >= machines.length - stopped) this.fail(`${machine.host} has ended, and has not given up its lease`);
      });
      await timeline.run(timeline.nowMs + 15_000);
      if (tookMs === undefined) this.fail(`${machine.host} does not end`);
    }
    const before = this.watch.seen.resumed;
    machines[0]!.boot();
    await timeline.run(timeline.nowMs + 10_000);
    const resumed = this.watch.seen.resumed - before;
    if (resumed < kept || (onEnd !== 'keep' && resumed > 0))
      this.fail(`${resumed} rooms are resumed, although the server ended in good order and has kept ${kept}`);
  }
}
