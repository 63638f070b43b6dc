import { expect, test } from 'vitest';
import { judge, requirementOf } from '../../src/bench/requirements.ts';
import type { BenchResult } from '../../src/bench/result.ts';

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
  return { games: [{ file: 'g', seed: '0', scales: [scale], ratio: null }] } as unknown as BenchResult;
}

const told = (text: string, now: readonly number[], before: readonly number[]) =>
  judge(result(now), [requirementOf(text)], undefined, result(before));

test('a ratio fails only if its whole interval is beyond the limit', () => {
  const base = [1, 1.01, 1.02, 1.03, 1.04];
  expect(told('ratio < 1.1', base, base)).toEqual({ unmet: [], undecided: [] });
  const slow = told('ratio < 1.1', [2, 2.01, 2.02, 2.03, 2.04], base);
  expect(slow.unmet).toEqual([
    expect.stringMatching(/^ratio < 1\.1 does not hold: g with 1 bot: ratio is 1\.9\d+ \(1\.9\d+ to 2\.0\d+\)$/),
  ]);
  const noisy = told('ratio < 1.1', [0.9, 1, 1.1, 1.2, 1.4], base);
  expect(noisy.unmet).toEqual([]);
  expect(noisy.undecided).toEqual([expect.stringContaining('more --runs')]);
});

test('figures with units, names with dots, and names that are words of expressions', () => {
  expect(told('p99.9 < 8 ms and max <= 8 and faults == 0 and players == 1', [1], [1]).unmet).toEqual([]);
  expect(told('max < 8 ms', [9], [1]).unmet).toEqual(['max < 8 ms does not hold: g with 1 bot: max is 9']);
  expect(() => requirementOf('actions')).toThrow('A requirement is a comparison');
  expect(() => requirementOf('actoins < 3')).toThrow('Did you mean "actions"?');
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
  const unmet = (measured: BenchResult) => judge(measured, [requirementOf('same')], undefined, before).unmet;
  expect(unmet(now({}))).toEqual([]);
  for (const measured of [now({ actions: 101 }), now({ hash: 'b' }), now({ actions: 101, hash: 'b' })])
    expect(unmet(measured)).toEqual(['same does not hold: g with 1 bot: same is false']);
});

test('a comparison with a result of another seed cannot be decided', () => {
  const before = result([1]);
  const other = { ...before, games: [{ ...before.games[0]!, seed: '1' }] };
  for (const text of ['same', 'actions <= before.actions', 'ratio < 2'])
    expect(judge(result([1]), [requirementOf(text)], undefined, other).unmet).toEqual([
      `${text} cannot be decided: g with 1 bot: the baseline has another seed, dialect or length`,
    ]);
  expect(judge(result([1]), [requirementOf('actions <= 100')], undefined, other).unmet).toEqual([]);
});

test('a required number of players is met, or the reason says what would help', () => {
  const measured = result([1]);
  const why = (capacity: BenchResult['games'][number]['capacity'], least: number) => {
    return judge({ ...measured, games: [{ ...measured.games[0]!, capacity }] }, [], least, undefined);
  };
  const unmet = (reason: string) => ({ unmet: [`9 players required: ${reason}`], undecided: [] });
  expect(why({ players: 9, isReached: true, isFull: false }, 9)).toEqual({ unmet: [], undecided: [] });
  expect(why({ players: 8, isReached: true, isFull: false }, 9)).toEqual(unmet('g holds 8'));
  expect(why({ players: 1, isReached: false, isFull: false }, 9)).toEqual(
    unmet('g was tried with 1 bot at most; --bots 9 tries more'),
  );
  expect(why({ players: 8, isReached: false, isFull: true }, 9)).toEqual(unmet('g takes 8 players at most'));
});
