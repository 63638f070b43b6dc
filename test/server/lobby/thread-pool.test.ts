import { describe, expect, test } from 'vitest';
import { Pace } from '../../../src/server/lobby/pace.ts';
import { RoomEntry } from '../../../src/server/lobby/room.ts';
import { ThreadPool } from '../../../src/server/lobby/thread-pool.ts';
import type { RoomThread } from '../../../src/server/lobby/threads.ts';
import type { RoomCommand } from '../../../src/server/room/room-messages.ts';

interface Thread extends RoomThread {
  readonly isForSlow: boolean;
  readonly sent: RoomCommand[];
  isClosed: boolean;
}

/**
 * A pool whose threads keep what they are sent, and a function that adds rooms whose ticks take so many ms, 20 times a
 * second.
 */
function poolOf(count: number) {
  const rooms = new Map<string, RoomEntry>();
  const made: Thread[] = [];
  const make = (id: number, isForSlow: boolean): RoomThread => {
    const sent: RoomCommand[] = [];
    const thread: Thread = {
      id,
      isForSlow,
      sent,
      isClosed: false,
      send: (command: RoomCommand) => void sent.push(command),
      close: async () => {
        thread.isClosed = true;
      },
    };
    made.push(thread);
    return thread;
  };
  const pool = new ThreadPool({ count, areThreads: true, make }, rooms, undefined as never);
  const add = (
    tickMs: number,
    thread: RoomThread = pool.leastBusy(),
    players = 1,
    version: string = 'v1',
  ): RoomEntry => {
    const id = `r${rooms.size}`;
    const room = new RoomEntry({ id } as never, { version, text: '{}' } as never, thread, 0);
    for (let i = 0; i < players; i++) room.seats.set(`p${i}`, {} as never);
    room.pace = Object.assign(new Pace(20), {
      isSlow: tickMs < 0,
      speed: tickMs < 0 ? 0.5 : 1,
      busyMs: Math.abs(tickMs),
    });
    rooms.set(id, Object.assign(room, { rate: 20 }));
    return room;
  };
  return { pool, made, add, rooms };
}

/** Rooms of one thread, by the ms that each of their ticks takes. Slow ones are marked by a minus. */
function greedyOf(ticks: readonly number[]): readonly number[] {
  const { pool, add } = poolOf(1);
  const rooms = ticks.map((ms) => add(ms));
  return ticks.filter((_, i) => pool.isGreedy(rooms[i]!)).map(Math.abs);
}

test('rooms that overload their thread should leave it, and not those that they have made slow', () => {
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

test('a room that has left for a thread of slow rooms stays there', () => {
  const { pool, add } = poolOf(1);
  const greedy = add(-60);
  add(2);
  expect(pool.isGreedy(greedy)).toBe(true);
  greedy.thread = pool.forSlowRoom();
  add(2, greedy.thread);
  expect(pool.isGreedy(greedy)).toBe(false);
});

test('rooms without players do not make a room greedy', () => {
  const { pool, add } = poolOf(1);
  const [slow] = [add(-60), add(-60)];
  add(2, undefined, 0);
  expect(pool.isGreedy(slow!)).toBe(false);
  add(2);
  expect(pool.isGreedy(slow!)).toBe(true);
});

test('all rooms of a definition leave a thread when two of its ticks have stopped rooms of others', () => {
  const { pool, made, add } = poolOf(1);
  const [first, second] = [add(2, undefined, 1, 'long'), add(2, undefined, 1, 'long')];
  const areGreedy = () => [first!, second!].map((room) => pool.isGreedy(room));
  pool.noteStall(first!);
  pool.noteStall(second!);
  // There is nobody else.
  expect(areGreedy()).toEqual([false, false]);
  const quiet = add(2);
  expect([...areGreedy(), pool.isGreedy(quiet)]).toEqual([true, true, false]);
  first!.thread = pool.forSlowRoom();
  expect(areGreedy()).toEqual([false, true]);
  expect([pool.forNewRoom('long'), pool.forNewRoom('v1')]).toEqual([made[2], made[0]]);
  pool.noteStall(quiet);
  expect(pool.isGreedy(quiet)).toBe(false);
  pool.forget('long');
  expect(areGreedy()).toEqual([false, false]);
});

describe('the threads of a pool', () => {
  test('get new rooms where there is most time for them', () => {
    const { add, pool } = poolOf(3);
    // Without players, only their number counts.
    expect([add(0).thread.id, add(0).thread.id, add(0).thread.id].sort()).toEqual([0, 1, 2]);
    const busiest = add(20);
    expect(pool.otherFor(busiest)).not.toBe(busiest.thread);
    // The time that rooms need counts for more than their number.
    expect([add(1), add(1), add(1), add(1)].map(({ thread }) => thread)).not.toContain(busiest.thread);
    const alone = poolOf(1);
    expect(alone.pool.otherFor(alone.add(1))).toBeUndefined();
  });

  test('are full when none has time left, of which one greedy room takes half at most', () => {
    const isFull = (tickMs: readonly number[], count = 1, players = 1): boolean => {
      const { add, pool } = poolOf(count);
      for (const ms of tickMs) add(ms, undefined, players);
      return pool.isFull;
    };
    // Twice what a thread can do.
    expect(isFull([100])).toBe(false);
    expect(isFull(Array<number>(10).fill(5))).toBe(true);
    expect(isFull(Array<number>(10).fill(5), 2)).toBe(false);
    expect(isFull(Array<number>(20).fill(5), 2)).toBe(true);
    expect(isFull(Array<number>(10).fill(5), 1, 0)).toBe(false);
    const { add, pool } = poolOf(1);
    for (let i = 0; i < 20; i++) add(5, undefined, i % 2);
    expect(pool.isFull).toBe(true);
    pool.forSlowRoom();
    expect(pool.isFull).toBe(true);
  });

  test('for slow rooms are made when they are needed, four at most, and get no others', () => {
    const { pool, made, add } = poolOf(1);
    expect(made.map(({ isForSlow }) => isForSlow)).toEqual([false]);
    const slow = Array.from({ length: 4 }, () => add(-60, pool.forSlowRoom()).thread.id);
    expect(slow).toEqual([1, 2, 3, 4]);
    expect(made.map(({ isForSlow }) => isForSlow)).toEqual([false, true, true, true, true]);
    add(-60, made[1]);
    expect(pool.forSlowRoom().id).not.toBe(1);
    expect(made).toHaveLength(5);
    for (let i = 0; i < 3; i++) add(200, made[0]);
    expect(pool.leastBusy().id).toBe(0);
    expect(pool.count).toBe(1);
  });

  test('are sent each version of a definition once, before the first room that plays it', () => {
    const { pool, made, add } = poolOf(2);
    const kinds = (i: number) => made[i]!.sent.map(({ kind }) => kind);
    const open = { kind: 'open' } as Extract<RoomCommand, { kind: 'open' }>;
    const rooms = [add(1, made[0]), add(1, made[0]), add(1, made[1])];
    for (const room of rooms) pool.begin(room, open);
    expect([kinds(0), kinds(1)]).toEqual([
      ['define', 'open', 'open'],
      ['define', 'open'],
    ]);
    expect(rooms.map(({ isBegun }) => isBegun)).toEqual([true, true, true]);
    expect(made[0]!.sent[0]).toEqual({ kind: 'define', version: 'v1', text: '{}' });
    pool.forget('v1');
    pool.forget('v1');
    expect(kinds(1)).toEqual(['define', 'open', 'undefine']);
    pool.begin(rooms[2]!, open);
    expect(kinds(1)).toEqual(['define', 'open', 'undefine', 'define', 'open']);
  });

  test('that have ended are replaced by ones that know no definition, and all are closed', async () => {
    const { pool, made, add } = poolOf(1);
    const open = { kind: 'open' } as Extract<RoomCommand, { kind: 'open' }>;
    pool.begin(add(1), open);
    pool.replace(made[0]!);
    expect(made.map(({ id }) => id)).toEqual([0, 0]);
    pool.begin(add(1), open);
    expect(made[1]!.sent.map(({ kind }) => kind)).toEqual(['define', 'open']);
    pool.forget('v1');
    expect(made[0]!.sent.map(({ kind }) => kind)).toEqual(['define', 'open']);
    await pool.close();
    expect(made.map(({ isClosed }) => isClosed)).toEqual([false, true]);
  });
});
