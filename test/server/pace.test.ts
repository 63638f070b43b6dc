import { expect, test } from 'vitest';
import { Pace } from '../../src/server/lobby/pace.ts';

/** Plays for some seconds at 20 ticks per second, and skips `skipped` of them each second. Returns each change of `isSlow`. */
function play(pace: Pace, from: number, seconds: number, skipped: number): boolean[] {
  const told: boolean[] = [];
  for (let second = from; second < from + seconds; second++) {
    pace.overrun(skipped);
    for (let tick = 0; tick < 20 - skipped; tick++) {
      if (pace.ticked((second + (tick + 1) / (20 - skipped)) * 1000)) told.push(pace.isSlow);
    }
  }
  return told;
}

test('a room that skips ticks for seconds is slow, with its speed, until it keeps up again', () => {
  const pace = new Pace(0);
  expect(play(pace, 0, 10, 15)).toEqual([true]);
  expect(pace.speed).toBeCloseTo(0.25);
  expect(play(pace, 10, 10, 0)).toEqual([false]);
  expect(pace.speed).toBe(1);
});

test('a room is not slow because of its compilation, or of a single stall of the machine', () => {
  const pace = new Pace(0);
  expect(play(pace, 0, 2, 15)).toEqual([]);
  expect(play(pace, 2, 10, 0)).toEqual([]);
  expect(play(pace, 12, 2, 15)).toEqual([]);
  expect(play(pace, 14, 10, 0)).toEqual([]);
});

test('skipping one tick in twenty does not make a room slow', () => {
  expect(play(new Pace(0), 0, 20, 1)).toEqual([]);
});
