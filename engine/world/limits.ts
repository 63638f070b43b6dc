/** What one simulation may use. A breach stops the script that caused it with a coded fault, never the simulation. */
export interface Limits {
  /** Entities of all kinds alive at one time (also the capacity of every component column). */
  readonly entities: number;
  /** Script actions in one tick, over all scripts. */
  readonly actionsPerTick: number;
  /** Rounds of one loop. */
  readonly loopIterations: number;
  /** Scripts running inside scripts, whether called or triggered. */
  readonly scriptDepth: number;
  /** Triggers waiting in the queue of one tick. */
  readonly queuedTriggers: number;
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
  scriptDepth: 100,
  queuedTriggers: 100_000,
  timers: 100_000,
  stringLength: 1_000_000,
  players: 1_024,
};
