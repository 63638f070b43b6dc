import { afterEach, expect, test, vi } from 'vitest';
import { exploreGame } from '../../src/explore/explore.ts';
import { Examination } from '../../src/explore/finding/examination.ts';
import type { ExplorePlan } from '../../src/explore/searching/plan.ts';
import { newProgress } from '../../src/explore/searching/progress.ts';
import { StatusLine } from '../../src/text/status-line.ts';
import { countingGame, file, reenact } from '../cli/support.ts';
import { calculate, each, gameOf, planOf, rate, set, variable } from './support.ts';

/** A game whose ticks take long enough for shrinking to take about a minute. */
const slow = () =>
  gameOf(
    {
      frame: each('frameTick', {
        type: 'repeat',
        count: 1000,
        actions: [set('work', calculate(variable('work'), '+', 1))],
      }),
      // Units stay when their player leaves; without this they would become more with each who comes back, a true leak.
      leave: each('playerLeavesGame', {
        type: 'forAllUnits',
        unitGroup: { function: 'allUnitsOwnedByPlayer', player: { function: 'getTriggeringPlayer' } },
        actions: [{ type: 'destroyEntity', entity: { function: 'selectedUnit' } }],
      }),
      second: each('secondTick', set('time', calculate(variable('time'), '+', 1))),
    },
    { variables: { time: { dataType: 'number', default: 0 }, work: { dataType: 'number', default: 0 } } },
  );

const budgetMs = 12_000;
/** Other work of the machine delays the ends of tasks, but by nothing like the minutes that shrinking would take. */
const patienceMs = 25_000;

async function exploredFor(more: Partial<ExplorePlan>) {
  const startMs = performance.now();
  const found = await exploreGame({
    plan: planOf({ players: [8, 8], ...more }),
    game: slow(),
    rate,
    budget: { ms: budgetMs },
    jobs: 1,
    progress: newProgress(),
    onProgress() {},
    signal: new AbortController().signal,
  });
  const ms = performance.now() - startMs;
  return { ...found, ms };
}

test('the time for exploring includes shrinking: what it leaves no time for is named, with its play', async () => {
  const { findings, unexamined, unconfirmed, ms } = await exploredFor({ never: ['time >= 10'] });
  expect(ms).toBeLessThan(patienceMs);
  expect([...findings, ...unexamined].map(({ key }) => key)).toEqual(['never time >= 10']);
  expect(unconfirmed).toEqual([]);
  for (const { journal } of unexamined) expect(journal).toBeInstanceOf(Uint8Array);
});

test('the time for exploring includes the forks in which bots look for a way on, and nothing is said of a dead end', async () => {
  const reachable = [{ seconds: 600, expression: 'time < 0' }];
  const { findings, unexamined, ms } = await exploredFor({ reachable });
  expect(ms).toBeLessThan(patienceMs);
  expect([findings, unexamined]).toEqual([[], []]);
});

test('what was seen but not replayed for lack of time fails the run: only a run that saw nothing wrong passes', async () => {
  const game = file('counting.json', countingGame());
  const options = ['--steps', '1200', '--players', '1..2', '--corpus', `${game}-corpus`];
  const run = (never: string) => reenact(['explore', game, ...options, '--never', never]);
  const noTime = vi.spyOn(Examination.prototype, 'next').mockReturnValue(undefined);
  const seen = await run('seconds == 3');
  noTime.mockRestore();
  expect(seen).toMatchObject({ code: 1, stdout: expect.stringContaining('1 sighting not confirmed by a replay') });
  expect(seen.stdout).toContain('nothing confirmed');
  expect((await run('seconds == 900')).code).toBe(0);
});

afterEach(() => {
  vi.useRealTimers();
});

test('where progress cannot be shown in place, a line says it every ten seconds', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let text = '';
  const status = new StatusLine({ write: (part) => (text += part) }, 10_000);
  for (let second = 1; second <= 25; second++) {
    vi.advanceTimersByTime(1000);
    status.showProgress(`${second} s`, 0);
  }
  status.clear();
  expect(text).toBe('10 s\n20 s\n');
});
