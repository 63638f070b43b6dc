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
  const args = [
    'explore',
    'game.json',
    '--steps',
    '6000',
    '--never',
    'seconds == 3',
    '--always',
    'units < 2',
    '--json',
  ];
  const run = async (jobs: string): Promise<string> => {
    const ended = promisify(execFile)(process.execPath, [program, ...args, '--jobs', jobs], { cwd: folder });
    // Findings are reported by an exit code, too.
    return ended.then(
      () => '',
      ({ code, stdout }: { code: number; stdout: string }) => `${code} ${stdout}`,
    );
  };
  const one = await run('1');
  const two = await run('2');
  rmSync(folder, { recursive: true });
  expect(one.slice(0, 3)).toBe('1 {');
  expect(JSON.parse(one.slice(2)).findings).toHaveLength(2);
  expect(two).toBe(one);
});
