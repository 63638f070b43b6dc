import { expect, test } from 'vitest';
import { playEpisode } from './episode.ts';

test('the same seed gives the same simulation', async () => {
  const first = await playEpisode({ seed: 'b/2', seconds: 4 });
  const second = await playEpisode({ seed: 'b/2', seconds: 4 });
  expect(second).toEqual(first);
  expect(first.failures).toEqual([]);
  expect(first.seen.acknowledged).toBeGreaterThan(0);
});

/** Worlds that once failed, and the cause. */
test.each([
  ['1/1', 30, 'files', 'a torn segment was told to be of another version'],
  ['hourF/2', 10, 'files', 'a page that came back was told an earlier time, so that nothing moved on it'],
  ['d/1', 30, 'redis', 'frames of a process that had lost the room were taken for shown'],
] as const)(
  'the simulation with seed %s has no failure in %i s, with a journal in %s: %s',
  async (seed, seconds, journal, _what) => {
    const { failures, setting } = await playEpisode({ seed, seconds, journal });
    expect(failures, setting).toEqual([]);
  },
);

/** Worlds of forty seconds, each with a random half of the faults. */
test.each([
  ['a/1', 'files'],
  ['c/1', 'redis'],
] as const)('the simulation with seed %s has no failure, with a journal in %s', async (seed, journal) => {
  const { failures, setting, seen } = await playEpisode({ seed, seconds: 40, journal });
  expect(failures, setting).toEqual([]);
  expect(seen.ticks).toBeGreaterThan(500);
});
