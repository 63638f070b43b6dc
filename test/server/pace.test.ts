import { expect, test } from 'vitest';
import { Pace } from '../../src/server/lobby/pace.ts';

const rate = 20;

/** A room of 20 ticks per second, and the time. */
function paced() {
  const pace = new Pace(rate);
  const clock = { nowMs: 0 };
  /** Plays for some seconds, and skips `skipped` ticks each second. Returns each change of `isSlow`. */
  function play(seconds: number, skipped: number, why: 'late' | 'others' = 'late'): boolean[] {
    const told: boolean[] = [];
    for (let second = 0; second < seconds; second++) {
      if (pace.overrun(skipped, why)) told.push(pace.isSlow);
      for (let tick = 0; tick < rate - skipped; tick++) {
        clock.nowMs += 1000 / (rate - skipped);
        if (pace.ticked(10, clock.nowMs)) told.push(pace.isSlow);
      }
    }
    return told;
  }
  return { pace, clock, play, speed: () => pace.speedAt(clock.nowMs) };
}

test('a room that skips ticks for seconds is slow, with its speed, until it keeps up again', () => {
  const { play, speed } = paced();
  expect(play(10, 15)).toEqual([true]);
  expect(speed()).toBeCloseTo(0.25);
  expect(play(10, 0)).toEqual([false]);
  expect(speed()).toBe(1);
});

test('a room is not slow because of its compilation, or of a single stall of the machine', () => {
  const { play } = paced();
  expect(play(2, 15)).toEqual([]);
  expect(play(10, 0)).toEqual([]);
  expect(play(2, 15)).toEqual([]);
  expect(play(10, 0)).toEqual([]);
});

test('skipping one tick in twenty does not make a room slow', () => {
  expect(paced().play(20, 1)).toEqual([]);
});

test('a room that waits because ticks of others take long has their speed, but is not called slow', () => {
  const { play, speed } = paced();
  expect(play(10, 15, 'others')).toEqual([]);
  expect(speed()).toBeCloseTo(0.25);
});

test('a room that is held back for long is slow at once, though it has played only a few ticks', () => {
  const { pace, speed } = paced();
  const told = [20, 130, 130].map((ticks) => {
    pace.ticked(300, 0);
    pace.overrun(ticks, 'held');
    return pace.isSlow;
  });
  expect([told, pace.busyMs, pace.reason]).toEqual([[false, true, true], 300, 'long-ticks']);
  expect(speed()).toBeLessThan(0.01);
});

test('a room that was held back in its first seconds, too, is slow at once', () => {
  const { pace } = paced();
  for (const busyMs of [250, 1300]) pace.ticked(busyMs, 0);
  expect(pace.overrun(546, 'held')).toBe(true);
  expect(pace).toMatchObject({ isSlow: true, reason: 'long-ticks' });
});

test('the speed falls while a tick runs, and counts those that are reported as skipped once', () => {
  const { pace, clock, play, speed } = paced();
  play(10, 0);
  clock.nowMs += 3000;
  const running = speed();
  expect(running).toBeLessThan(0.5);
  pace.overrun(55, 'late');
  expect(speed()).toBeCloseTo(running, 1);
  play(4, 0);
  expect(speed()).toBe(1);
});

test('the speed of a room also falls if its first tick does not end, but not while it sleeps', () => {
  const { pace, speed, clock } = paced();
  clock.nowMs = 60_000;
  expect(speed()).toBe(1);
  pace.expect(clock.nowMs);
  clock.nowMs += 5000;
  pace.expect(clock.nowMs);
  expect(speed()).toBe(0);
});

test('a tick that does not end makes a room slow once, until it has been played', () => {
  const { pace, play } = paced();
  play(10, 0);
  expect([pace.stuck('unfinished-tick'), pace.reason, pace.stuck('unfinished-tick')]).toEqual([
    true,
    'unfinished-tick',
    false,
  ]);
  pace.ticked(5000, 16_000);
  pace.overrun(100, 'late');
  expect(pace).toMatchObject({ isSlow: true, reason: 'long-ticks' });
  expect(play(5, 0)).toEqual([false]);
  expect(pace.reason).toBeUndefined();
});

test('the ticks that a room loses while it moves to another thread count: its speed falls meanwhile, and after that', () => {
  const { pace, clock, play, speed } = paced();
  play(10, 0);
  clock.nowMs += 3000;
  expect([speed() < 0.5, pace.isSilentAt(clock.nowMs)]).toEqual([true, true]);
  pace.stuck('moving');
  expect(pace.resumed(clock.nowMs)).toBe(false);
  expect(pace.isSlow).toBe(true);
  expect(speed()).toBeLessThan(0.5);
  expect(pace.isSilentAt(clock.nowMs)).toBe(false);
  expect(play(4, 0)).toEqual([false]);
  expect(speed()).toBe(1);
});

test('a room that begins has lost no ticks', () => {
  const { pace, clock, speed } = paced();
  clock.nowMs = 60_000;
  expect([pace.resumed(clock.nowMs), pace.isSilentAt(clock.nowMs), speed()]).toEqual([false, false, 1]);
});
