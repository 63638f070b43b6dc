import { expect, test } from 'vitest';
import { compareResults } from '../../src/bench/compare.ts';
import { judge } from '../../src/bench/requirements.ts';
import type { BenchResult } from '../../src/bench/result.ts';
import { requirementOf } from '../../src/cli/bench/requirement.ts';

/** A result with these median ticks, one for each run. */
function result(medians: readonly number[]): BenchResult {
  const runs = medians.map((p50) => ({
    tickMs: { mean: p50, p50, p90: p50, p95: p50, p99: p50, p999: p50, max: p50 },
  }));
  const counters = {
    ticks: 1,
    actions: 100,
    scriptRuns: 1,
    triggers: 1,
    contacts: 0,
    entityVisits: 1,
    outputs: 0,
    faults: 0,
  };
  const scale = { bots: 1, players: 1, counters, hash: 'a', runs, typical: runs[0] };
  const capacity = { players: 8, isReached: true, isFull: false };
  return { games: [{ file: 'g', seed: '0', scales: [scale], capacity, ratio: null }] } as unknown as BenchResult;
}

const judged = (text: string, now: BenchResult, before: BenchResult) =>
  judge(now, [requirementOf(text)], compareResults(now, before));
const told = (text: string, now: readonly number[], before: readonly number[]) =>
  judged(text, result(now), result(before));

test('a ratio fails only if its whole interval is beyond the limit', () => {
  const base = [1, 1.01, 1.02, 1.03, 1.04];
  expect(told('ratio < 1.1', base, base)).toEqual({ unmet: [], undecided: [] });
  const slow = told('ratio < 1.1', [2, 2.01, 2.02, 2.03, 2.04], base);
  expect(slow.unmet).toEqual([
    expect.stringMatching(/^ratio < 1\.1 does not hold: g with 1 bot: ratio is 1\.9\d+ \(1\.9\d+ to 2\.0\d+\)$/),
  ]);
  const noisy = told('ratio < 1.1', [0.9, 1, 1.1, 1.2, 1.4], base);
  expect(noisy.unmet).toEqual([]);
  expect(noisy.undecided).toEqual([expect.stringContaining('a larger --runs')]);
});

test.each([
  'p99.9 < 8 ms',
  'max<=8',
  'faults == 0',
  'players != 2',
  'p95 >= 0.5 * median',
  'before.p99.9 == 1',
  'capacity >= 8',
])('%s holds', (text) => {
  expect(told(text, [1], [1])).toEqual({ unmet: [], undecided: [] });
});

test('a requirement that does not hold says what is', () => {
  expect(told('max < 8 ms', [9], [1]).unmet).toEqual(['max < 8 ms does not hold: g with 1 bot: max is 9']);
  expect(told('capacity >= 9', [9], [1]).unmet).toEqual(['capacity >= 9 does not hold: g with 1 bot: capacity is 8']);
  expect(told('max <= 1.5 * before.max', [9], [1]).unmet).toEqual([
    'max <= 1.5 * before.max does not hold: g with 1 bot: max is 9, before.max is 1',
  ]);
});

test.each([
  ['actions', 'Expected a comparison of a figure with'],
  ['p99 <', 'Expected a comparison of a figure with'],
  ['p99 < 8 s', 'Expected a comparison of a figure with'],
  ['p99 < 8 ms and max < 9 ms', 'Expected a comparison of a figure with'],
  ['actoins < 3', 'Did you mean "actions"?'],
  ['actions < befor.actions', 'Did you mean "before.actions"?'],
  ['p42 < 1 ms', 'No figure is called "p42".'],
])('%s is refused', (text, why) => {
  expect(() => requirementOf(text)).toThrow(why);
});

test('`same` holds only if the game ended in the same state and did the same work', () => {
  const before = result([1]);
  const now = (more: { hash?: string; actions?: number }): BenchResult => {
    const scale = before.games[0]!.scales[0]!;
    const counters = { ...scale.counters, actions: more.actions ?? scale.counters.actions };
    return {
      games: [{ ...before.games[0]!, scales: [{ ...scale, counters, hash: more.hash ?? scale.hash }] }],
    } as never;
  };
  const unmet = (measured: BenchResult) => judged('same', measured, before).unmet;
  expect(unmet(now({}))).toEqual([]);
  for (const measured of [now({ actions: 101 }), now({ hash: 'b' }), now({ actions: 101, hash: 'b' })])
    expect(unmet(measured)).toEqual(['same does not hold: g with 1 bot: same is false']);
});

test('a comparison with a result of another seed cannot be decided', () => {
  const before = result([1]);
  const other = { ...before, games: [{ ...before.games[0]!, seed: '1' }] };
  for (const text of ['same', 'actions <= before.actions', 'ratio < 2'])
    expect(judged(text, result([1]), other).unmet).toEqual([
      `${text} cannot be decided: g with 1 bot: the baseline has another seed, dialect or length`,
    ]);
  expect(judged('actions <= 100', result([1]), other).unmet).toEqual([]);
});
