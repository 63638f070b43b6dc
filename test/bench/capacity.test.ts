import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  type Measured,
  type MeasuredRedis,
  machine,
  machinesFor,
  needOf,
  playersOf,
  redisFor,
  redisText,
} from '../../bench/capacity.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** 100 players fill a core in four rooms. */
const measured: Measured = {
  game: 'a',
  rate: 20,
  players: 100,
  rooms: 4,
  cpuPercent: 100,
  bytesPerSecond: 3000,
  journalBytesPerSecond: 10_000,
  snapshotBytes: 50_000,
  memoryMb: 350,
};

describe('the model of capacity', () => {
  test('scales the measured values', () => {
    expect(needOf(1000, measured)).toEqual({
      rooms: 40,
      cores: 10,
      gigabitsPerSecond: (1000 * (3000 + 20 * 82) * 8) / 1e9,
      memoryGb: 2,
      journalMbPerSecond: 0.6,
    });
  });

  test('as many players as fit on one machine need one; one more player needs another', () => {
    const held = playersOf(measured, machine);
    expect(held).toBe(1120);
    expect(machinesFor(needOf(held, measured), machine)).toEqual({ machines: 1, first: 'processor' });
    expect(machinesFor(needOf(held + 1, measured), machine).machines).toBe(2);
  });

  test('says what runs out first', () => {
    expect(machinesFor(needOf(1000, { ...measured, bytesPerSecond: 1e6 }), machine).first).toBe('network');
    expect(machinesFor(needOf(1000, { ...measured, memoryMb: 50_000 }), machine).first).toBe('memory');
    expect(machinesFor(needOf(1000, { ...measured, journalBytesPerSecond: 1e8 }), machine).first).toBe('disk');
  });
});

describe('the model of journals in Redis', () => {
  const redis: MeasuredRedis = {
    playersPerRoom: 10,
    operationsPerSecond: 20,
    bytesInPerSecond: 10_000,
    memoryMb: 1,
    cpuPercent: 0.5,
  };

  test('fills one core of Redis, or its memory', () => {
    expect(redisFor(redis, 0.7)).toEqual({ rooms: 140, first: 'processor' });
    expect(redisFor({ ...redis, memoryMb: 1000 }, 0.7)).toEqual({ rooms: 22, first: 'memory' });
  });

  test('scales the values measured for one room', () => {
    expect(redisText(redis, [14_000]).trim().split('\n').at(-1)).toBe(
      '| 14,000 | 1,400 | 28,000 | 14 | 1.4 | 10 | processor |',
    );
  });
});

test.each([
  [['--cores', 'many'], '--cores is a number above 0, not "many".'],
  [['--game', 'chess'], 'Nothing was measured of chess at 20 ticks a second.'],
  [['--machine', '1'], "Unknown option '--machine'"],
])('%s is rejected with a message', (words, message) => {
  const { status, stderr } = spawnSync(process.execPath, ['dist/bench/capacity.js', ...words], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(status).toBe(2);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('    at ');
});
