import { reads } from '../../rules/effects.ts';
import { family, type ValueRow, value } from '../op.ts';

/** Simulated time in whole milliseconds. It advances only with ticks. */
export const timeValues = family<ValueRow>('time', {
  /** The time counts from 1970; the host sets it at the start of the game. */
  currentTimeStamp: value({
    about: 'The current simulated time, ms since 1970.',
    reads: [reads('time')],
    params: {},
    returns: 'number',
    compile:
      () =>
      ({ world }) =>
        Math.floor(world.clock.epochMs + world.clock.nowMs),
  }),
  getServerAge: value({
    about: 'The time since the start of the game, ms.',
    reads: [reads('time')],
    params: {},
    returns: 'number',
    compile:
      () =>
      ({ world }) =>
        Math.floor(world.clock.nowMs),
  }),
  /** The value of `currentTimeStamp` when the game started. */
  getServerStartTime: value({
    about: 'The start time of the game, ms since 1970.',
    reads: [reads('time')],
    params: {},
    returns: 'number',
    compile:
      () =>
      ({ world }) =>
        Math.floor(world.clock.epochMs),
  }),
});
