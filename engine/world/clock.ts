import { count, f64, flag, record } from '../schema/index.ts';

/** The clocks of a world. */
export const clockState = record({
  /** The number of completed ticks. A tick that is running already counts, so during a tick this is its number. */
  tick: count(),
  /** The simulated time, in ms since the game started. */
  nowMs: f64(),
  /** The date at which the game started, as scripts see it, ms since 1970. */
  epochMs: f64(),
  /**
   * The clock of the AI, ms: the start of the current outer frame or, between two frames, of the last frame. Derived
   * from `nowMs`, as are the two clocks below. Outer frames are explained in `sim/rates.ts`.
   */
  frameMs: f64(),
  /** The clock of life spans and item use, ms. */
  loopMs: f64(),
  /** The clock of regeneration, timed buffs and abilities, ms. */
  dateMs: f64(),
  /** True while inputs and timers run, because they count as happening between two ticks. */
  betweenTicks: flag(),
});
