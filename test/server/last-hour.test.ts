import { afterEach, expect, test, vi } from 'vitest';
import { LastHour } from '../../src/server/last-hour.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('the last hour has a minute for each minute, also of the time in which no room played', () => {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  let players = 3;
  const hour = new LastHour(() => ({ players, rooms: 1 }));
  for (const lateMs of [0, 50, 51, 400]) hour.tick(lateMs);
  expect(hour.all()).toMatchObject([{ players: 3, rooms: 1, lateTicks: 2 }]);
  nowMs = 61_000;
  hour.tick(0);
  players = 4;
  nowMs = 4 * 60_000 + 1;
  const minutes = hour.all();
  expect(minutes.map((each) => [each.players, each.lateTicks])).toEqual([
    [3, 2],
    [4, 0],
    [4, 0],
    [4, 0],
    [4, 0],
  ]);
  for (const { cores, memoryBytes } of minutes) {
    expect(cores).toBeGreaterThanOrEqual(0);
    expect(memoryBytes).toBeGreaterThan(1e6);
  }
  nowMs = 1000 * 60_000;
  expect(hour.all()).toHaveLength(61);
});
