import { describe, expect, test } from 'vitest';
import type { ServerClock } from '../../src/server/machine/clock.ts';
import { TickClock, type TickClockOptions } from '../../src/server/room/clock.ts';
import { percentilesOf } from '../../src/statistics/statistics.ts';

const catchUpTicksMax = 5;

interface Played {
  readonly latenessMs: number[];
  givenUp: number;
}

/** A thread in virtual time, whose rooms' ticks take as long as the test says. */
class Thread {
  private nowMs = 0;
  private busyMs = 0;
  private readonly timers: { atMs: number; act: () => void }[] = [];
  private readonly clock: ServerClock = {
    now: () => this.nowMs,
    date: () => this.nowMs,
    busy: () => this.busyMs,
    after: (ms, act) => this.at(this.nowMs + Math.max(1, ms), act),
    every: () => ({ cancel: () => {} }),
    soon: (act) => void this.at(this.nowMs, act),
  };
  private readonly beats: TickClock;

  constructor(options: Partial<TickClockOptions> = {}) {
    this.beats = new TickClock({ catchUpTicksMax, limitsOvertime: true, movesGreedy: false, ...options }, this.clock);
  }

  /** Adds a room whose ticks take this long, ms. */
  room(id: string, rate: number, tickMs: (tick: number) => number): Played {
    const played: Played = { latenessMs: [], givenUp: 0 };
    const act = (lateMs: number): void => {
      const ms = tickMs(played.latenessMs.push(lateMs));
      this.nowMs += ms;
      this.busyMs += ms;
    };
    this.beats.start(id, rate, act, (ticks) => {
      played.givenUp += ticks;
    });
    return played;
  }

  run(seconds: number): void {
    const endMs = this.nowMs + seconds * 1000;
    for (;;) {
      this.timers.sort((a, b) => a.atMs - b.atMs);
      const next = this.timers[0];
      if (next === undefined || next.atMs > endMs) break;
      this.timers.shift();
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.act();
    }
    this.nowMs = Math.max(this.nowMs, endMs);
  }

  private at(atMs: number, act: () => void) {
    const timer = { atMs, act };
    this.timers.push(timer);
    return {
      cancel: () => {
        const index = this.timers.indexOf(timer);
        if (index >= 0) this.timers.splice(index, 1);
      },
    };
  }
}

const p95 = ({ latenessMs }: Played): number => percentilesOf(latenessMs).p95;
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

describe('light rooms are on time', () => {
  for (const greedyRooms of [1, 3, 20]) {
    for (const tickMs of [5, 30, 55, 100, 400]) {
      test(`beside ${greedyRooms} whose ticks take ${tickMs} ms`, () => {
        const thread = new Thread();
        const greedy = times(greedyRooms, (i) => thread.room(`greedy ${i}`, 60, () => tickMs));
        const quiet = times(6, (i) => thread.room(`quiet ${i}`, i < 3 ? 20 : 60, () => 1));
        thread.run(120);
        for (const room of quiet) expect(p95(room)).toBeLessThanOrEqual(60);
        // The greedy rooms continue, and share equally.
        const ticks = greedy.map(({ latenessMs }) => latenessMs.length);
        expect(Math.min(...ticks)).toBeGreaterThan(0);
        expect(Math.max(...ticks) - Math.min(...ticks)).toBeLessThanOrEqual(2 + 400 / tickMs);
      });
    }
  }
});

test('each tick of a greedy room is either played or reported as skipped', () => {
  const thread = new Thread();
  const greedy = thread.room('greedy', 60, () => 100);
  thread.room('quiet', 20, () => 1);
  thread.run(60);
  const due = 60 * 60;
  const told = greedy.latenessMs.length + greedy.givenUp;
  // It is held back for 1.5 s after each tick, and what it misses in that time is reported before.
  expect(Math.abs(told - due)).toBeLessThanOrEqual(2.5 * 60);
});

test('a hundred rooms, of which five want a whole thread each, acknowledge nearly as fast as without those, until they are moved', () => {
  const acknowledgedMs = (hostile: readonly number[]): number => {
    const thread = new Thread({ movesGreedy: true });
    // They use half of the thread.
    const quiet = Array.from({ length: 95 }, (_, i) => {
      thread.run(1 / 950);
      return thread.room(`quiet ${i}`, 10, () => 0.3 + (i % 10) / 20);
    });
    for (const [i, tickMs] of hostile.entries()) thread.room(`hostile ${i}`, 60, () => tickMs);
    thread.run(40);
    // An input arrives at any time between two ticks.
    const waits = quiet.flatMap(({ latenessMs }) =>
      latenessMs.slice(50).map((lateMs, n) => lateMs + ((n * 0.618) % 1) * 100),
    );
    return waits.sort((a, b) => a - b)[Math.floor(waits.length * 0.95)]!;
  };
  const alone = acknowledgedMs([]);
  expect(acknowledgedMs([12, 35, 150, 60, 12]) / alone).toBeLessThanOrEqual(1.2);
  expect(acknowledgedMs([150, 150, 150, 150, 150]) / alone).toBeLessThanOrEqual(1.2);
});

test('greedy rooms share equally, whatever their ticks take, what light ones leave', () => {
  const thread = new Thread();
  const greedy = [20, 30, 40].map((tickMs) => ({ tickMs, played: thread.room(`${tickMs}`, 60, () => tickMs) }));
  const quiet = thread.room('quiet', 20, () => 5);
  thread.run(60);
  const seconds = greedy.map(({ tickMs, played }) => (played.latenessMs.length * tickMs) / 1000);
  for (const each of seconds) expect(each).toBeCloseTo(18, 0);
  expect(quiet).toMatchObject({ latenessMs: { length: expect.any(Number) }, givenUp: 0 });
});

test('a greedy room that becomes light is on time immediately', () => {
  const thread = new Thread();
  let tickMs = 30;
  const changing = thread.room('changing', 20, () => tickMs);
  thread.room('greedy', 60, () => 30);
  thread.run(60);
  tickMs = 1;
  thread.run(1);
  changing.latenessMs.length = 0;
  thread.run(60);
  expect(p95(changing)).toBeLessThanOrEqual(30);
});

test('an occasional long tick makes no room wait', () => {
  const thread = new Thread();
  const building = thread.room('building', 20, (tick) => (tick % 200 === 1 ? 200 : 1));
  thread.room('quiet', 20, () => 1);
  thread.run(60);
  expect(building.givenUp).toBe(0);
});

test('if all rooms are slow, none waits while the thread is idle', () => {
  const thread = new Thread({ limitsOvertime: false });
  const long = thread.room('long', 60, () => 200);
  const short = thread.room('short', 60, () => 20);
  thread.run(60);
  expect((long.latenessMs.length * 200) / 1000).toBeCloseTo(30, 0);
  expect((short.latenessMs.length * 20) / 1000).toBeCloseTo(30, 0);
});

test('rooms that fit into a thread skip no ticks', () => {
  const thread = new Thread();
  const rooms = [8, 3, 3, 3, 1, 1, 1].map((tickMs, i) => thread.room(`${i}`, i === 0 ? 60 : 30, () => tickMs));
  thread.run(60);
  for (const room of rooms) expect(room.givenUp).toBe(0);
});
