import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCodes, Failure } from '../../src/cli/failure.ts';
import { watchFiles } from '../../src/cli/watch.ts';
import type { Terminal } from '../../src/text/terminal.ts';

test('the work is done again when a file changes, also after one that was not understood, until an interrupt', async () => {
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
  // As editors do: another file takes its place. What changes while the work is done is not lost either.
  duringThird = () => writeFileSync(file, '4');
  writeFileSync(`${file}.new`, '3');
  renameSync(`${file}.new`, file);
  await watchedAgain(4);
  interrupt();
  expect(await ended).toBe(0);
  expect(runs).toBeGreaterThanOrEqual(4);
});
