import { count, f64, flag, record } from '../schema/index.ts';

/** The clocks of a world. */
export const clockState = record({
  /** Ticks done; the tick being worked on has this number while it runs. */
  tick: count(),
  /** Simulated time, ms since the game started. */
  nowMs: f64(),
  /** The date at the start of the game for scripts, ms since 1970. */
  epochMs: f64(),
  /** The outer frame that the simulation is in, or the last one before: the clock of the AI. Follows from `nowMs`, as the two below do. */
  frameMs: f64(),
  /** The clock of life spans and of the uses of items. */
  loopMs: f64(),
  /** The clock of regeneration, buffs and abilities. */
  dateMs: f64(),
  /** True while inputs and timers run, which belong to the time between two ticks. */
  betweenTicks: flag(),
});
