import { type RandomStream, RandomStreams } from '../../engine/core/random.ts';
import type { JournalFailurePolicy, SyncPolicy } from '../../src/server/base/options.ts';
import type { DiskTrouble } from './disk.ts';
import { samples, servedSample } from './game.ts';
import { attack } from './hostile.ts';
import { ServerMachine, type StoreTrouble } from './machine.ts';
import { Network } from './network.ts';
import { commonOf, Player } from './player.ts';
import { Timeline } from './timeline.ts';
import { type Seen, Watch } from './watch.ts';

/** The events that can happen to a world, and how often in an hour where they happen at all. */
const faultsAnHour = {
  /** The process of the server is killed. */
  kill: 120,
  /** The machine loses its power. */
  power: 120,
  /** The process, or the machine, dies in the middle of an operation of the disk. */
  killAtWrite: 240,
  /** A thread of rooms ends. */
  thread: 120,
  /** The server gets a signal to end, and is started again. */
  restart: 24,
  /** The disk is full for a while. */
  fullDisk: 120,
  /** The disk fails now and then for a while. */
  brokenDisk: 120,
  /** The disk is slow for a while. */
  slowDisk: 120,
  /** The store fails, or does not answer. */
  store: 120,
  /** A connection is lost, and both sides get an event. */
  cut: 480,
  /** A connection is lost without an event. */
  silence: 240,
  /** A player's page ends without a word. */
  pageCrash: 160,
  /** Messages on their way to and from a player come much later, all at once. */
  stall: 480,
  /** A player gets a few hundred bytes a second for a while. */
  slowClient: 240,
  /** Wall time jumps by up to two days. */
  wallJump: 240,
  /** The server's process gets no processor for a while. */
  freeze: 240,
  /** Somebody sends what no client does. */
  attack: 160,
  /** Players start scripts that burn their budgets, save, ask the web, put things off; and name what is not there. */
  command: 4000,
  /** Another version of the game is put in its file. */
  change: 24,
} as const;
export type FaultKind = keyof typeof faultsAnHour;
export const faultKinds = Object.keys(faultsAnHour) as readonly FaultKind[];

/** From one look at what a crash would leave to the next. */
const auditMs = 10_000;
const lookMs = 1000;
/** At the end nothing more goes wrong for so long, after which everybody must be playing. */
const calmMs = 45_000;
/** A client that is shown nothing for so long, and does not know it, has been left alone. */
const deafMs = 60_000;
/** An admission may be on its way for so long. */
const seatlessMs = 60_000;

export interface EpisodeOptions {
  readonly seed: string;
  readonly seconds: number;
  /** Only these are done, where the seed chooses them. */
  readonly kinds?: readonly FaultKind[] | undefined;
}

export interface EpisodeResult {
  /** Breaches of the rules; the first is why it was ended. */
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

/** One world, from its start to its end. The same seed makes the same world. */
export async function playEpisode({ seed, seconds, kinds = faultKinds }: EpisodeOptions): Promise<EpisodeResult> {
  return new Episode(seed, seconds, kinds).play();
}

class Episode {
  private readonly failures: string[] = [];
  private readonly faults: Partial<Record<FaultKind, number>> = {};
  private readonly timeline = new Timeline();
  private readonly streams: RandomStreams;
  private readonly random: RandomStream;
  private readonly watch: Watch;
  private readonly network: Network;
  private readonly machine: ServerMachine;
  private readonly players: readonly Player[];
  private readonly kinds: ReadonlySet<FaultKind>;
  private readonly sample: (typeof samples)[number];
  private readonly endsMs: number;
  private readonly setting: string;
  private edition = 1;
  private isCalm = false;
  /** Since when rooms have been there whose games are over. */
  private readonly overSince = new Map<string, number>();
  /** Since when players have been in a game without a seat. */
  private readonly seatless = new Map<string, number>();

  constructor(seed: string, seconds: number, kinds: readonly FaultKind[]) {
    this.streams = new RandomStreams(seed);
    const plan = this.streams.stream('plan');
    this.random = this.streams.stream('faults');
    this.endsMs = seconds * 1000;
    this.watch = new Watch((message) => this.fail(message));
    this.network = new Network(this.timeline, this.streams.stream('network'));
    this.sample = plan.pick(samples)!;
    // Half of all kinds in each world: some mistakes show only where others do not.
    this.kinds = new Set(
      faultKinds.filter((kind) => plan.chance(kind === 'command' ? 0.9 : 0.5) && kinds.includes(kind)),
    );
    const sync = plan.pick<SyncPolicy>(['always', 'always', 'always', 'second'])!;
    const onJournalFailure = plan.pick<JournalFailurePolicy>(['go-on', 'go-on', 'stop'])!;
    const sight = plan.chance(0.3) ? 600 : Number.POSITIVE_INFINITY;
    const definition = servedSample(this.sample, 1);
    const known = definition.game.definition.variables;
    const variables = ['state', 'timeLeft', 'round'].filter((name) => known.has(name));
    const options = {
      sync,
      onJournalFailure,
      sight,
      variables,
      rooms: plan.integer(1, 2),
      threads: plan.integer(1, 2),
      graceMs: plan.pick([5000, 30_000])!,
      snapshotSeconds: plan.pick([2, 10])!,
    };
    const count = plan.integer(2, 6);
    this.setting = `${this.sample} sync=${sync} failure=${onJournalFailure} sight=${sight} players=${count} rooms=${options.rooms} ${[...this.kinds].join(',')}`;
    this.watch.sight = sight;
    // While the journal fails, a token is good for the process only.
    this.watch.tokensExpire = (['wallJump', 'fullDisk', 'brokenDisk'] as const).some((kind) => this.kinds.has(kind));
    this.watch.variables = variables;
    this.watch.keepsOverPower = sync === 'always';
    const { timeline, streams, network, watch } = this;
    this.machine = new ServerMachine({ timeline, streams, network, watch, definition }, options);
    watch.onAudit = () => this.auditNow();
    const common = commonOf(definition.game.definition);
    this.players = Array.from({ length: count }, (_, index) => {
      const random = streams.stream(`player ${index}`);
      const { game } = definition;
      return new Player(index, { timeline, network, watch, definition: game.definition, common, random });
    });
  }

  async play(): Promise<EpisodeResult> {
    const { timeline, machine } = this;
    const onStray = (error: unknown): void =>
      this.fail(`a promise is rejected that nobody waits for: ${String(error)}`);
    process.on('unhandledRejection', onStray);
    try {
      machine.boot();
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
      machine.process?.kill();
    }
    const ends = new Map<string, number>();
    for (const player of this.players) for (const [code, n] of player.ends) ends.set(code, (ends.get(code) ?? 0) + n);
    return {
      failures: this.failures,
      simulatedMs: timeline.nowMs,
      happenings: timeline.happenings,
      faults: this.faults,
      seen: this.watch.seen,
      problems: machine.problems,
      ends,
      operations: machine.disk.counts.operations,
      setting: this.setting,
    };
  }

  private fail(message: string): void {
    this.failures.push(`${(this.timeline.nowMs / 1000).toFixed(3)} s: ${message}`);
    this.timeline.end();
  }

  // Faults.

  private schedule(kind: FaultKind): void {
    const meanMs = 3_600_000 / faultsAnHour[kind];
    const ms = -Math.log(1 - this.random.next()) * meanMs;
    this.timeline.after(ms, () => {
      if (this.isCalm) return;
      if (this.cause(kind)) this.faults[kind] = (this.faults[kind] ?? 0) + 1;
      this.schedule(kind);
    });
  }

  /** False where there is nothing that it could be done to. */
  private cause(kind: FaultKind): boolean {
    const { machine, random, timeline } = this;
    const player = random.pick(this.players)!;
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
        return this.disturbDisk('full');
      case 'brokenDisk':
        return this.disturbDisk('broken');
      case 'slowDisk':
        machine.disk.slowness = random.between(5, 200);
        timeline.after(random.between(1000, 20_000), () => {
          machine.disk.slowness = 1;
        });
        return true;
      case 'store': {
        machine.storeTrouble = random.pick<StoreTrouble>(['failing', 'silent'])!;
        timeline.after(random.between(1000, 60_000), () => this.endStoreTrouble());
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
        machine.change(servedSample(this.sample, ++this.edition));
        return true;
    }
  }

  private disturbDisk(trouble: DiskTrouble): boolean {
    const { disk } = this.machine;
    if (disk.trouble !== 'none') return false;
    disk.trouble = trouble;
    this.timeline.after(this.random.between(500, 30_000), () => this.endDiskTrouble());
    return true;
  }

  private endDiskTrouble(): void {
    this.machine.disk.trouble = 'none';
    this.machine.noteTrouble();
  }

  private endStoreTrouble(): void {
    this.machine.storeTrouble = 'none';
    this.machine.noteTrouble();
  }

  /** Everything works from now on. */
  private heal(): void {
    const { machine } = this;
    this.endDiskTrouble();
    this.endStoreTrouble();
    machine.disk.slowness = 1;
    machine.fatal = undefined;
    for (const player of this.players) player.way.bytesPerSecond = 500_000;
    machine.bootIn(0);
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
    this.machine.audit().catch((error: unknown) => this.fail(`what is on the disk cannot be read: ${String(error)}`));
  }

  /** Nothing grows without end: connections, seats, timers, open files, files. */
  private demandBounds(): void {
    const { machine, network, players, timeline } = this;
    const { core, process } = machine;
    if (core !== undefined && process !== undefined) {
      const wires = [...network.connections].filter(({ serverOpen }) => serverOpen).length;
      const rooms = [...core.rooms.byId.values()];
      const seats = rooms.reduce((sum, room) => sum + room.seats.size, 0);
      const bounds: [what: string, count: number, most: number][] = [
        ['connections of the server', core.hub.size, wires],
        ['seats', seats, players.length * (1 + rooms.length) + 40],
        ['timers', process.timers, wires * 2 + seats + rooms.length + players.length + 5],
        ['open files', process.openFiles, 4 + players.length],
        ['files', machine.disk.files, 2000],
      ];
      for (const [what, count, most] of bounds)
        if (count > most) this.fail(`${count} ${what}, at most ${most} are needed`);
    }
    this.demandSeats();
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

  /** Each player of a game has a seat, so that it is missed when it does not come back. */
  private demandSeats(): void {
    const { core } = this.machine;
    const nowMs = this.timeline.nowMs;
    for (const [id, room] of core?.rooms.byId ?? []) {
      if (!this.watch.isOver(id)) this.overSince.delete(id);
      else if (!this.overSince.has(id)) this.overSince.set(id, nowMs);
      else if (nowMs - this.overSince.get(id)! > seatlessMs) this.fail(`${id} is over, and stays`);
      for (const player of room.state === 'open' ? this.watch.playersOf(id) : []) {
        const key = `${id} ${player}`;
        if (room.seats.has(player)) this.seatless.delete(key);
        else if (!this.seatless.has(key)) this.seatless.set(key, nowMs);
        else if (nowMs - this.seatless.get(key)! > seatlessMs)
          this.fail(`${id}: ${player} is in the game and has no seat`);
      }
    }
  }

  /** After the calm: the server serves, and each player that wants to play is shown the game as it goes on. */
  private demandPlay(): void {
    if (this.failures.length > 0) return;
    const { machine, players, timeline } = this;
    if (!machine.isServing) this.fail('the server does not come back');
    for (const { client, aliveMs, address } of players) {
      if (client?.isConnected && timeline.nowMs - aliveMs > 10_000) {
        this.fail(`the client at ${address} is connected and has been shown nothing for 10 s`);
      }
    }
    if (!players.some(({ client }) => client?.isConnected)) this.fail('nobody plays, although everything works');
  }

  /** The server ends in good order and in time, and leaves nothing to resume. */
  private async finish(): Promise<void> {
    if (this.failures.length > 0) return;
    const { machine, timeline } = this;
    let tookMs: number | undefined;
    void machine.stop().then((ms) => {
      tookMs = ms;
    });
    await timeline.run(timeline.nowMs + 15_000);
    if (tookMs === undefined) this.fail('the server does not end');
    const resumed = this.watch.seen.resumed;
    machine.boot();
    await timeline.run(timeline.nowMs + 10_000);
    if (this.watch.seen.resumed > resumed) this.fail('a room is resumed, although the server ended in good order');
  }
}
