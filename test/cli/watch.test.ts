import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

test('reenact run --watch plays the game again when its file changes, also after an unreadable version', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'reenact-watch-')), 'game.json');
  const seconds = { dataType: 'number', default: 0 };
  const play = (title: string): void =>
    writeFileSync(file, JSON.stringify(countingGame({ title, variables: { seconds } })));
  play('First');
  const listeners = new Set<() => void>();
  let stdout = '';
  let stderr = '';
  const steps = [() => writeFileSync(file, '{'), () => play('Second'), () => listeners.forEach((each) => void each())];
  const terminal: Terminal = {
    stdin: (async function* () {})(),
    stdout: {
      write(text) {
        stdout += text;
        // Changes the file once it is watched, as an editor would.
        if (text.startsWith('watching 1 file;')) setTimeout(steps.shift()!, 50);
      },
    },
    stderr: { write: (text) => (stderr += text) },
    env: {},
    onInterrupt(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  expect(await main(['run', file, '--seconds', '2', '--watch'], terminal)).toBe(0);
  expect(stdout.match(/First|Second/g)?.join()).toBe('First,Second');
  expect(stderr).toContain('not-playable');
});

test('rejects what cannot be watched', async () => {
  expect(await reenact(['run', '-', '--watch'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('nothing-to-watch: '),
  });
  expect((await reenact(['run', 'game.json', '--watch', '--json'])).stderr).toContain('conflicting-option');
});
