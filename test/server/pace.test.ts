import { expect, test } from 'vitest';
import { Pace } from '../../src/server/lobby/pace.ts';

/** Plays for some seconds at 20 ticks per second, and skips `skipped` of them each second. Returns each change of `isSlow`. */
function play(pace: Pace, seconds: number, skipped: number): boolean[] {
  const told: boolean[] = [];
  for (let second = 0; second < seconds; second++) {
    if (pace.overrun(skipped)) told.push(pace.isSlow);
    for (let tick = 0; tick < 20 - skipped; tick++) {
      if (pace.ticked(10)) told.push(pace.isSlow);
    }
  }
  return told;
}

test('a room that skips ticks for seconds is slow, with its speed, until it keeps up again', () => {
  const pace = new Pace(20);
  expect(play(pace, 10, 15)).toEqual([true]);
  expect(pace.speed).toBeCloseTo(0.25);
  expect(play(pace, 10, 0)).toEqual([false]);
  expect(pace.speed).toBe(1);
});

test('a room is not slow because of its compilation, or of a single stall of the machine', () => {
  const pace = new Pace(20);
  expect(play(pace, 2, 15)).toEqual([]);
  expect(play(pace, 10, 0)).toEqual([]);
  expect(play(pace, 2, 15)).toEqual([]);
  expect(play(pace, 10, 0)).toEqual([]);
});

test('skipping one tick in twenty does not make a room slow', () => {
  expect(play(new Pace(20), 20, 1)).toEqual([]);
});

test('a room that is held back for long after each tick is slow, though it has played only a few', () => {
  const pace = new Pace(20);
  const told = [60, 130, 130].map((ticks) => {
    pace.ticked(300);
    pace.overrun(ticks);
    return pace.isSlow;
  });
  expect([told, pace.busyMs]).toEqual([[false, false, true], 300]);
});
