import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBuilt, program } from '../support/program.ts';
import { countingGame, reenact } from './support.ts';

// `npm test` builds first. Threads need files that Node can run.
describe.skipIf(!isBuilt)('reenact sweep (skipped if nothing is built)', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'reenact-sweep-'));
    const variables = { seconds: { dataType: 'number', default: 0 }, step: { dataType: 'number', default: 1 } };
    writeFileSync(join(folder, 'game.json'), JSON.stringify(countingGame({ variables })));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function sweep(
    args: readonly string[],
    interruptOn?: RegExp,
    game = 'game.json',
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [program, 'sweep', game, ...args], { cwd: folder });
    const texts = { stdout: '', stderr: '' };
    let isInterrupted = false;
    child.stdout.on('data', (part) => (texts.stdout += part));
    child.stderr.on('data', (part) => (texts.stderr += part));
    const look = setInterval(() => {
      const kept = existsSync(join(folder, 'kept.jsonl')) ? readFileSync(join(folder, 'kept.jsonl'), 'utf8') : '';
      if (isInterrupted || interruptOn === undefined || !interruptOn.test(kept)) return;
      isInterrupted = true;
      child.kill('SIGINT');
    }, 5);
    return new Promise((resolve) => {
      child.on('close', (code) => {
        clearInterval(look);
        resolve({ code, ...texts });
      });
    });
  }

  const common = [
    '--seeds',
    '1..3',
    '--seconds',
    '2',
    '--set',
    'variables.seconds.default=0..1',
    '--measure',
    'seconds',
  ];

  test('runs all combinations, with the same results on any number of threads', async () => {
    const one = await sweep([...common, '--workers', '1', '--json', '--results', 'one.jsonl']);
    const two = await sweep([...common, '--workers', '2', '--json', '--results', 'two.jsonl']);
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(two).toEqual(one);
    const { points, plays } = JSON.parse(one.stdout);
    expect(plays).toHaveLength(6);
    expect(
      points.map(({ point, measures }: never) => [
        point,
        (measures as { estimate: { value: number } }[])[0]!.estimate.value,
      ]),
    ).toEqual([
      [[0], 2],
      [[1], 3],
    ]);
  });

  test('a measure can only refer to players of the sweep', async () => {
    const sized = ['--seeds', '1', '--seconds', '2', '--bots', '2', '--results', 'bots.jsonl'];
    expect(await sweep([...sized, '--measure', 'bot2.name'])).toMatchObject({ code: 0 });
    expect((await sweep([...sized, '--measure', 'bot3.name'])).stderr).toContain('expression-unknown-name');
  });

  test('writes a page and a table of all plays', async () => {
    const { code, stdout } = await sweep([...common, '--output', 'sweep.html', '--output', 'sweep.csv']);
    expect(code).toBe(0);
    expect(stdout).toContain('seconds.default  runs  seconds');
    expect(readFileSync(join(folder, 'sweep.csv'), 'utf8').trim().split('\r\n')).toHaveLength(7);
    const page = readFileSync(join(folder, 'sweep.html'), 'utf8');
    expect(page).toContain('<h1>Sweep of Counting</h1>');
    expect(page).not.toMatch(/(?:src|href)="?https?:/);
    expect(readdirSync(join(folder, '.reenact'))).toContain('.gitignore');
  });

  test('resumes after an interrupt with the same result', async () => {
    const timed = (seconds: number) => ['--seeds', '1..20', '--seconds', `${seconds}`, '--measure', 'seconds'];
    let seconds = 200;
    let long: readonly string[];
    let first: Awaited<ReturnType<typeof sweep>>;
    // On a busy machine, all runs may finish before the interrupt arrives.
    do {
      rmSync(join(folder, 'kept.jsonl'), { force: true });
      long = [...timed(seconds), '--results', 'kept.jsonl'];
      first = await sweep([...long, '--workers', '1'], /\n.*\n.*\n/);
      seconds *= 3;
    } while (first.code === 0 && seconds < 100_000);
    expect(first.code).toBe(130);
    const done = Number(/interrupted: (\d+) of 20/.exec(first.stderr)?.[1]);
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(20);
    const rest = await sweep([...long, '--json']);
    expect(rest.code).toBe(0);
    expect(rest.stderr).toMatch(/^notice: \d+ runs? of 20 already have results/);
    const fresh = await sweep([...long, '--json', '--results', 'fresh.jsonl']);
    expect(fresh.stdout).toBe(rest.stdout);
  });

  test.each([
    [['--measure', 'secnods'], 'expression-unknown-name'],
    [['--measure', 'secnods'], '\n  secnods\n  ^\n'],
    [['--measure', 'seconds', '--results', 'game.json/kept.jsonl'], 'cannot-write: game.json/kept.jsonl: '],
    [['--measure', 'seconds', '--output', '-'], 'invalid-argument'],
    [['--measure', 'seconds', '--set', 'variables.secnds.default=1'], 'unknown-member'],
    [['--measure', 'seconds', '--set', 'variables'], 'bad-setting'],
    [['--measure', 'seconds', '--seeds', '9..1'], 'bad-values'],
    [['--measure', 'seconds', '--output', 'x.pdf'], 'bad-output'],
    [[], 'mandatory'],
  ])('reports mistakes before the first run: %j', async (args, code) => {
    const outcome = await sweep(args);
    expect(outcome).toMatchObject({ code: 2, stdout: '' });
    expect(outcome.stderr).toContain(code);
  });

  test('players who play well change the verdict on a round', async () => {
    const round = [
      '--seconds',
      '45',
      '--until',
      'state == "over"',
      '--measure',
      'state == "over"',
      '--seeds',
      '1',
      '--tries',
      '3',
    ];
    const shareWith = async (bots: string): Promise<number> => {
      const args = [
        '--set',
        'variables.@goal.default=20',
        ...round,
        '--bots',
        bots,
        '--results',
        `${bots.length}.jsonl`,
      ];
      const { stdout } = await sweep([...args, '--json'], undefined, resolve('templates/coins/game.json'));
      return JSON.parse(stdout).points[0].measures[0].estimate.value;
    };
    expect([await shareWith('1'), await shareWith('winner:coins')]).toEqual([0, 1]);
  });

  test('run --set repeats one point of a sweep', async () => {
    const game = join(folder, 'game.json');
    const { stdout } = await reenact(['run', game, '--seconds', '2', '--set', 'variables.seconds.default=1', '--json']);
    expect(JSON.parse(stdout).variables.seconds).toBe(3);
    expect(await reenact(['run', game, '--set', 'variables.secnds.default=1'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('unknown-member: The definition has no'),
    });
  });
});
