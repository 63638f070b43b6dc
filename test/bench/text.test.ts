import { describe, expect, test } from 'vitest';
import { bench, capacityOf } from '../../src/bench/bench.ts';
import type { BenchResult, ScaleResult } from '../../src/bench/result.ts';
import { measureRun, type RunOptions } from '../../src/bench/run.ts';
import { benchText, widthMax } from '../../src/bench/text.ts';
import { load } from '../support/play.ts';

const options: RunOptions = {
  dialect: 'standard',
  seed: '0',
  bots: 0,
  warmUpSeconds: 1,
  seconds: 1,
  interrupted: () => false,
  progress: () => {},
};

async function measured(): Promise<BenchResult> {
  const contestants = [{ file: 'game.json', game: load() }];
  return (await bench(contestants, { ...options, version: '0', bots: [0], runs: 1, progress: () => {} })).result;
}

function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('garbage collections are counted with their total and their longest pause', async () => {
  const garbage: unknown[] = [];
  const interrupted = (): boolean => {
    // A new array for each tick, as many as the young generation of the heap holds for a few ticks.
    garbage[0] = Array.from({ length: 100_000 }, (_, i) => ({ i }));
    return false;
  };
  const { gc } = (await measureRun(load(), { ...options, seconds: 3, interrupted }))!.result;
  expect(gc.pauses).toBeGreaterThan(1);
  expect(gc.longestMs).toBeGreaterThanOrEqual(gc.totalMs / gc.pauses);
  expect(gc.longestMs).toBeLessThanOrEqual(gc.totalMs);
});

describe('an interrupt', () => {
  test('takes effect within a few ticks, even if ticks are slow', async () => {
    let isInterrupted = false;
    let asked = 0;
    const interrupted = (): boolean => {
      asked++;
      busy(15);
      return isInterrupted;
    };
    setTimeout(() => {
      isInterrupted = true;
    }, 0);
    const run = await measureRun(load(), { ...options, warmUpSeconds: 0, interrupted });
    expect(asked).toBeLessThan(10);
    expect(run === undefined || run.result.ticks < 10).toBe(true);
  });

  test('before the first measured tick leaves no result', async () => {
    expect(await measureRun(load(), { ...options, interrupted: () => true })).toBeUndefined();
  });
});

test('tables from a slow machine are as narrow as others', async () => {
  const result = await measured();
  const [game] = result.games;
  const [scale] = game!.scales;
  const ms = 4321.987654;
  const tickMs = { mean: ms, p50: ms, p90: ms, p95: ms, p99: ms, p999: ms, max: ms };
  const slow: ScaleResult = {
    ...scale!,
    bots: 1000,
    players: 1000,
    typical: { ...scale!.typical, tickMs, budgetShare: 86.4, ticksOverBudget: 1234 },
  };
  const text = benchText({ ...result, games: [{ ...game!, scales: [slow] }] }, undefined);
  expect(text.split('\n').filter((line) => line.length > widthMax)).toEqual([]);
});

test('a game counts as full if it refused players, even if some left later', async () => {
  const [scale] = (await measured()).games[0]!.scales;
  const with40 = { ...scale!, bots: 40, players: 31 };
  expect(capacityOf([{ ...with40, playersMax: 32 }], 1e6)).toEqual({ players: 32, isReached: false, isFull: true });
  expect(capacityOf([{ ...with40, playersMax: null }], 1e6)).toEqual({ players: 31, isReached: false, isFull: false });
});
