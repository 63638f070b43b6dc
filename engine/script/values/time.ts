import { family, type ValueRow, value } from '../op.ts';

/** Simulated time, which advances only with ticks. In whole milliseconds. */
export const timeValues = family<ValueRow>('time', {
  /** Since 1970; the host sets the time at the start of the game. */
  currentTimeStamp: value({
    about: 'The time, ms since 1970; it goes with the simulated clock.',
    params: {},
    returns: 'number',
    compile:
      () =>
      ({ world }) =>
        Math.floor(world.clock.epochMs + world.clock.nowMs),
  }),
  getServerAge: value({
    about: 'How long the game has lasted, ms.',
    params: {},
    returns: 'number',
    compile:
      () =>
      ({ world }) =>
        Math.floor(world.clock.nowMs),
  }),
  /** The value of `currentTimeStamp` when the game started. */
  getServerStartTime: value({
    about: 'When the game began, ms since 1970.',
    params: {},
    returns: 'number',
    compile:
      () =>
      ({ world }) =>
        Math.floor(world.clock.epochMs),
  }),
});
