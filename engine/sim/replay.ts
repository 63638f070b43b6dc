import { formatValue, UsageError } from '../core/usage-error.ts';
import { dialectNamed } from '../definition/dialect.ts';
import { requireOptions } from './argument-checks.ts';
import { definitionHash } from './definition-hash.ts';
import { inputUnchecked } from './inside.ts';
import type { Journal } from './journal.ts';
import { type LoadedGame, requireLoaded } from './load.ts';
import { type HostOptions, hostOptionKinds, Simulation, type SimulationOptions } from './simulation.ts';
import { readSnapshot, SnapshotError } from './snapshot.ts';

/** Why a journal cannot be replayed. */
export type ReplayProblem = 'other-definition' | 'no-start';

export class ReplayError extends Error {
  override readonly name = 'ReplayError';
  readonly code: ReplayProblem;

  constructor(code: ReplayProblem, message: string) {
    super(message);
    this.code = code;
  }
}

export interface ReplayOptions extends HostOptions {
  /** Replay with a seed or dialect other than the recorded one. */
  readonly seed?: string | undefined;
  readonly dialect?: SimulationOptions['dialect'] | undefined;
  /** Ticks between the key frames kept for seeking back. Default 300. The interval doubles when there are too many. */
  readonly keyframeTicks?: number | undefined;
}

/** A tick at which the hash of a replay differs from the recorded one. */
export interface Divergence {
  readonly tick: number;
  readonly expected: string;
  readonly actual: string;
}

/** A key frame is a whole simulation: a few megabytes in a large game. */
const keyframesMax = 64;
/** Forks kept before a tick that was sought backwards, and the ticks between them. */
const nearMax = 8;
const nearTicks = 4;

/**
 * Replays a journal and seeks to any of its ticks. Seeking back continues from a fork of a key frame, so `sim` may be a different object afterwards, with
 * the same host options.
 */
export class Replay {
  readonly journal: Journal;
  #sim: Simulation;
  private readonly loaded: LoadedGame;
  private readonly options: Pick<ReplayOptions, 'seed' | 'dialect'>;
  private readonly host: HostOptions;
  private keyframeTicks: number;
  /** Forks by tick, oldest first. They are never stepped. */
  private readonly keyframes = new Map<number, Simulation>();
  /** Forks of the ticks before the last one that was sought backwards, because the next one is often close. */
  private readonly near = new Map<number, Simulation>();

  /** Throws `ReplayError` if the definition is another one, or if a recording that began after tick 0 lacks its first snapshot. */
  constructor(loaded: LoadedGame, journal: Journal, options: ReplayOptions = {}) {
    requireLoaded(loaded);
    if (typeof journal?.head !== 'object') {
      throw new UsageError('bad-value', `Expected a journal from arrangeJournal, not ${formatValue(journal)}.`);
    }
    requireOptions(options, { ...hostOptionKinds, seed: 'text', dialect: 'text', keyframeTicks: 'number' });
    const { seed, dialect, keyframeTicks = 300, ...host } = options;
    this.loaded = loaded;
    this.journal = journal;
    this.options = { seed, dialect: dialect && dialectNamed(dialect).name };
    this.host = host;
    this.keyframeTicks = Math.max(1, keyframeTicks);
    const hash = definitionHash(loaded.definition);
    if (journal.head.definitionHash !== hash) {
      const message = `This journal belongs to another definition: it was recorded with ${journal.head.definitionHash}, this is ${hash}.`;
      throw new ReplayError('other-definition', message);
    }
    this.#sim = this.start();
    this.takeEdit();
    this.keep();
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
    for (const input of this.journal.inputs.get(this.sim.tick + 1) ?? []) inputUnchecked(this.sim, input);
    this.sim.step();
    this.takeEdit();
    if (this.sim.tick % this.keyframeTicks === 0 && !this.keyframes.has(this.sim.tick)) this.keep();
  }

  private keep(): void {
    if (this.keyframes.size === keyframesMax) {
      this.keyframeTicks *= 2;
      for (const tick of this.keyframes.keys())
        if (tick % this.keyframeTicks !== 0 && tick !== this.journal.head.tick) this.keyframes.delete(tick);
    }
    this.keyframes.set(this.sim.tick, this.sim.fork());
  }

  /** Goes to a tick, backwards or forwards, from the nearest key frame before it. Stops early if the game ends. */
  seek(tick: number): void {
    const from = this.nearest(tick);
    const isBack = tick < this.sim.tick;
    if (from !== undefined && (isBack || from.tick > this.sim.tick)) this.#sim = from.play();
    if (isBack && !this.near.has(this.sim.tick)) this.near.clear();
    while (this.sim.tick < tick && !this.sim.ended) {
      this.step();
      const left = tick - this.sim.tick;
      if (isBack && left < nearMax * nearTicks && left % nearTicks === 0) this.near.set(this.sim.tick, this.sim.fork());
    }
  }

  /** The divergence at the current tick; undefined if the hashes agree or none was recorded. */
  difference(): Divergence | undefined {
    const { tick } = this.sim;
    const expected = this.journal.hashes.get(tick);
    if (expected === undefined) return undefined;
    const actual = this.sim.hash();
    return actual === expected ? undefined : { tick, expected, actual };
  }

  /** Replaces the simulation by the recorded state if the editor changed it after this tick. */
  private takeEdit(): void {
    const edited = this.journal.edits.get(this.sim.tick);
    if (edited === undefined) return;
    if (this.isOther) {
      const message =
        'The state was edited while this journal was recorded, so it can only be replayed as it was recorded.';
      throw new ReplayError('no-start', message);
    }
    this.#sim = this.restored(edited);
  }

  private start(): Simulation {
    const { head, snapshots } = this.journal;
    const { seed, dialect, limits, epochMs } = head;
    if (head.tick === 0) {
      return new Simulation(this.loaded, {
        ...this.host,
        seed: this.options.seed ?? seed,
        dialect: this.options.dialect ?? dialect,
        limits,
        epochMs,
      });
    }
    const first = snapshots.find(({ tick }) => tick === head.tick);
    if (first === undefined || this.isOther) {
      throw new ReplayError(
        'no-start',
        'This journal does not start at the beginning of the game, so it can only be replayed as it was recorded.',
      );
    }
    return this.restored(first.bytes);
  }

  private restored(bytes: Uint8Array): Simulation {
    return Simulation.restore(this.loaded, bytes, { ...this.host, ofAnyVersion: true });
  }

  /** Whether seed or dialect differ from the recorded ones. Recorded snapshots cannot be used then. */
  private get isOther(): boolean {
    const { head } = this.journal;
    const { seed = head.seed, dialect = head.dialect } = this.options;
    return seed !== head.seed || dialect !== head.dialect;
  }

  /** The last key frame or recorded snapshot at or before a tick. Ignores snapshots of other versions. */
  private nearest(tick: number): { readonly tick: number; play(): Simulation } | undefined {
    const kept = [...this.keyframes.keys(), ...this.near.keys()].filter((each) => each <= tick);
    const keyframe = kept.length === 0 ? undefined : Math.max(...kept);
    if (!this.isOther) {
      // Newest first: checking whether a snapshot is readable takes time.
      for (const recorded of this.journal.snapshots.toReversed()) {
        // A snapshot taken before an edit at the same tick lacks the edit.
        if (recorded.tick > tick || this.journal.edits.has(recorded.tick)) continue;
        if (keyframe !== undefined && recorded.tick <= keyframe) break;
        if (this.isReadable(recorded)) return { tick: recorded.tick, play: () => this.restored(recorded.bytes) };
      }
    }
    if (keyframe === undefined) return undefined;
    return { tick: keyframe, play: () => (this.keyframes.get(keyframe) ?? this.near.get(keyframe))!.fork(this.host) };
  }

  private isReadable({ tick, bytes }: Journal['snapshots'][number]): boolean {
    try {
      return readSnapshot(bytes).head.tick === tick;
    } catch (error) {
      if (error instanceof SnapshotError) return false;
      throw error;
    }
  }
}
