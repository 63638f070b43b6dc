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
import { inputUnchecked } from '../../engine/tools.ts';

/**
 * A difference between a replay and its recording. The members about the field are absent if the field cannot be
 * determined.
 */
interface ExplainedDivergence extends Divergence {
  /** The tick at which `field` was compared: that of the first difference, or of the next snapshot. */
  readonly fieldTick?: number;
  /** The first field that differs: `left` is the recorded value, `right` the replayed one. */
  readonly field?: Difference;
}

/**
 * Finds the first field in which a replay differs from its journal. A journal has hashes for every tick but few
 * snapshots. Without a snapshot of the tick, the recorded state is recomputed from an earlier snapshot, provided that
 * its hash then equals the recorded hash; otherwise, the next snapshot, some ticks later, is compared.
 */
export function explainDivergence(
  loaded: LoadedGame,
  journal: Journal,
  replay: Replay,
  divergence: Divergence,
): ExplainedDivergence {
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

function withField(
  divergence: Divergence,
  fieldTick: number,
  recorded: Simulation,
  replayed: Simulation,
): ExplainedDivergence {
  const field = firstDifference(recorded, replayed);
  return field === undefined ? divergence : { ...divergence, fieldTick, field };
}

function playOn(sim: Simulation, journal: Journal, tick: number) {
  while (sim.tick < tick && !sim.ended) {
    for (const input of journal.inputs.get(sim.tick + 1) ?? []) inputUnchecked(sim, input);
    sim.step();
  }
}

/** Restores a snapshot; undefined if this version cannot read it. */
function restored(loaded: LoadedGame, bytes: Uint8Array) {
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

export interface FirstDivergence {
  readonly tick: number;
  /** The first named field that differs; undefined if none does. */
  readonly field: Difference | undefined;
  /**
   * The tick at which the field was compared. It is later than `tick` if only the recordings, which have few snapshots,
   * could be compared.
   */
  readonly fieldTick: number;
  /** Whether the difference was found by simulating, or only in the recordings. */
  readonly found: 'played' | 'recorded';
}

/** The first tick and field in which two runs differ; undefined if they are equal in all ticks that both have. */
export function findFirstDivergence(left: Side, right: Side, ignored: readonly string[]): FirstDivergence | undefined {
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
  return findRecordedDivergence(left, right);
}

/**
 * Finds the first difference between the recordings; undefined if there is none. Even if both runs are equal when this
 * version simulates them, their recordings may differ.
 */
function findRecordedDivergence(left: Side, right: Side): FirstDivergence | undefined {
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
