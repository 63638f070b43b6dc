import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { exitCodes, Failure } from '../../src/cli/failure.ts';
import { main } from '../../src/cli/program.ts';
import { watchFiles } from '../../src/cli/watch.ts';
import type { Terminal } from '../../src/text/terminal.ts';
import { countingGame, reenact } from './support.ts';

test('repeats the work after each change of a file, also after an invalid one, until an interrupt', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'reenact-watch-')), 'a.scenario.yaml');
  writeFileSync(file, '1');
  let interrupt = (): void => {};
  let told = '';
  let watching = 0;
  let resume = (): void => {};
  const terminal: Terminal = {
    stdin: (async function* () {})(),
    stdout: {
      write() {
        watching++;
        resume();
      },
    },
    stderr: { write: (text) => (told += text) },
    env: {},
    onInterrupt(listener) {
      interrupt = listener;
      return () => {};
    },
  };
  const watchedAgain = (times: number): Promise<void> =>
    new Promise((resolve) => {
      resume = () => watching >= times && resolve();
      resume();
    });
  let runs = 0;
  let duringThird = (): void => {};
  const ended = watchFiles(
    () => ({ files: [file], folders: [], concerns: () => false }),
    async () => {
      if (++runs === 3) duringThird();
      if (runs === 2) throw new Failure('bad-scenario', 'Half written.', exitCodes.usage, ['line 1']);
      return exitCodes.ok;
    },
    terminal,
  );
  await watchedAgain(1);
  writeFileSync(file, '2');
  await watchedAgain(2);
  expect(told).toBe('bad-scenario: Half written.\nline 1\n');
  // As editors do, replaces the file by another one. A change during the work is not lost either.
  duringThird = () => writeFileSync(file, '4');
  writeFileSync(`${file}.new`, '3');
  renameSync(`${file}.new`, file);
  await watchedAgain(4);
  interrupt();
  expect(await ended).toBe(0);
  expect(runs).toBeGreaterThanOrEqual(4);
});

/**
 * Runs a command that watches files. Each time that it waits, the next step is taken; after the last it is interrupted.
 */
async function watching(line: readonly string[], steps: (() => void)[]) {
  const listeners = new Set<() => void>();
  let stdout = '';
  let stderr = '';
  const terminal: Terminal = {
    stdin: (async function* () {})(),
    stdout: {
      write(text) {
        stdout += text;
        // Changes the file once it is watched, as an editor would.
        if (!text.startsWith('watching ')) return;
        setTimeout(steps.shift() ?? (() => listeners.forEach((each) => void each())), 50);
      },
    },
    stderr: { write: (text) => (stderr += text) },
    env: {},
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const code = await main(line, terminal);
  return { code, stdout, stderr };
}

test('reenact run --watch plays the game again when its file changes, also after an unreadable version', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'reenact-watch-')), 'game.json');
  const seconds = { dataType: 'number', default: 0 };
  const play = (title: string): void =>
    writeFileSync(file, JSON.stringify(countingGame({ title, variables: { seconds } })));
  play('First');
  const line = ['run', file, '--seconds', '2', '--watch'];
  const { code, stdout, stderr } = await watching(line, [() => writeFileSync(file, '{'), () => play('Second')]);
  expect(code).toBe(0);
  // Otherwise the process would not end.
  const { getActiveResourcesInfo } = process as unknown as { getActiveResourcesInfo(): string[] };
  await expect.poll(() => getActiveResourcesInfo()).not.toContain('FSEventWrap');
  expect(stdout.match(/First|Second/g)?.join()).toBe('First,Second');
  expect(stderr).toContain('not-playable');
});

test('reenact test --watch plays again when a scenario, its game or the folder changes, also after an invalid file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-watch-'));
  const write = (name: string, content: string): void => writeFileSync(join(folder, name), content);
  const scenario = (seconds: number): string =>
    `game: game.json\nscenarios: [{ name: counts, steps: [{ wait: 2 s }, { expect: seconds == ${seconds} }] }]\n`;
  write('game.json', JSON.stringify(countingGame()));
  write('a.scenario.yaml', scenario(3));
  const { code, stdout, stderr } = await watching(
    ['test', folder, '--watch', '--pictures', ''],
    [
      () => write('a.scenario.yaml', 'scenarios: ['),
      () => write('a.scenario.yaml', scenario(2)),
      () =>
        write(
          'game.json',
          JSON.stringify(countingGame({ variables: { seconds: { dataType: 'number', default: 7 } } })),
        ),
      () => write('b.scenario.yaml', scenario(9)),
    ],
  );
  expect(code).toBe(0);
  expect(stdout.match(/(\d failed, )?\d passed/g)).toEqual([
    '1 failed, 0 passed',
    '0 passed',
    '1 passed',
    '1 failed, 0 passed',
    '2 failed, 0 passed',
  ]);
  expect(stdout.match(/watching \d files?/g)!.at(-1)).toBe('watching 3 files');
  expect(stderr).toContain('bad-scenario');
});

test('rejects what cannot be watched', async () => {
  expect(await reenact(['run', '-', '--watch'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing-to-watch: '),
  });
  expect((await reenact(['run', 'game.json', '--watch', '--json'])).stderr).toContain('conflicting-option');
});

test('keys of a terminal run again in another way, and end watching', async () => {
  const keyboard = Object.assign(new PassThrough(), { isTTY: true, isRaw: false, setRawMode });
  function setRawMode(isRaw: boolean) {
    keyboard.isRaw = isRaw;
    return keyboard;
  }
  let told = '';
  const terminal: Terminal = {
    stdin: keyboard,
    stdout: { write: (text) => (told += text) },
    stderr: { write() {} },
    env: {},
    onInterrupt: () => () => {},
  };
  const pressed: string[] = [];
  const work = async (key: string): Promise<number> => {
    pressed.push(key);
    keyboard.write(key === '' ? 'x' : 'q');
    keyboard.write(key === '' ? 'f' : 'q');
    return exitCodes.ok;
  };
  const nothing = { files: [], folders: [], concerns: () => false };
  expect(await watchFiles(() => nothing, work, terminal, { f: 'run failed' })).toBe(0);
  expect(pressed).toEqual(['', 'f']);
  expect(told).toContain('f run failed, q stop');
  expect(keyboard.isRaw).toBe(false);
});
