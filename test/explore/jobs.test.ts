import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

test.skipIf(!isBuilt)('a run that is killed keeps what it has found, and the next goes on', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-explore-killed-'));
  writeFileSync(join(folder, 'game.json'), JSON.stringify(countingGame()));
  const args = [program, 'explore', 'game.json', '--corpus', 'corpus', '--never', 'seconds == 3', '--json'];
  const running = spawn(process.execPath, [...args, '--minutes', '60', '--jobs', '1'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const ended = once(running, 'exit');
  const path = join(folder, 'corpus', 'corpus.json');
  while (!existsSync(path)) await sleep(50);
  running.kill('SIGKILL');
  await ended;
  const { next, findings } = JSON.parse(readFileSync(path, 'utf8'));
  expect(findings.map(({ key }: { key: string }) => key)).toEqual(['never seconds == 3']);
  const again = promisify(execFile)(process.execPath, [...args, '--steps', '600'], { cwd: folder });
  const { standing, plays, playsOfCorpus } = JSON.parse(
    await again.catch(({ stdout }) => ({ stdout })).then(({ stdout }) => stdout),
  );
  rmSync(folder, { recursive: true });
  expect(standing).toEqual(['seconds == 3 holds']);
  expect(playsOfCorpus).toBe(next + plays);
});
