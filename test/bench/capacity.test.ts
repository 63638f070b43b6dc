import { expect, test } from 'vitest';
import { capacityOf } from '../../src/bench/bench.ts';
import type { ScaleResult } from '../../src/bench/result.ts';
import { percentilesOf } from '../../src/statistics/statistics.ts';

/** Players, and the time that all ticks took with them. */
function scale(players: number, ms: number): ScaleResult {
  return { players, typical: { tickMs: percentilesOf([ms]) } } as unknown as ScaleResult;
}

test.each([
  { says: 'between two that were tried', scales: [scale(10, 10), scale(100, 100)], players: 50, isReached: true },
  { says: 'below the least that was tried', scales: [scale(100, 100)], players: 50, isReached: true },
  { says: 'at least the most that fit', scales: [scale(1, 1), scale(20, 20)], players: 20, isReached: false },
  { says: 'in whatever order', scales: [scale(100, 100), scale(10, 10)], players: 50, isReached: true },
])('the players that a game holds: $says', ({ scales, players, isReached }) => {
  expect(capacityOf(scales, 50)).toMatchObject({ players, isReached });
});
