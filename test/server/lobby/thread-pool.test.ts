import { expect, test } from 'vitest';
import { Pace } from '../../../src/server/lobby/pace.ts';
import { newRoom, type RoomEntry } from '../../../src/server/lobby/room.ts';
import { ThreadPool } from '../../../src/server/lobby/thread-pool.ts';

/** Rooms of one thread at 20 ticks per second, by the milliseconds that each of their ticks takes. Slow ones are marked by a minus. */
function greedyOf(ticks: readonly number[]): readonly number[] {
  const rooms = new Map<string, RoomEntry>();
  const make = (id: number) => ({ id, send() {}, close: async () => {} });
  const pool = new ThreadPool({ count: 1, areThreads: true, make }, rooms);
  for (const [i, ms] of ticks.entries()) {
    const room = newRoom({ id: `r${i}` } as never, {} as never, pool.leastBusy(), 0);
    room.seats.set('p1', {} as never);
    room.pace = Object.assign(new Pace(20), { isSlow: ms < 0, speed: ms < 0 ? 0.5 : 1, busyMs: Math.abs(ms) });
    rooms.set(`r${i}`, Object.assign(room, { rate: 20 }));
  }
  return ticks.filter((_, i) => pool.isGreedy(rooms.get(`r${i}`)!)).map(Math.abs);
}

test('the rooms that overload a thread move out of it, and not those that they have made slow', () => {
  expect(greedyOf([-60, -70, -10, -10, ...Array<number>(20).fill(0.5)])).toEqual([60, 70]);
  // Together they need too much, and each more than its share.
  expect(greedyOf([-30, -30, 2])).toEqual([30, 30]);
  // All are slow: moving one does not help.
  expect(greedyOf([-60, -60])).toEqual([]);
  // Enough small ones would keep the thread from being idle.
  expect(greedyOf([-7, -7, -7, -7, -7, ...Array<number>(30).fill(0.2)])).toEqual([7, 7, 7, 7, 7]);
  // The thread would have enough time for all: the machine is slow.
  expect(greedyOf([-20, -10, 2])).toEqual([]);
});
