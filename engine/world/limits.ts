import { accepts, count, type Infer, record, withCheck } from '../schema/index.ts';

/** Row numbers have 20 bits, so there can be no more than 1,048,576 rows. */
const entitiesMax = 1_000_000;

/** Limits of one simulation. Exceeding one records a coded fault and at most stops a script, never the simulation. */
const anyLimits = record({
  /** Living entities of all kinds; also the largest capacity of a component column. */
  entities: withCheck(count(16_384), 'greater than the maximum number of rows', (entities) => entities <= entitiesMax),
  /**
   * Script actions in one tick, over all scripts. A function that works on a long string or many entities counts as
   * several.
   */
  actionsPerTick: count(1_000_000),
  /** Iterations of one loop. */
  loopIterations: count(100_000),
  /**
   * Nesting depth of scripts, whether called or triggered. Must fit the JavaScript stack, also for scripts with nested
   * loops.
   */
  scriptDepth: count(128),
  /** Triggers queued in one tick. */
  queuedTriggers: count(100_000),
  /** Pairs of bodies that touch or whose bounding boxes overlap. */
  contacts: count(50_000),
  /**
   * Pairs of bodies that the physics of one tick looks at: those whose bounding boxes overlap, and contacts that may
   * stop fast bodies.
   */
  pairs: count(10_000_000),
  /** Pending timers. */
  timers: count(100_000),
  /** Length of a string that a script builds, in UTF-16 code units. */
  stringLength: count(1_000_000),
  /** Players in the game at one time, even if the definition allows more. */
  players: count(1_024),
});
export type Limits = Readonly<Infer<typeof anyLimits>>;

export const defaultLimits: Limits = anyLimits.create();

/** Whether an untrusted value has all limits, with valid values. */
export function isLimits(value: unknown): value is Limits {
  return accepts(anyLimits, value);
}
