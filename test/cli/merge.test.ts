import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ResultsFile } from '../../src/sweep/results.ts';
import { countingGame, reenact } from './support.ts';

const counting = `
game: game.json
scenarios:
  - name: time goes by
    each: [{ to: 1 }, { to: 2 }, { to: 3 }]
    steps:
      - { wait: '<to> s' }
      - { expect: 'seconds == <to>' }
  - name: too much is asked
    steps:
      - { wait: 1 s }
      - { expect: seconds == 5 }
  - name: later
    skip: not yet written
    steps: [{ expect: seconds == 0 }]
`;
const ending = `
game: game.json
scenarios:
  - name: a round ends
    steps:
      - { wait: 3 s }
      - { expect: 'state == "gameover"' }
  - name: time goes by
    steps:
      - { wait: 1 s }
      - { expect: seconds == 1 }
`;

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'reenact-merge-'));
  mkdirSync(at('games'));
  writeFileSync(at('games', 'game.json'), JSON.stringify(countingGame()));
  writeFileSync(at('games', 'a.scenario.yaml'), counting);
  writeFileSync(at('games', 'b.scenario.yaml'), ending);
});
afterAll(() => rmSync(folder, { recursive: true }));

const play = (...args: string[]) => reenact(['test', at('games'), '--pictures', '', ...args]);
const merge = (...args: string[]) => reenact(['merge', '--pictures', '', ...args]);

async function parts(name: string, count: number, ...args: string[]): Promise<string> {
  for (let i = 1; i <= count; i++)
    await play('--shard', `${i}/${count}`, '--reporter', `blob=${at(name, `${i}.json`)}`, ...args);
  return at(name);
}

const reports = (name: string): string[] =>
  ['json', 'html', 'junit', 'tap'].flatMap((each) => ['--reporter', `${each}=${at(`${name}.${each}`)}`]);

function expectSameReports(name: string, other: string): void {
  for (const ending of ['json', 'html', 'junit', 'tap'])
    expect(readFileSync(at(`${other}.${ending}`), 'utf8')).toBe(readFileSync(at(`${name}.${ending}`), 'utf8'));
}

describe('parts of a run of scenarios', () => {
  test('each scenario belongs to exactly one part', async () => {
    const listed = async (...args: string[]) => (await play('--list', ...args)).stdout.trim().split('\n');
    const whole = await listed();
    expect(whole).toHaveLength(7);
    expect(await listed('--shard', '2/3')).toEqual([whole[1], whole[4]]);
    const all = await Promise.all([1, 2, 3].map((i) => listed('--shard', `${i}/3`)));
    expect(all.flat().sort()).toEqual(whole.sort());
  });

  test.each([1, 3, 9])('%i merged parts equal the report of one process, byte for byte', async (count) => {
    const whole = await play('--coverage', '--mutate', '--no-times', '--reporter', 'pretty', ...reports('whole'));
    const folder = await parts(`whole-of-${count}`, count, '--coverage', '--mutate');
    const merged = await merge(folder, '--no-times', '--reporter', 'pretty', ...reports('merged'));
    expect({ ...merged, stdout: merged.stdout.replaceAll('merged.', 'whole.') }).toEqual(whole);
    expect(merged.code).toBe(1);
    expectSameReports('whole', 'merged');
    expect(JSON.parse(readFileSync(at('merged.json'), 'utf8'))).toMatchObject({ passed: 5, failed: 1, skipped: 1 });
  });

  test('the HTML page does not need coverage', async () => {
    await play('--no-times', ...reports('plain'));
    await merge(await parts('plain-parts', 2), '--no-times', ...reports('plain-merged'));
    expectSameReports('plain', 'plain-merged');
  });

  test('equal runs write equal parts, apart from times', async () => {
    const written = async (name: string) => {
      await play('--no-times', '--reporter', `blob=${at(name)}`);
      return readFileSync(at(name), 'utf8');
    };
    expect(await written('one.json')).toBe(await written('two.json'));
  });

  test('an empty part is not a failure', async () => {
    const { code, stderr } = await play('--shard', '8/9', '--reporter', `blob=${at('empty.json')}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'notice: part 8/9 contains none of the 7 scenarios\n' });
  });

  test('each part has its own default file name', async () => {
    const { stdout } = await play('--list', '--reporter', 'blob', '--shard', '2/3');
    expect(stdout).not.toBe('');
    const refused = await play('--reporter', 'blob', '--reporter', 'html', '--output', at('x.html'));
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('bad-reporter') });
  });

  test('rejects parts that do not make up a complete run, with the reason', async () => {
    const of3 = await parts('of3', 3);
    const refusal = async (...paths: string[]) => {
      const { code, stderr } = await merge(...paths);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refusal(join(of3, '1.json'), join(of3, '3.json'))).toBe('missing-results: Missing parts: 2 of 3.\n');
    copyFileSync(join(of3, '1.json'), join(of3, '1-again.json'));
    expect(await refusal(of3)).toMatch(/^twice-the-same: \S+1-again\.json and \S+1\.json are both part 1\/3\.\n/);
    const of2 = await parts('of2', 2);
    expect(await refusal(join(of2, '1.json'), join(of3, '2.json'))).toMatch(
      /^other-run: .* different runs: 3 and 2 parts\.\n/,
    );
    const filtered = await parts('filtered', 2, '--filter', 'time');
    expect(await refusal(join(of2, '1.json'), join(filtered, '2.json'))).toMatch(/: different scenarios\.\n/);
    expect(await refusal(at('games', 'game.json'))).toMatch(/^damaged-results: /);
    expect(await refusal(at('games'))).toMatch(/^missing-results: .* contains no results of /);
    expect(await refusal(of2, at('games'))).toBe(
      `missing-results: ${at('games')} contains no results of reenact test --reporter blob or reenact sweep.\n`,
    );
    expect(await refusal(at('nowhere'))).toMatch(/^unreadable-file: /);
  });

  test('coverage needs the game files', async () => {
    const of2 = await parts('changed', 2, '--coverage');
    const before = readFileSync(at('games', 'game.json'), 'utf8');
    writeFileSync(at('games', 'game.json'), JSON.stringify(countingGame({ scripts: {} })));
    const { code, stderr } = await merge(of2);
    writeFileSync(at('games', 'game.json'), before);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^other-game: \S+game\.json changed since the run/),
    });
  });

  test.each(['0/3', '4/3', '2', 'a/b', '1/99999'])('--shard %s is refused', async (text) => {
    expect(await play('--shard', text)).toMatchObject({ code: 2, stderr: expect.stringContaining('part such as 2/8') });
  });

  test.each(['--update', '--watch'])('%s cannot be combined with --shard', async (option) => {
    expect(await play('--shard', '1/2', option)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^conflicting/),
    });
  });
});

test('invalid scenario files are reported once, and the rest is merged', async () => {
  writeFileSync(at('games', 'c.scenario.yaml'), 'game: game.json\nscenarios: 7\n');
  const whole = await play('--no-times');
  const merged = await merge(await parts('flawed', 2), '--no-times');
  rmSync(at('games', 'c.scenario.yaml'));
  expect(merged).toEqual(whole);
  expect(merged).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('bad-scenario: A scenario file is invalid'),
  });
});

describe('parts of a sweep', () => {
  const identity = {
    version: '1',
    document: 'abc',
    plan: { game: 'game.json', dialect: 'standard', bots: [{ count: 0 }], seconds: 1, measures: ['seconds'] },
    paths: ['variables.seconds.default'],
  } as const;
  const settings = [{ path: 'variables.seconds.default', values: [5, 6] }];

  function part(name: string, index: number, count: number, seeds: readonly string[]): string {
    const path = at('sweeps', name);
    const file = new ResultsFile(path, identity);
    file.want({ settings, seeds, shard: { index, count } });
    const plays = settings[0]!.values.flatMap((value) => seeds.map((seed) => ({ point: [value], seed })));
    for (const [position, each] of plays.entries()) {
      if (position % count === index - 1)
        file.add({ ...each, ticks: 20, ending: 'time', answers: [each.point[0]! + Number(each.seed)] });
    }
    return path;
  }

  test('merge to the output of one process, in the order of the runs', async () => {
    const seeds = ['1', '2', '3'];
    const whole = part('whole.jsonl', 1, 1, seeds);
    const halves = [part('second.jsonl', 2, 2, seeds), part('first.jsonl', 1, 2, seeds)];
    for (const format of [['--json'], ['--output', at('sweep.csv')], ['--output', at('sweep.html')]])
      expect(await merge(...halves, ...format)).toEqual(await merge(whole, ...format));
    const { plays }: { plays: { point: [number]; seed: string }[] } = JSON.parse(
      (await merge(...halves, '--json')).stdout,
    );
    expect(plays.map(({ point: [value], seed }) => [value, seed])).toEqual(
      [5, 6].flatMap((v) => seeds.map((s) => [v, s])),
    );
  });

  test('are found in nested folders, as CI systems collect them, and other files are ignored', async () => {
    const seeds = ['1', '2'];
    const paths = [1, 2].map((index) => {
      mkdirSync(at('sweeps', 'artifacts', `shard-${index}`), { recursive: true });
      return part(join('artifacts', `shard-${index}`, 'results.jsonl'), index, 2, seeds);
    });
    writeFileSync(at('sweeps', 'artifacts', 'notes.json'), '{}');
    expect(await merge(at('sweeps', 'artifacts'), '--json')).toEqual(await merge(...paths, '--json'));
  });

  test('are rejected if they do not make up a complete sweep', async () => {
    const first = part('alone.jsonl', 1, 2, ['1', '2']);
    expect(await merge(first)).toMatchObject({
      code: 2,
      stderr: 'missing-results: 2 of 4 runs are missing; add the results of part 2/2.\n',
    });
    expect((await merge(first, part('others.jsonl', 2, 2, ['7']))).stderr).toMatch(
      /^other-sweep: .* different values, seeds or numbers of parts/,
    );
    const blobs = await parts('with-sweep', 1);
    expect((await merge(first, join(blobs, '1.json'))).stderr).toMatch(/^bad-parts: /);
  });
});
