import { describe, expect, test } from 'vitest';
import type { ServerClock } from '../../src/machine/clock.ts';
import { Pace } from '../../src/server/lobby/pace.ts';
import { TickClock, type TickClockOptions } from '../../src/server/room/clock.ts';
import { percentilesOf } from '../../src/statistics/statistics.ts';

const catchUpTicksMax = 5;

interface Played {
  readonly latenessMs: number[];
  givenUp: number;
  /** What the lobby knows of it: that of a process in which the reports of threads take no time. */
  readonly pace: Pace;
  /** When it became slow, ms. */
  slowAtMs: number | undefined;
}

/** A thread in virtual time, whose rooms' ticks take as long as the test says. */
class Thread {
  nowMs = 0;
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
    const played: Played = { latenessMs: [], givenUp: 0, pace: new Pace(rate), slowAtMs: undefined };
    played.pace.expect(this.nowMs);
    const judged = (isChanged: boolean): void => {
      if (isChanged && played.pace.isSlow) played.slowAtMs ??= this.nowMs;
    };
    const act = (lateMs: number): void => {
      const ms = tickMs(played.latenessMs.push(lateMs));
      this.nowMs += ms;
      this.busyMs += ms;
      judged(played.pace.ticked(ms, this.nowMs));
    };
    this.beats.start(id, rate, act, (ticks, why) => {
      // Otherwise the log of the server would say with each tick that none was skipped.
      expect(ticks).toBeGreaterThan(0);
      played.givenUp += ticks;
      judged(played.pace.overrun(ticks, why));
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

test('an occasional long tick makes its room wait for as long again, and no room slow', () => {
  const thread = new Thread();
  const building = thread.room('building', 20, (tick) => (tick % 200 === 1 ? 200 : 1));
  const quiet = thread.room('quiet', 20, () => 1);
  thread.run(60);
  // Late by three ticks, and by four that it waits; it catches up five.
  expect(building.givenUp).toBe(2 * 6);
  expect([building.slowAtMs, quiet.slowAtMs, quiet.givenUp]).toEqual([undefined, undefined, 0]);
});

describe('a room whose ticks take a multiple of their period, from its hundredth on', () => {
  const rate = 20;
  const frameMs = 1000 / rate;
  const fine = 99;
  /** When it begins its hundredth tick, ms. */
  const beginsMs = (fine + 1) * frameMs;

  describe.each([2, 3, 5, 10, 26, 58])('of %i', (frames) => {
    const tickMs = (tick: number): number => (tick > fine ? frames * frameMs : 1);

    test('waits from the next tick on, and leaves more than half of the time to others', () => {
      const thread = new Thread();
      const begunMs: number[] = [];
      const greedy = thread.room('greedy', rate, (tick) => {
        begunMs.push(thread.nowMs);
        return tickMs(tick);
      });
      const quiet = thread.room('quiet', rate, () => 1);
      thread.run(600);
      const [first, second] = begunMs.slice(fine);
      expect(second! - first!).toBeGreaterThanOrEqual(2 * frames * frameMs);
      expect(greedy.latenessMs.length).toBeGreaterThan(fine + 2);
      expect(p95(quiet)).toBeLessThanOrEqual(60);
    });

    test('says so within two periods of measurement, with the reason; its neighbours are not called slow', () => {
      const thread = new Thread();
      const greedy = thread.room('greedy', rate, tickMs);
      const quiet = thread.room('quiet', 60, () => 1);
      const small = thread.room('small', rate, () => 5);
      thread.run(beginsMs / 1000 + 6 + (2 * frames * frameMs) / 1000);
      expect(greedy.slowAtMs).toBeGreaterThan(beginsMs);
      expect(greedy.pace).toMatchObject({ isSlow: true, reason: 'long-ticks' });
      expect(greedy.pace.speedAt(thread.nowMs)).toBeLessThan(0.5);
      thread.run(200);
      expect([quiet.slowAtMs, small.slowAtMs]).toEqual([undefined, undefined]);
    });

    test('says so, too, if it is alone in its thread and need not wait', () => {
      const thread = new Thread();
      const greedy = thread.room('greedy', rate, tickMs);
      thread.run(60);
      expect(greedy.pace).toMatchObject({ isSlow: true, reason: 'long-ticks' });
      expect(greedy.pace.speedAt(thread.nowMs)).toBeCloseTo(1 / frames, 1);
    });
  });

  test('pauses for two seconds if that was the only long tick, and plays on at its full rate', () => {
    const thread = new Thread();
    const begunMs: number[] = [];
    const greedy = thread.room('greedy', rate, (tick) => {
      begunMs.push(thread.nowMs);
      return tick === fine + 1 ? 1300 : 1;
    });
    const quiet = thread.room('quiet', rate, () => 1);
    thread.run(60);
    const [first, second, third] = begunMs.slice(fine);
    expect(second! - first!).toBeCloseTo(1300 + 2000, -2);
    expect(third! - second!).toBeLessThanOrEqual(frameMs);
    expect(greedy.latenessMs.length + greedy.givenUp).toBeCloseTo(60 * rate, -1);
    expect(greedy.givenUp).toBeLessThan(65);
    expect([greedy.pace.speedAt(thread.nowMs), quiet.slowAtMs]).toEqual([1, undefined]);
  });

  test('has a speed that falls while the tick runs, and while it waits', () => {
    const thread = new Thread();
    const seen: [string, number][] = [];
    const greedy: Played = thread.room('greedy', rate, (tick) => {
      if (tick <= fine) return 1;
      // What an operator sees meanwhile.
      for (let second = 0; second <= 3; second++) {
        seen.push([`${second} s in`, greedy.pace.speedAt(thread.nowMs + second * 1000)]);
      }
      return 3000;
    });
    thread.room('quiet', rate, () => 1);
    thread.run(beginsMs / 1000 + 3.1);
    for (const seconds of [0, 1, 1]) {
      thread.run(seconds);
      seen.push(['waiting', greedy.pace.speedAt(thread.nowMs)]);
    }
    thread.run(7);
    for (const seconds of [0, 1, 60]) {
      thread.run(seconds);
      seen.push(['held', greedy.pace.speedAt(thread.nowMs)]);
    }
    // The second one was long, too.
    expect(greedy.latenessMs).toHaveLength(fine + 2);
    const running = ['1.00', '0.75', '0.39', '0.28'];
    expect(seen.map(([when, speed]) => `${when}: ${speed.toFixed(2)}`)).toEqual([
      ...running.map((speed, second) => `${second} s in: ${speed}`),
      'waiting: 0.15',
      'waiting: 0.15',
      'waiting: 0.15',
      ...running.map((_, second) => `${second} s in: 0.15`),
      'held: 0.00',
      'held: 0.00',
      'held: 0.00',
    ]);
  });
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
