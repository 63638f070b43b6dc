import { formatValue, UsageError } from '../core/usage-error.ts';
import { UserError } from '../core/user-error.ts';
import { dialectNamed } from '../definition/dialect.ts';
import { requireOptions } from './argument-checks.ts';
import { definitionHash } from './definition-hash.ts';
import { applyEdit, inputUnchecked } from './inside.ts';
import type { Journal } from './journal.ts';
import { type LoadedGame, requireLoaded } from './load.ts';
import { type HostOptions, hostOptionKinds, Simulation, type SimulationOptions } from './simulation.ts';
import { readSnapshot, SnapshotError } from './snapshot.ts';

/** Why a journal cannot be replayed. */
export type ReplayProblem = 'other-definition' | 'no-start' | 'no-edit';

export class ReplayError extends UserError {
  override readonly name = 'ReplayError';

  constructor(
    readonly code: ReplayProblem,
    message: string,
  ) {
    super(message);
  }
}

export interface ReplayOptions extends HostOptions {
  /**
   * A seed or dialect that differs from the recorded one; by default, the replay uses the recorded seed and dialect.
   */
  readonly seed?: string | undefined;
  readonly dialect?: SimulationOptions['dialect'] | undefined;
  /** Ticks between the key frames kept for seeking back. Default 300. The interval doubles when there are too many. */
  readonly keyframeTicks?: number | undefined;
  /**
   * Ticks between the snapshots that are kept between key frames; `keyframeTicks` should be a multiple of this number.
   * A snapshot takes a tenth of the memory of a key frame, but continuing from it takes twice as long. Default: no
   * snapshots. The interval doubles when the snapshots take too much memory.
   */
  readonly snapshotTicks?: number | undefined;
}

/** A tick at which the hash of a replay differs from the recorded one. */
export interface Divergence {
  readonly tick: number;
  readonly expected: string;
  readonly actual: string;
}

/** A key frame is a whole simulation: a few megabytes in a large game. */
const keyframesMax = 64;
/**
 * The number of ticks before the current one that get their own fork, so that going back by one tick needs no
 * simulation.
 */
const nearMax = 16;

/** Maximum memory of the snapshots between key frames. */
const snapshotBytesMax = 64_000_000;

/** Forks and snapshots by tick. The forks are never stepped. */
class Keyframes {
  readonly forks = new Map<number, Simulation>();
  readonly snapshots = new Map<number, Uint8Array>();
  private snapshotBytes = 0;

  constructor(
    private forkTicks: number,
    private snapshotTicks: number,
  ) {}

  /**
   * Keeps a fork or a snapshot of the current tick if one is due. `first` is the tick at which the recording begins;
   * its fork is always kept.
   */
  keep(sim: Simulation, first: number): void {
    const { tick } = sim;
    if (tick === first || tick % this.forkTicks === 0) {
      if (!this.forks.has(tick)) this.keepFork(sim, first);
    } else if (tick % this.snapshotTicks === 0 && !this.snapshots.has(tick)) this.keepSnapshot(sim);
  }

  private keepFork(sim: Simulation, first: number) {
    if (this.forks.size === keyframesMax) {
      this.forkTicks *= 2;
      for (const tick of this.forks.keys()) if (tick % this.forkTicks !== 0 && tick !== first) this.forks.delete(tick);
    }
    this.forks.set(sim.tick, sim.fork());
  }

  private keepSnapshot(sim: Simulation) {
    const bytes = sim.snapshot();
    this.snapshots.set(sim.tick, bytes);
    this.snapshotBytes += bytes.length;
    if (this.snapshotBytes <= snapshotBytesMax) return;
    this.snapshotTicks *= 2;
    for (const [tick, { length }] of this.snapshots) {
      if (tick % this.snapshotTicks === 0) continue;
      this.snapshots.delete(tick);
      this.snapshotBytes -= length;
    }
  }
}

/**
 * Replays a journal and seeks to any of its ticks. Seeking back continues from a fork of a key frame, so afterwards
 * `sim` may be a different object, with the same host options.
 */
export class Replay {
  #sim: Simulation;
  private readonly options: Pick<ReplayOptions, 'seed' | 'dialect'>;
  private readonly host: HostOptions;
  private keyframes: Keyframes;
  /**
   * Forks of the last ticks before the current one, with the listeners of `sim`. Seeking to such a tick uses its fork.
   */
  private readonly near = new Map<number, Simulation>();
  /** The separate simulation that `playBehind` plays from an earlier tick. */
  private behind: Simulation | undefined;
  private readonly readable = new Map<Uint8Array, boolean>();

  /**
   * Throws `ReplayError` if `loaded` is not the definition of the journal, or if a recording that began after tick 0
   * lacks its first snapshot.
   */
  constructor(
    private readonly loaded: LoadedGame,
    readonly journal: Journal,
    options: ReplayOptions = {},
  ) {
    requireLoaded(loaded);
    if (typeof journal?.head !== 'object') {
      throw new UsageError('bad-value', `Expected a journal from arrangeJournal, not ${formatValue(journal)}.`);
    }
    requireOptions(options, {
      ...hostOptionKinds,
      seed: 'text',
      dialect: 'text',
      keyframeTicks: 'number',
      snapshotTicks: 'number',
    });
    const { seed, dialect, keyframeTicks = 300, snapshotTicks = Number.MAX_SAFE_INTEGER, ...host } = options;
    this.options = { seed, dialect: dialect && dialectNamed(dialect).name };
    this.host = host;
    this.keyframes = new Keyframes(Math.max(1, keyframeTicks), Math.max(1, snapshotTicks));
    const hash = definitionHash(loaded.definition);
    if (journal.head.definitionHash !== hash) {
      const message = `This journal belongs to another definition. The hash of its definition is ${journal.head.definitionHash}; the hash of the given definition is ${hash}.`;
      throw new ReplayError('other-definition', message);
    }
    this.#sim = this.start();
    this.keep();
  }

  /** Another replay of the same journal, with its own listeners. The two replays share their key frames. */
  beside(host: HostOptions): Replay {
    const other = new Replay(this.loaded, this.journal, { ...this.options, ...host });
    other.keyframes = this.keyframes;
    return other;
  }

  /** The simulation at the current tick. */
  get sim(): Simulation {
    return this.#sim;
  }

  get tick(): number {
    return this.sim.tick;
  }

  get isAtEnd(): boolean {
    return this.sim.tick >= this.journal.lastTick || this.sim.ended;
  }

  /** Plays one tick with its recorded inputs. Beyond the end of the journal, the game continues without inputs. */
  step(): void {
    this.played(this.sim);
    this.keep();
    this.forgetFar();
  }

  /** Plays one tick of a simulation, and the edits after that tick. */
  private played(sim: Simulation): Simulation {
    for (const input of this.journal.inputs.get(sim.tick + 1) ?? []) inputUnchecked(sim, input);
    sim.step();
    return this.edited(sim);
  }

  private keep() {
    this.keyframes.keep(this.sim, this.journal.head.tick);
  }

  /**
   * Goes to a tick, backwards or forwards: plays from the last state before that tick which is kept or recorded, or
   * from the current tick. Stops early if the game ends.
   */
  seek(tick: number): void {
    const back = this.sim.tick - tick;
    const kept = back > 0 ? this.near.get(tick) : undefined;
    if (kept !== undefined) {
      this.near.delete(tick);
      this.#sim = kept;
      return;
    }
    const from = this.nearest(tick);
    if (from !== undefined && (back > 0 || from.tick > this.sim.tick)) this.#sim = from.play();
    this.behind = undefined;
    // The number of last ticks for which forks are kept. Making a fork takes longer than simulating a tick. If a key
    // frame is close, simulating from there again costs less than making many forks.
    const forkTicks = tick - this.sim.tick > nearMax ? nearMax : nearMax / 4;
    while (this.sim.tick < tick && !this.sim.ended) {
      this.step();
      // Going back a few ticks is often followed by going back further, so the ticks on the way keep forks.
      const isNear = back > 0 && back <= nearMax && this.sim.tick < tick && tick - this.sim.tick <= forkTicks;
      if (isNear && !this.near.has(this.sim.tick)) this.near.set(this.sim.tick, this.sim.fork(this.host));
    }
    this.forgetFar();
  }

  /** Whether the next few steps back need no simulation. */
  get isBackPrepared(): boolean {
    const { tick } = this.sim;
    const first = Math.max(this.journal.head.tick, tick - nearMax / 2);
    for (let at = tick - 1; at >= first; at--) if (!this.near.has(at)) return false;
    return true;
  }

  /**
   * Plays one tick of a separate simulation, which starts from the last kept state at or before `from` and plays up to
   * the tick before the current one. Keeps forks of the last ticks, so that seeking back to these needs no simulation.
   * `watched` can observe the tick; it must call `play` and return the result. Returns false once no tick is left.
   */
  playBehind(from: number, watched: (sim: Simulation, play: () => Simulation) => Simulation): boolean {
    const behind = this.behind ?? this.nearest(from)?.play() ?? this.start();
    if (behind.tick >= this.tick - 1 || behind.ended) {
      this.behind = undefined;
      return false;
    }
    const sim = watched(behind, () => this.played(behind));
    this.behind = sim;
    if (sim.tick >= this.tick - nearMax && !this.near.has(sim.tick)) this.near.set(sim.tick, sim.fork(this.host));
    return true;
  }

  private forgetFar() {
    for (const tick of this.near.keys())
      if (tick >= this.sim.tick || tick < this.sim.tick - nearMax) this.near.delete(tick);
  }

  /** The last tick before `tick` from which a replay can continue: that of a key frame, a snapshot or the start. */
  startBefore(tick: number): number {
    return this.nearest(tick - 1)?.tick ?? this.journal.head.tick;
  }

  /** The divergence at the current tick; undefined if the hashes agree or none was recorded. */
  difference(): Divergence | undefined {
    const { tick } = this.sim;
    const expected = this.journal.hashes.get(tick);
    if (expected === undefined) return undefined;
    const actual = this.sim.hash();
    return actual === expected ? undefined : { tick, expected, actual };
  }

  private edited(sim: Simulation): Simulation {
    for (const edit of this.journal.edits.get(sim.tick) ?? []) {
      try {
        applyEdit(sim, edit);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        throw new ReplayError('no-edit', `An edit after tick ${sim.tick} cannot be applied here: ${error.message}`);
      }
    }
    return sim;
  }

  private start(): Simulation {
    const { head, snapshots } = this.journal;
    const { seed, dialect, limits, epochMs } = head;
    if (head.tick === 0) {
      const options = { seed: this.options.seed ?? seed, dialect: this.options.dialect ?? dialect, limits, epochMs };
      return this.edited(new Simulation(this.loaded, { ...this.host, ...options }));
    }
    const first = snapshots.find(({ tick }) => tick === head.tick);
    if (first === undefined || this.isOther) {
      throw new ReplayError(
        'no-start',
        'This journal does not start at the beginning of the game, so it can be replayed only from its first snapshot, with the recorded seed and dialect.',
      );
    }
    return this.edited(this.restored(first.bytes));
  }

  private restored(bytes: Uint8Array): Simulation {
    return Simulation.restore(this.loaded, bytes, { ...this.host, ofAnyVersion: true });
  }

  /** Whether seed or dialect differ from the recorded ones. Recorded snapshots cannot be used then. */
  private get isOther() {
    const { head } = this.journal;
    const { seed = head.seed, dialect = head.dialect } = this.options;
    return seed !== head.seed || dialect !== head.dialect;
  }

  /**
   * The last state at or before a tick from which a replay can continue: a key frame, a fork of a recent tick, or a
   * kept or recorded snapshot. Ignores recorded snapshots of other versions.
   */
  private nearest(tick: number): { readonly tick: number; play(): Simulation } | undefined {
    let keyframe: number | undefined;
    const { forks, snapshots } = this.keyframes;
    for (const kept of [forks, snapshots, this.near])
      for (const each of kept.keys()) if (each <= tick && each > (keyframe ?? -1)) keyframe = each;
    if (!this.isOther) {
      // Tries the newest snapshot first and uses the first readable one, because it takes time to check whether a
      // snapshot is readable.
      for (const recorded of this.journal.snapshots.toReversed()) {
        // A snapshot that was taken before an edit at the same tick does not contain the edit.
        if (recorded.tick > tick || this.journal.edits.has(recorded.tick)) continue;
        if (keyframe !== undefined && recorded.tick <= keyframe) break;
        if (this.isReadable(recorded)) return { tick: recorded.tick, play: () => this.restored(recorded.bytes) };
      }
    }
    if (keyframe === undefined) return undefined;
    const kept = forks.get(keyframe) ?? this.near.get(keyframe);
    const play = (): Simulation => kept?.fork(this.host) ?? this.restored(snapshots.get(keyframe)!);
    return { tick: keyframe, play };
  }

  private isReadable({ tick, bytes }: Journal['snapshots'][number]): boolean {
    let isReadable = this.readable.get(bytes);
    if (isReadable === undefined) {
      isReadable = false;
      try {
        isReadable = readSnapshot(bytes).head.tick === tick;
      } catch (error) {
        if (!(error instanceof SnapshotError)) throw error;
      }
      this.readable.set(bytes, isReadable);
    }
    return isReadable;
  }
}
