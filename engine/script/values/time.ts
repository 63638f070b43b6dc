import { family, type ValueRow, value } from '../op.ts';

/** Simulated time: it goes on with the ticks and with nothing else. Whole milliseconds. */
export const timeValues = family<ValueRow>('time', {
  /** Since 1970, by the clock that the host gave the game. */
  currentTimeStamp: value({
    about: 'The time, ms since 1970; it goes with the simulated clock.',
    params: {},
    returns: 'number',
    compile:
      () =>
      ({ world }) =>
        Math.floor(world.clock.epochMs + world.clock.nowMs),
  }),
  /** Since the game started. */
  getServerAge: value({
    about: 'How long the game has lasted, ms.',
    params: {},
    returns: 'number',
    compile:
      () =>
      ({ world }) =>
        Math.floor(world.clock.nowMs),
  }),
  /** As currentTimeStamp was when the game started. */
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
