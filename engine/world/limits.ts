import { accepts, count, type Infer, record, where } from '../schema/index.ts';

/** Rows are numbered with 20 bits. */
const entitiesMax = 1_000_000;

/** Limits of one simulation. A breach stops the script that caused it with a coded fault, never the simulation. */
const anyLimits = record({
  /** Entities of all kinds alive at one time (also the capacity of every component column). */
  entities: where(count(16_384), 'more than rows can be numbered', (entities) => entities <= entitiesMax),
  /** Script actions in one tick, over all scripts. Work of functions on long texts and many entities counts as several. */
  actionsPerTick: count(1_000_000),
  /** Rounds of one loop. */
  loopIterations: count(100_000),
  /** Scripts running inside scripts, whether called or triggered. The stack must hold them, whatever loops they stand in. */
  scriptDepth: count(128),
  /** Triggers waiting in the queue of one tick. */
  queuedTriggers: count(100_000),
  /** Pairs of bodies that touch, or are near enough that they might. */
  contacts: count(50_000),
  /** Timers waiting. */
  timers: count(100_000),
  /** Length of a text a script may build, in UTF-16 units. */
  stringLength: count(1_000_000),
  /** Players in the game at one time, whatever the definition says. */
  players: count(1_024),
});
export type Limits = Readonly<Infer<typeof anyLimits>>;

export const defaultLimits: Limits = anyLimits.create();

/** Whether something from outside is all limits of a simulation, none of which makes it reserve more than it can. */
export function isLimits(value: unknown): value is Limits {
  return accepts(anyLimits, value);
}
