import type { DialectName } from '../../engine/index.ts';
import type { TickPart } from '../run/stopwatch.ts';
import type { Percentiles, Ratio } from '../statistics/statistics.ts';
import type { ProfileRows } from './profile.ts';

/**
 * The name of the format that `reenact bench --json` prints and `--save` writes. A change that old readers would misread raises the number.
 */
export const benchSchema = 'reenact-bench/1';

export interface BenchResult {
  readonly schema: typeof benchSchema;
  readonly reenact: string;
  readonly node: string;
  readonly machine: string;
  readonly games: readonly GameResult[];
}

export interface GameResult {
  readonly file: string;
  readonly title: string | null;
  readonly dialect: DialectName;
  readonly seed: string;
  readonly realtime: boolean;
  /** Played before measuring begins, in every run; not in any time below. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly ticksPerSecond: number;
  /** The time that the frame rate leaves for a tick. */
  readonly budgetMs: number;
  /** One per number of bots, as asked. */
  readonly scales: readonly ScaleResult[];
  readonly capacity: Capacity;
  readonly profile: ProfileRows | null;
  /** Against the first of several games, by rounds that took turns; null for the first. */
  readonly ratio: Ratio | null;
}

export interface ScaleResult {
  readonly bots: number;
  /** Players in the game at the end, the computer's left out: games refuse some. */
  readonly players: number;
  /** The most that were in the game when it refused another because it was full; null when it never was. */
  readonly playersMax: number | null;
  readonly ticksPerSecond: number;
  readonly counters: Counters;
  readonly hash: string;
  /** The same in every run, as it must be. */
  readonly deterministic: boolean;
  /** One per run. */
  readonly runs: readonly RunResult[];
  /** That of the run whose median tick is the median of the runs. */
  readonly typical: RunResult;
}

/** Counted from the first tick to the last, warm-up included: equal wherever the game plays the same. */
export interface Counters {
  readonly ticks: number;
  readonly actions: number;
  readonly scriptRuns: number;
  readonly triggers: number;
  readonly contacts: number;
  /** Entities looked at, summed over the ticks. */
  readonly entityVisits: number;
  readonly outputs: number;
  readonly faults: number;
}

export interface RunResult {
  readonly ticks: number;
  readonly wallMs: number;
  /** Simulated time by wall time, the bots' own included. */
  readonly speed: number;
  readonly tickMs: Percentiles;
  /** Median tick as a share of the budget, and ticks beyond it. */
  readonly budgetShare: number;
  readonly ticksOverBudget: number;
  /** Mean per tick. */
  readonly partsMs: Readonly<Record<TickPart, number>>;
  readonly bodiesAwake: number;
  readonly contacts: number;
  readonly entities: number;
  /** Median of what stretches of ticks without a collection left on the heap, bots included. */
  readonly bytesPerTick: number;
  readonly gc: { readonly pauses: number; readonly totalMs: number; readonly longestMs: number };
  readonly heapMb: number;
  readonly residentMb: number;
  /** `--realtime`: how much later than due ticks began. */
  readonly latenessMs: Percentiles | null;
  /** Every measured tick, in order. */
  readonly timesMs: readonly number[];
}

/** How many players the frame budget allows: where the 95th percentile of a tick meets it. */
export interface Capacity {
  readonly players: number;
  /** False where the largest number tried still fits, so that it is a lower bound. */
  readonly isReached: boolean;
  /** The largest number tried still fits, and the game refused the rest of its bots: it takes no more players. */
  readonly isFull: boolean;
}
