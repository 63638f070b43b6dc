import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { countingGame } from '../cli/support.ts';
import { isBuilt, program } from '../support/program.ts';

// `npm test` builds first. Threads need files that Node can run.
test.skipIf(!isBuilt)('one thread and two find the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-explore-jobs-'));
  writeFileSync(join(folder, 'game.json'), JSON.stringify(countingGame()));
  const run = async (jobs: string, command: string, ...args: string[]): Promise<string> => {
    const all = [command, 'game.json', ...args, '--steps', '9000', '--json', '--jobs', jobs];
    const ended = promisify(execFile)(process.execPath, [program, ...all], { cwd: folder });
    // Findings are reported by an exit code, too.
    return ended.then(
      ({ stdout }) => `0 ${stdout}`,
      ({ code, stdout }: { code: number; stdout: string }) => `${code} ${stdout}`,
    );
  };
  const expressions = ['--never', 'seconds == 3', '--always', 'units < 2'];
  const one = await run('1', 'explore', ...expressions);
  const two = await run('2', 'explore', ...expressions);
  const goal = 'seconds == 3 and units >= 2';
  const reached = await run('1', 'reach', goal);
  expect(reached.slice(0, 3)).toBe('0 {');
  expect(await run('2', 'reach', goal)).toBe(reached);
  rmSync(folder, { recursive: true });
  expect(one.slice(0, 3)).toBe('1 {');
  expect(JSON.parse(one.slice(2)).findings).toHaveLength(2);
  expect(two).toBe(one);
});
