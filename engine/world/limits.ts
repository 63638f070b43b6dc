import { isCount, record } from '../core/shape.ts';

/** What one simulation may use. A breach stops the script that caused it with a coded fault, never the simulation. */
export interface Limits {
  /** Entities of all kinds alive at one time (also the capacity of every component column). */
  readonly entities: number;
  /** Script actions in one tick, over all scripts. What functions do with long texts and many entities counts as several. */
  readonly actionsPerTick: number;
  /** Rounds of one loop. */
  readonly loopIterations: number;
  /** Scripts running inside scripts, whether called or triggered. The stack must hold them, whatever loops they stand in. */
  readonly scriptDepth: number;
  /** Triggers waiting in the queue of one tick. */
  readonly queuedTriggers: number;
  /** Pairs of bodies that touch, or are near enough that they might. */
  readonly contacts: number;
  /** Timers waiting. */
  readonly timers: number;
  /** Length of a text a script may build, in UTF-16 units. */
  readonly stringLength: number;
  /** Players in the game at one time, whatever the definition says. */
  readonly players: number;
}

export const defaultLimits: Limits = {
  entities: 16_384,
  actionsPerTick: 1_000_000,
  loopIterations: 100_000,
  scriptDepth: 128,
  queuedTriggers: 100_000,
  contacts: 50_000,
  timers: 100_000,
  stringLength: 1_000_000,
  players: 1_024,
};

/** Rows are numbered with 20 bits. */
const entitiesMax = 1_000_000;

const everyLimit = record<Limits>({
  entities: (value) => isCount(value) && (value as number) <= entitiesMax,
  actionsPerTick: isCount,
  loopIterations: isCount,
  scriptDepth: isCount,
  queuedTriggers: isCount,
  contacts: isCount,
  timers: isCount,
  stringLength: isCount,
  players: isCount,
});

/** Whether something from outside is all limits of a simulation, none of which makes it reserve more than it can. */
export function isLimits(value: unknown): value is Limits {
  return everyLimit(value);
}
