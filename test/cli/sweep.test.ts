import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
    interruptAfterMs?: number,
    game = 'game.json',
  ): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [program, 'sweep', game, ...args], { cwd: folder });
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', (part) => (texts.stdout += part));
    child.stderr.on('data', (part) => (texts.stderr += part));
    const interrupt = setTimeout(() => child.kill('SIGINT'), interruptAfterMs ?? 2 ** 31 - 1);
    return new Promise((resolve) => {
      child.on('close', (code) => {
        clearTimeout(interrupt);
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
    const one = await sweep([...common, '--workers', '1', '--json']);
    const two = await sweep([...common, '--workers', '2', '--json']);
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
    const sized = ['--seeds', '1', '--seconds', '2', '--bots', '2'];
    expect(await sweep([...sized, '--measure', 'bot2.name'])).toMatchObject({ code: 0 });
    expect((await sweep([...sized, '--measure', 'bot3.name'])).stderr).toContain('expression-unknown-name');
  });

  test('writes a table or an object of all plays', async () => {
    const { code, stdout } = await sweep([...common, '--output', 'sweep.csv']);
    expect(code).toBe(0);
    expect(stdout).toContain('seconds.default  runs  seconds');
    expect(readFileSync(join(folder, 'sweep.csv'), 'utf8').trim().split('\r\n')).toHaveLength(7);
    const { stdout: json } = await sweep([...common, '--output', 'sweep.json', '--json']);
    expect(readFileSync(join(folder, 'sweep.json'), 'utf8')).toBe(json);
  });

  test('an interrupt prints what was played', async () => {
    const long = ['--seeds', '1..100000', '--seconds', '100', '--measure', 'seconds', '--workers', '1'];
    let done = 0;
    // A busy machine may need longer to start.
    for (let waitMs = 2000; done === 0; waitMs *= 2) {
      const { code, stdout, stderr } = await sweep(long, waitMs);
      expect(code).toBe(130);
      done = Number(/interrupted: (\d+) of 100000 runs are done/.exec(stderr)?.[1]);
      expect(stdout).toMatch(new RegExp(done === 0 ? '^runs +seconds\\n$' : `^runs +seconds\\n${done} `));
    }
  });

  test.each([
    [['--measure', 'secnods'], 'expression-unknown-name'],
    [['--measure', 'secnods'], '\n  secnods\n  ^\n'],
    [['--measure', 'seconds', '--output', '-'], 'invalid-argument'],
    [['--measure', 'seconds', '--set', 'variables.secnds.default=1'], 'unknown-member'],
    [['--measure', 'seconds', '--set', 'variables'], 'path=values'],
    [['--measure', 'seconds', '--seeds', '9..1'], 'ends before it starts'],
    [
      ['--measure', 'seconds', '--seeds', '1..2000', '--set', 'variables.step.default=1..2000'],
      'the maximum is 1000000',
    ],
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
      const args = ['--set', 'variables.@goal.default=20', ...round, '--bots', bots];
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
