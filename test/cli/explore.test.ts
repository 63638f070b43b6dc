import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { add, countingGame, reenact } from './support.ts';

describe('reenact explore', () => {
  let folder: string;
  let game: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'reenact-explore-'));
    game = join(folder, 'game.json');
    writeGame();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  function writeGame(): void {
    writeFileSync(game, JSON.stringify(countingGame()));
  }

  const common = ['--steps', '1200', '--players', '1..2'];

  test('lists the transitions between states that did not happen, and draws them with dashes', async () => {
    const path = join(folder, 'states.json');
    const picture = join(folder, 'states.svg');
    const set = (value: string) => ({ type: 'setVariable', variableName: 'state', value });
    const scripts = {
      begin: { name: 'begin', triggers: [{ type: 'gameStart' }], actions: [set('round')] },
      end: { name: 'end', triggers: [{ type: 'playerPurchasesUnit' }], actions: [set('over')] },
    };
    writeFileSync(path, JSON.stringify({ variables: { state: { dataType: 'string', default: 'lobby' } }, scripts }));
    const { code, stdout } = await reenact(['explore', path, ...common, '--graph', picture]);
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /\n1 of 2 transitions between states did not happen in this run\n {4}state: any other → over by end\n$/,
      ),
    });
    expect(
      readFileSync(picture, 'utf8')
        .split('<g id=')
        .filter((part) => part.includes('stroke-dasharray')),
    ).toMatchObject([expect.stringContaining('>end<')]);
  });

  test('reports, shrinks and keeps a finding; the next run replays it, and goes on', async () => {
    const corpus = join(folder, 'corpus');
    const first = await reenact(['explore', game, ...common, '--never', 'seconds == 3', '--corpus', corpus]);
    expect(first).toMatchObject({ code: 1, stderr: '' });
    expect(first.stdout).toContain('✗ seconds == 3 holds\n    after 3 s with 0 inputs');
    const [scenario] = /\S+\.scenario\.yaml/.exec(first.stdout)!;
    const tested = await reenact(['test', scenario]);
    expect(tested.code).toBe(1);
    expect(tested.stdout).toContain('expected never: seconds == 3');

    const second = await reenact(['explore', game, ...common, '--never', 'seconds == 3', '--corpus', corpus, '--json']);
    expect(second.code).toBe(1);
    const { findings, standing, playsOfCorpus, plays } = JSON.parse(second.stdout);
    expect([findings, standing]).toEqual([[], ['seconds == 3 holds']]);
    expect(playsOfCorpus).toBeGreaterThan(plays);

    const kept = () =>
      JSON.parse(readFileSync(join(corpus, 'corpus.json'), 'utf8')).findings.map(({ key }: { key: string }) => key);
    // A run that does not look for it does not say that it is gone, and keeps it.
    const third = await reenact(['explore', game, ...common, '--corpus', corpus]);
    expect(third).toMatchObject({ code: 0, stdout: expect.not.stringContaining('gone') });
    expect(kept()).toEqual(['never seconds == 3']);
    expect(third.stdout).toContain('\nnothing wrong found\n');

    writeFileSync(game, JSON.stringify(countingGame({ scripts: {} })));
    const fourth = await reenact(['explore', game, ...common, '--never', 'seconds == 3', '--corpus', corpus]);
    expect(fourth).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ gone: seconds == 3 holds') });
    expect(kept()).toEqual([]);
    writeGame();
  });

  test('a known finding that there is no time to replay is not gone', async () => {
    const corpus = join(folder, 'hasty');
    const run = (...time: string[]) =>
      reenact(['explore', game, ...time, '--players', '1..2', '--never', 'seconds == 3', '--corpus', corpus]);
    expect((await run('--steps', '1200')).code).toBe(1);
    const { code, stdout } = await run('--minutes', '0');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: expect.stringContaining('? 1 known finding not replayed for lack of time\nnothing else found\n'),
    });
  });

  test('a scenario of a fault fails until the fault is gone', async () => {
    const broken = { type: 'setVariable', variableName: 'secondz', value: 1 };
    const scripts = { fault: { name: 'fault', triggers: [{ type: 'secondTick' }], conditions: [], actions: [broken] } };
    writeFileSync(game, JSON.stringify(countingGame({ scripts })));
    const corpus = join(folder, 'faults');
    const { code, stdout } = await reenact(['explore', game, ...common, '--corpus', corpus]);
    expect(code).toBe(1);
    expect(stdout).toContain('✗ no-such-variable at scripts/fault/actions/0');
    const [scenario] = /\S+\.scenario\.yaml/.exec(stdout)!;
    expect((await reenact(['test', scenario])).stdout).toContain('no-such-variable');
    writeFileSync(
      game,
      JSON.stringify(countingGame({ scripts: { fault: { ...scripts.fault, actions: [add('seconds', 0)] } } })),
    );
    expect((await reenact(['explore', game, ...common, '--corpus', corpus])).stdout).toContain('✓ gone:');
    writeGame();
  });

  test('mistakes of the command line', async () => {
    for (const [args, message] of [
      [['--never', 'seconds =='], 'expression-'],
      [['--never', 'secondz == 3'], 'expression-unknown-name'],
      [['--within', 'seconds == 3'], 'bad-within'],
      [['--players', '3..1'], 'Expected a number or a range'],
      [['--players', '0'], 'Expected an integer from 1'],
      [['--steps', '5', '--minutes', '1'], 'conflicting-option'],
    ] as const) {
      const { code, stderr } = await reenact(['explore', game, ...args]);
      expect(code).toBe(2);
      expect(stderr).toContain(message);
    }
    expect(await reenact(['explore', join(folder, 'none.json')])).toMatchObject({ code: 2 });
  });

  test('a damaged corpus is reported, and stays as it is', async () => {
    const corpus = join(folder, 'damaged');
    await reenact(['explore', game, ...common, '--corpus', corpus]);
    const path = join(corpus, 'corpus.json');
    expect(existsSync(path)).toBe(true);
    for (const text of ['{"version":1', '{}', 'null']) {
      writeFileSync(path, text);
      const { code, stderr } = await reenact(['explore', game, ...common, '--corpus', corpus]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('damaged-corpus')]);
      expect(readFileSync(path, 'utf8')).toBe(text);
    }
  });

  test('an interrupted run says so', async () => {
    const { code, stdout } = await reenact(['explore', game, ...common], { interrupt: true });
    expect(code).toBe(130);
    expect(stdout).toContain('\ninterrupted; until then nothing wrong found\n');
  });

  test('reach writes the shortest play that it found, as a journal and a scenario that passes', async () => {
    const output = join(folder, 'reached');
    const { code, stdout } = await reenact([
      'reach',
      game,
      'seconds == 2 and units >= 1',
      ...common,
      '--output',
      output,
    ]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^reached after \S+ s with 1 input: seconds == 2 and units >= 1\n/);
    const [scenario] = /\S+\.scenario\.yaml/.exec(stdout)!;
    expect(await reenact(['test', scenario])).toMatchObject({ code: 0 });
  });

  test('reach says how near it came', async () => {
    const { code, stdout } = await reenact(['reach', game, 'seconds > 99 or state == "won"', ...common]);
    expect(code).toBe(3);
    expect(stdout).toMatch(/^not reached in \d+ plays?, \S+ \S+ in the game: seconds > 99/);
    expect(stdout).toMatch(
      /seconds was between 1 and \d+; set by "every second"\n {4}state was "playing", "gameover"; set by "every second"/,
    );
  });

  test('reach makes a value as large, or a play as short, as it can', async () => {
    const output = join(folder, 'best');
    const run = (...args: string[]) => reenact(['reach', game, ...args, ...common, '--output', output]);
    const most = await run('--maximize', 'seconds', '--within', '4s');
    expect(most.stdout).toMatch(/^seconds is 4 after 4 s with 0 inputs: maximize seconds within 4 s\n/);
    const [scenario] = /\S+\.scenario\.yaml/.exec(most.stdout)!;
    expect(readFileSync(scenario, 'utf8')).toContain('expect: seconds >= 4');
    expect(await reenact(['test', scenario])).toMatchObject({ code: 0 });
    const shortest = await run('units >= 1', '--minimize', 'time', '--json');
    expect(JSON.parse(shortest.stdout)).toMatchObject({ direction: 'minimize', reached: true, value: 0.05, ticks: 1 });

    for (const [args, message] of [
      [[], 'Give an expression'],
      [['--minimize', 'time', '--maximize', 'time'], 'Give either --minimize or --maximize'],
      [['seconds == 1', '--within', 'soon'], 'Expected a time such as 60s or 2 min.'],
      [['--maximize', 'secondz'], 'expression-unknown-name'],
    ] as const)
      expect(await run(...args)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect((await run('--maximize', 'state', '--within', '4s')).code).toBe(3);
  });
});
