import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { add, countingGame } from '../cli/support.ts';
import { script } from '../support/play.ts';
import { isBuilt, program } from '../support/program.ts';

/** The game without its leak: players who leave take their units along. */
function gameText(): string {
  const { data } = countingGame() as { readonly data: { readonly scripts: object } };
  const leaving = { function: 'allUnitsOwnedByPlayer', player: { function: 'getTriggeringPlayer' } };
  const destroyed = { type: 'destroyEntity', entity: { function: 'selectedUnit' } };
  const leave = script('playerLeavesGame', [{ type: 'forAllUnits', unitGroup: leaving, actions: [destroyed] }]);
  Object.assign(data.scripts, { leave });
  return JSON.stringify({ data });
}

// `npm test` builds first. Threads need files that Node can run.
test.skipIf(!isBuilt)('one thread and two find the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-explore-jobs-'));
  writeFileSync(join(folder, 'game.json'), gameText());
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
  writeFileSync(join(folder, 'game.json'), gameText());
  const args = [program, 'explore', 'game.json', '--corpus', 'corpus', '--never', 'seconds == 3', '--json'];
  const running = spawn(process.execPath, [...args, '--minutes', '60', '--jobs', '1'], {
    cwd: folder,
    stdio: 'ignore',
  });
  const ended = once(running, 'exit');
  const path = join(folder, 'corpus', 'corpus.json');
  const corpus = () => JSON.parse(readFileSync(path, 'utf8'));
  // On a busy machine, the corpus is written before there is a finding.
  while (!existsSync(path) || corpus().findings.length === 0) await sleep(50);
  running.kill('SIGKILL');
  await ended;
  const { next, findings } = corpus();
  expect(findings.map(({ key }: { key: string }) => key)).toEqual(['never seconds == 3']);
  const again = promisify(execFile)(process.execPath, [...args, '--steps', '600'], { cwd: folder });
  const { standing, plays, playsOfCorpus } = JSON.parse(
    await again.catch(({ stdout }) => ({ stdout })).then(({ stdout }) => stdout),
  );
  rmSync(folder, { recursive: true });
  expect(standing).toEqual(['seconds == 3 holds']);
  expect(playsOfCorpus).toBe(next + plays);
});

test.skipIf(!isBuilt || process.platform === 'win32')(
  'a run that is terminated names what it has seen but not replayed, with its play',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'reenact-explore-terminated-'));
    const frame = script('frameTick', [{ type: 'repeat', count: 4000, actions: [add('seconds', 0)] }]);
    const { second } = (countingGame() as { data: { scripts: Record<string, object> } }).data.scripts;
    // Its ticks are slow, so that shrinking takes minutes.
    writeFileSync(join(folder, 'game.json'), JSON.stringify(countingGame({ scripts: { second, frame } })));
    const args = [program, 'explore', 'game.json', '--corpus', 'corpus', '--never', 'seconds == 3', '--minutes', '60'];
    const running = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    let [stdout, stderr] = ['', ''];
    running.stdout.on('data', (part) => (stdout += part));
    running.stderr.on('data', (part) => (stderr += part));
    const ended = once(running, 'close');
    // The first line of progress comes after ten seconds.
    running.stderr.once('data', () => running.kill('SIGTERM'));
    expect(await ended).toEqual([130, null]);
    expect(stderr).toMatch(/^(?:first play|.* in the game, )/);
    // On a fast machine it has just been confirmed.
    const told =
      /^interrupted; until then .*\n(?:1 sighting not confirmed by a replay; .*\n)?[?✗] seconds == 3 holds\n {4}after 3 s.*\n {4}reenact view (\S+) --open\n/m;
    const [, journal] = told.exec(stdout)!;
    const verified = promisify(execFile)(process.execPath, [program, 'replay', journal!, '--verify'], { cwd: folder });
    await expect(verified).resolves.toMatchObject({
      stdout: expect.stringMatching(/^\d+ hashes match the recording$/m),
    });
    rmSync(folder, { recursive: true });
  },
);
