import {
  type Difference,
  type Divergence,
  firstDifference,
  type Journal,
  type LoadedGame,
  type Replay,
  Simulation,
  SnapshotError,
} from '../../engine/index.ts';
import { inputUnchecked } from '../../engine/internal.ts';

/** A difference between a replay and its recording, with the field as far as it can be found. */
export interface Explained extends Divergence {
  /** The tick for which the field is given: that of the first difference, or that of the next snapshot. */
  readonly fieldTick?: number;
  /** `left` as recorded, `right` as replayed. */
  readonly field?: Difference;
}

/**
 * Names the first field in which a replay that has just parted from its journal differs. A journal holds hashes of every tick but snapshots
 * of few. Where none is of this tick, the recorded state is made again from the last one before it, if that comes to the recorded hash.
 * Otherwise the next snapshot has to do, some ticks later.
 */
export function explainDivergence(
  loaded: LoadedGame,
  journal: Journal,
  replay: Replay,
  divergence: Divergence,
): Explained {
  const { tick } = divergence;
  for (const { tick: at, bytes } of journal.snapshots.toReversed()) {
    if (at > tick) continue;
    const recorded = restored(loaded, bytes);
    if (recorded === undefined) continue;
    playOn(recorded, journal, tick);
    if (recorded.hash() === journal.hashes.get(tick)) return withField(divergence, tick, recorded, replay.sim);
  }
  for (const { tick: at, bytes } of journal.snapshots) {
    const recorded = at > tick ? restored(loaded, bytes) : undefined;
    if (recorded === undefined) continue;
    const later = replay.sim.fork();
    playOn(later, journal, at);
    return withField(divergence, at, recorded, later);
  }
  return divergence;
}

function withField(divergence: Divergence, fieldTick: number, recorded: Simulation, replayed: Simulation): Explained {
  const field = firstDifference(recorded, replayed);
  return field === undefined ? divergence : { ...divergence, fieldTick, field };
}

function playOn(sim: Simulation, journal: Journal, tick: number): void {
  while (sim.tick < tick && !sim.ended) {
    for (const input of journal.inputs.get(sim.tick + 1) ?? []) inputUnchecked(sim, input);
    sim.step();
  }
}

/** Undefined for a snapshot that this version cannot read. */
function restored(loaded: LoadedGame, bytes: Uint8Array): Simulation | undefined {
  try {
    return Simulation.restore(loaded, bytes, { ofAnyVersion: true });
  } catch (error) {
    if (error instanceof SnapshotError) return undefined;
    throw error;
  }
}

interface Side {
  readonly loaded: LoadedGame;
  readonly journal: Journal;
  readonly replay: Replay;
}

export interface Parted {
  readonly tick: number;
  /** Undefined where nothing with a name differs. */
  readonly field: Difference | undefined;
  /** The tick for which the field is given: later than `tick` where only recordings can be compared, which hold snapshots of few ticks. */
  readonly fieldTick: number;
  /** Whether it was found by playing, or only in what was recorded. */
  readonly found: 'played' | 'recorded';
}

/** The first tick and field in which two plays differ; undefined when they do not in the ticks that both have. */
export function whereTheyPart(left: Side, right: Side, ignored: readonly string[]): Parted | undefined {
  const last = Math.min(left.journal.lastTick, right.journal.lastTick);
  const start = Math.max(left.replay.tick, right.replay.tick);
  left.replay.seek(start);
  right.replay.seek(start);
  for (;;) {
    const differs = left.replay.sim.hash() !== right.replay.sim.hash();
    const field = differs ? firstDifference(left.replay.sim, right.replay.sim, ignored) : undefined;
    if (field !== undefined || (differs && ignored.length === 0))
      return { tick: left.replay.tick, field, fieldTick: left.replay.tick, found: 'played' };
    if (left.replay.tick >= last || left.replay.sim.ended || right.replay.sim.ended) break;
    left.replay.step();
    right.replay.step();
  }
  return whereRecordingsPart(left, right);
}

/** Played by this version both are the same; recorded by theirs they may not have been. */
function whereRecordingsPart(left: Side, right: Side): Parted | undefined {
  for (const [tick, hash] of left.journal.hashes) {
    const other = right.journal.hashes.get(tick);
    if (other === undefined || other === hash) continue;
    for (const a of left.journal.snapshots) {
      const b = a.tick < tick ? undefined : right.journal.snapshots.find((snapshot) => snapshot.tick === a.tick);
      const first = b && restored(left.loaded, a.bytes);
      const second = b && restored(right.loaded, b.bytes);
      const field = first && second && firstDifference(first, second);
      if (field !== undefined) return { tick, field, fieldTick: a.tick, found: 'recorded' };
    }
    return { tick, field: undefined, fieldTick: tick, found: 'recorded' };
  }
  return undefined;
}
