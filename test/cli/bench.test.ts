import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BenchResult } from '../../src/bench/result.ts';
import { countingGame, file, reenact } from './support.ts';

const game = file('bench-game.json', countingGame({}));
const short = ['--seconds', '1', '--runs', '1', '--bots', '0'];

/** Text wrapped at 80 columns. */
function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

describe('reenact bench', () => {
  test('prints the ticks, the scripts and how many players the game holds', async () => {
    const { code, stdout } = await reenact(['bench', game, '--seconds', '1', '--runs', '2', '--bots', '0,2']);
    expect(code).toBe(0);
    expect(onOneLine(stdout)).toContain('1 s measured after 1 s of warm-up, median of 2 runs');
    expect(stdout).toMatch(/this game holds (at least )?\d+ players? at 20 Hz/);
    expect(stdout).toMatch(/scripts {2,}calls/);
  });

  test('--json has its schema, a scale per number of bots, and counters that do not depend on time', async () => {
    const run = async (): Promise<BenchResult> => {
      const { stdout } = await reenact(['bench', game, '--seconds', '1', '--runs', '2', '--bots', '0,3', '--json']);
      return JSON.parse(stdout) as BenchResult;
    };
    const [first, second] = [await run(), await run()];
    expect(first.schema).toBe('reenact-bench/1');
    const facts = ({ games }: BenchResult) =>
      games[0]!.scales.map(({ bots, counters, hash, deterministic }) => ({ bots, counters, hash, deterministic }));
    expect(facts(first)).toEqual(facts(second));
    expect(facts(first).map(({ bots }) => bots)).toEqual([0, 3]);
    expect(facts(first).every(({ deterministic }) => deterministic)).toBe(true);
    const { typical, counters } = first.games[0]!.scales[0]!;
    expect(counters.ticks).toBe(40);
    expect(typical.timesMs).toHaveLength(20);
    expect(typical.tickMs.p50).toBeLessThanOrEqual(typical.tickMs.max);
  });

  test('a comparison with a baseline works for the same game, and fails for one that behaves differently', async () => {
    const saved = file('bench-baseline.json', '');
    expect((await reenact(['bench', game, ...short, '--save', saved])).code).toBe(0);
    const same = await reenact(['bench', game, ...short, '--baseline', saved]);
    expect(same.code).toBe(0);
    expect(same.stdout).toContain('same hash');

    const result = JSON.parse(readFileSync(saved, 'utf8')) as BenchResult;
    const scale = result.games[0]!.scales[0]!;
    const other = { ...scale, hash: '0000000000000000', counters: { ...scale.counters, actions: 1 } };
    const changed = file('bench-changed.json', { ...result, games: [{ ...result.games[0]!, scales: [other] }] });
    const worse = await reenact(['bench', game, ...short, '--baseline', changed]);
    expect(worse.code).toBe(0);
    const required = await reenact(['bench', game, ...short, '--baseline', changed, '--require', 'same']);
    expect(required.code).toBe(1);
    expect(onOneLine(required.stderr)).toMatch(/^requirement: same does not hold: \S+ with 0 bots: same is false $/);
    const counted = [
      '--require',
      'actions <= 2 * before.actions',
      '--require',
      'ratio < 1000',
      '--require',
      'before.ticks == 40',
    ];
    const more = await reenact(['bench', game, ...short, '--baseline', changed, ...counted]);
    expect(more.code).toBe(1);
    expect(onOneLine(more.stderr)).toMatch(
      /^requirement: actions <= 2 \* before\.actions does not hold: \S+ with 0 bots: actions is \d+, before\.actions is 1 $/,
    );
    expect(onOneLine(worse.stdout)).toMatch(
      /INVALID, because the game no longer plays the same \(actions 1 -> \d+\); a tick costs \d+\.\d+ times as much as in the baseline, but does different work/,
    );

    const longer = await reenact(['bench', game, '--seconds', '2', '--runs', '1', '--bots', '0', '--baseline', saved]);
    expect(onOneLine(longer.stdout)).toContain('another seed, dialect or length');
    expect(longer.code).toBe(0);
    const incomparable = [
      '--seconds',
      '2',
      '--runs',
      '1',
      '--bots',
      '0',
      '--baseline',
      saved,
      '--require',
      'ratio < 9',
    ];
    expect(onOneLine((await reenact(['bench', game, ...incomparable])).stderr)).toContain(
      'ratio < 9 cannot be decided',
    );
  });

  test('several games take turns and are compared', async () => {
    const { stdout } = await reenact(['bench', game, game, '--seconds', '1', '--runs', '3', '--bots', '0', '--json']);
    const { games } = JSON.parse(stdout) as BenchResult;
    expect(games.map(({ ratio }) => ratio === null)).toEqual([true, false]);
    expect(games[1]!.ratio!.low).toBeLessThanOrEqual(games[1]!.ratio!.value);
  });

  test('writes a line per tick and a profile', async () => {
    const csv = file('bench.csv', '');
    const profile = file('bench-profile.json', '');
    await reenact(['bench', game, ...short, '--save', csv, '--profile', profile]);
    expect(readFileSync(csv, 'utf8').trimEnd().split('\n')).toHaveLength(21);
    expect(JSON.parse(readFileSync(profile, 'utf8'))).toMatchObject({ exporter: 'reenact' });
  });

  test('reports an invalid baseline and an output path that cannot be written', async () => {
    const none = await reenact(['bench', game, ...short, '--baseline', file('no-baseline.json', '{}')]);
    expect([none.code, none.stderr.split(':')[0]]).toEqual([2, 'unreadable-baseline']);
    const nowhere = await reenact(['bench', game, ...short, '--save', join(game, 'all.json')]);
    expect([nowhere.code, nowhere.stderr.split(':')[0]]).toEqual([2, 'cannot-write']);
  });

  test('an interrupt before anything is measured says so', async () => {
    expect(await reenact(['bench', game, ...short], { interrupt: true })).toEqual({
      code: 130,
      stdout: '',
      stderr: 'interrupted: nothing was measured yet\n',
    });
  });

  test('--rate measures at another frame rate, and counts as many ticks', async () => {
    const { stdout } = await reenact(['bench', game, ...short, '--rate', '60', '--json']);
    const [result] = (JSON.parse(stdout) as BenchResult).games;
    expect(result).toMatchObject({ ticksPerSecond: 60, budgetMs: 1000 / 60 });
    expect(result!.scales[0]!.counters.ticks).toBe(120);
  });

  test('requirements are gates: exit code 1, and a line for each that does not hold', async () => {
    const met = await reenact(['bench', game, ...short, '--require', 'p99 < 10000 ms', '--require', 'max <= 10000']);
    expect(met).toMatchObject({ code: 0, stderr: '' });
    const missed = await reenact(['bench', game, ...short, '--require', 'p50 < 0 ms', '--require', 'capacity >= 5']);
    expect(missed.code).toBe(1);
    expect(onOneLine(missed.stderr)).toMatch(
      /^requirement: p50 < 0 ms does not hold: \S+ with 0 bots: p50 is \d+\.\d{3} requirement: capacity >= 5 does not hold: \S+ with 0 bots: capacity is 0 $/,
    );
    const words = missed.stderr.split('\n').filter((line) => line.trim().includes(' '));
    expect(words.filter((line) => line.length > 80 && !line.includes(game))).toEqual([]);
    const wrong = await reenact(['bench', game, ...short, '--require', 'p42 < 1 ms']);
    expect(wrong).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('No figure is called "p42".') });
    const alone = await reenact(['bench', game, ...short, '--require', 'ratio < 1.1']);
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('needs --baseline or several games') });
  });

  test('says if a game accepts no more players', async () => {
    const small = file('bench-small.json', countingGame({ defaultData: { frameRate: 20, defaultMaxPlayers: 2 } }));
    const { stdout } = await reenact(['bench', small, '--seconds', '1', '--runs', '1', '--bots', '5']);
    expect(onOneLine(stdout)).toMatch(/this game holds at least 2 players .*; the game admits at most 2 players/);
  });
});
