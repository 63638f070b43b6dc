import type { DialectName } from '../../engine/index.ts';
import type { TickPart } from '../run/index.ts';
import type { Percentiles, Ratio } from '../statistics/index.ts';
import type { ProfileRows } from './profile.ts';

/**
 * The format version of `reenact bench --json` and `--save`. It increases with changes that old readers would
 * misinterpret.
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
  /** Simulated before measuring, in every run; not included in any time below. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly ticksPerSecond: number;
  /** The time per tick at the frame rate. */
  readonly budgetMs: number;
  /** One per requested number of bots. */
  readonly scales: readonly ScaleResult[];
  readonly capacity: Capacity;
  readonly profile: ProfileRows | null;
  /** Relative to the first of several games, from interleaved rounds; null for the first. */
  readonly ratio: Ratio | null;
}

export interface ScaleResult {
  readonly bots: number;
  /** Players in the game at the end, without computer players: games may refuse some. */
  readonly players: number;
  /** The largest number of players when the game refused another because it was full; null if it never was. */
  readonly playersMax: number | null;
  readonly ticksPerSecond: number;
  readonly counters: Counters;
  readonly hash: string;
  /** Whether all runs were the same, as they must be. */
  readonly deterministic: boolean;
  /** One per run. */
  readonly runs: readonly RunResult[];
  /** The run whose median tick is the median of all runs. */
  readonly typical: RunResult;
}

/** Counted from the first tick to the last, including the warm-up: equal if the game runs the same. */
export interface Counters {
  readonly ticks: number;
  readonly actions: number;
  readonly scriptRuns: number;
  readonly triggers: number;
  readonly contacts: number;
  /** Entities visited, summed over the ticks. */
  readonly entityVisits: number;
  readonly outputs: number;
  readonly faults: number;
}

export interface RunResult {
  readonly ticks: number;
  readonly wallMs: number;
  /** Simulated time divided by wall time, including the bots. */
  readonly speed: number;
  readonly tickMs: Percentiles;
  /** The median tick as a fraction of the budget, and the number of ticks that exceed it. */
  readonly budgetShare: number;
  readonly ticksOverBudget: number;
  /** Mean per tick. */
  readonly partsMs: Readonly<Record<TickPart, number>>;
  readonly bodiesAwake: number;
  readonly contacts: number;
  readonly entities: number;
  /** Median heap growth per tick in intervals without a garbage collection, including the bots. */
  readonly bytesPerTick: number;
  readonly gc: { readonly pauses: number; readonly totalMs: number; readonly longestMs: number };
  readonly heapMb: number;
  readonly residentMb: number;
  /** Every measured tick, in order. */
  readonly timesMs: readonly number[];
}

/** How many players fit into the frame budget: where the 95th percentile of a tick reaches it. */
export interface Capacity {
  readonly players: number;
  /** False if the largest number measured still fits, so that it is a lower bound. */
  readonly isReached: boolean;
  /** Whether the largest number measured still fits and the game refused further players. */
  readonly isFull: boolean;
}
