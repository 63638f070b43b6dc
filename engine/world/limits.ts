import { accepts, count, type Infer, record, withCheck } from '../schema/index.ts';

/** Row numbers have 20 bits, so there can be no more than 1,048,576 rows. */
const entitiesMax = 1_000_000;

/**
 * Limits of one simulation. Exceeding a limit records a coded fault and at most stops a script, never the simulation.
 */
const anyLimits = record({
  /** Maximum number of living entities of all kinds; also the largest capacity of a component column. */
  entities: withCheck(count(16_384), 'greater than the maximum number of rows', (entities) => entities <= entitiesMax),
  /**
   * Maximum number of script actions in one tick, over all scripts. A function that works on a long string or many
   * entities counts as several actions.
   */
  actionsPerTick: count(1_000_000),
  /** Maximum number of iterations of one loop. */
  loopIterations: count(100_000),
  /**
   * Maximum nesting depth of scripts, whether called or triggered. Scripts of this depth must fit the JavaScript stack,
   * even scripts with nested loops.
   */
  scriptDepth: count(128),
  /** Maximum number of triggers queued in one tick. */
  queuedTriggers: count(100_000),
  /** Maximum number of pairs of bodies that touch or whose bounding boxes overlap. */
  contacts: count(50_000),
  /**
   * Maximum number of pairs of bodies that the physics of one tick examines: those whose bounding boxes overlap, and
   * contacts that may stop fast bodies.
   */
  pairs: count(10_000_000),
  /** Maximum number of pending timers. */
  timers: count(100_000),
  /** Maximum length of a string that a script builds, in UTF-16 code units. */
  stringLength: count(1_000_000),
  /** Maximum number of players in the game at one time, even if the definition allows more. */
  players: count(1_024),
});
export type Limits = Readonly<Infer<typeof anyLimits>>;

export const defaultLimits: Limits = anyLimits.create();

/** Whether an untrusted value contains all limits with valid values. */
export function isLimits(value: unknown): value is Limits {
  return accepts(anyLimits, value);
}
