import { reads } from '../../rules/effects.ts';
import { family, nullary, type ValueRow } from '../op.ts';

/** Simulated time in whole milliseconds. It advances only with ticks. */
export const timeValues = family<ValueRow>('time', {
  /** The time counts from 1970-01-01 UTC; the host sets its value at the start of the game. */
  currentTimeStamp: nullary(
    'The current simulated time, ms since 1970.',
    'number',
    ({ world: { clock } }) => Math.floor(clock.epochMs + clock.nowMs),
    reads('time'),
  ),
  getServerAge: nullary(
    'The time since the start of the game, ms.',
    'number',
    ({ world }) => Math.floor(world.clock.nowMs),
    reads('time'),
  ),
  /** The value of `currentTimeStamp` when the game started. */
  getServerStartTime: nullary(
    'The start time of the game, ms since 1970.',
    'number',
    ({ world }) => Math.floor(world.clock.epochMs),
    reads('time'),
  ),
});
