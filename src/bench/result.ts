import type { DialectName } from '../../engine/index.ts';
import type { TickPart } from '../run/index.ts';
import type { Percentiles, Ratio } from '../statistics/index.ts';
import type { ProfileRows } from './profile.ts';

/**
 * The format version of `reenact bench --json` and `--save`. It is increased with every change that old readers would
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
  /** The simulated time before the measurement, in every run, in seconds. The times below do not include it. */
  readonly warmUpSeconds: number;
  readonly seconds: number;
  readonly ticksPerSecond: number;
  /** The time that is available per tick at the game's frame rate, in ms. */
  readonly budgetMs: number;
  /** One result per requested number of bots. */
  readonly scales: readonly ScaleResult[];
  readonly capacity: Capacity;
  readonly profile: ProfileRows | null;
  /**
   * The tick time relative to the first game, if several games were measured together; null for the first game, and if
   * an interruption left different numbers of runs.
   */
  readonly ratio: Ratio | null;
}

/** What a run of a game leads to, apart from its times. */
export interface Outcome {
  /**
   * The number of players in the game at the end, without computer players. It can be lower than the number of bots,
   * because games may refuse players.
   */
  readonly players: number;
  /**
   * The number of players at the moment when the game refused another player because it was full; the largest such
   * number, or null if no player was refused for this reason.
   */
  readonly playersMax: number | null;
  readonly ticksPerSecond: number;
  readonly counters: Counters;
  readonly hash: string;
}

export interface ScaleResult extends Outcome {
  readonly bots: number;
  /** Whether all runs ended in the same state. If not, this is a bug. */
  readonly deterministic: boolean;
  /** One result per run. */
  readonly runs: readonly RunResult[];
  /** The typical run: its median tick time is the median over all runs. */
  readonly typical: RunResult;
}

/**
 * Counts from the first tick to the last, including the warm-up. They are equal in two runs in which the game does the
 * same work.
 */
export interface Counters {
  readonly ticks: number;
  readonly actions: number;
  readonly scriptRuns: number;
  readonly triggers: number;
  readonly contacts: number;
  /** The number of entities visited, summed over all ticks. */
  readonly entityVisits: number;
  readonly outputs: number;
  readonly faults: number;
}

export interface RunResult {
  readonly ticks: number;
  readonly wallMs: number;
  /** Simulated time divided by real time, including the time of the bots. */
  readonly speed: number;
  readonly tickMs: Percentiles;
  /** The median tick time as a fraction of the budget. */
  readonly budgetShare: number;
  readonly ticksOverBudget: number;
  /** The mean time of each part of a tick, in ms. */
  readonly partsMs: Readonly<Record<TickPart, number>>;
  readonly bodiesAwake: number;
  readonly contacts: number;
  readonly entities: number;
  /**
   * The median growth of the heap per tick, in bytes, including the bots. Intervals with a garbage collection are left
   * out.
   */
  readonly bytesPerTick: number;
  readonly gc: { readonly pauses: number; readonly totalMs: number; readonly longestMs: number };
  readonly heapMb: number;
  readonly residentMb: number;
  /** The time of every measured tick, in order, in ms. */
  readonly timesMs: readonly number[];
}

/** How many players a game can have before the 95th percentile of the tick time exceeds the frame budget. */
export interface Capacity {
  readonly players: number;
  /** Whether some measured number of players exceeds the budget. If none does, `players` is a lower bound. */
  readonly isReached: boolean;
  /** Whether even the largest measured number of players fits into the budget, and the game refused more players. */
  readonly isFull: boolean;
}
