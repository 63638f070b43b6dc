import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBuilt, program } from '../support/program.ts';
import { countingGame, file, reenact } from './support.ts';

const complete = async (...words: string[]) =>
  (await reenact(['complete', '--', ...words])).stdout.split('\n').slice(0, -1);

describe('completions of a word', () => {
  test('commands and help topics', async () => {
    expect(await complete('')).toEqual(expect.arrayContaining(['run', 'check', 'serve', 'help']));
    expect(await complete('')).not.toContain('complete');
    expect(await complete('re')).toEqual(['replay', 'record', 'reach']);
    expect(await complete('help', 'sche')).toEqual(['schema']);
  });

  test('options of a command, and the values of an option', async () => {
    expect(await complete('run', 'game.json', '--se')).toEqual(['--seed', '--set']);
    expect(await complete('run', 'game.json', '--dialect', '')).toEqual(['standard', 'moddio']);
    expect(await complete('check', '--format', 's')).toEqual(['sarif']);
    expect(await complete('completion', '')).toEqual(['bash', 'zsh', 'fish', 'powershell']);
    expect(await complete('--ver')).toEqual(['--version']);
    expect(await complete('test', '--reporter', 'j')).toEqual(['json', 'junit']);
  });

  test('operations of the script language', async () => {
    expect(await complete('add', 're')).toEqual(['respawn']);
    expect(await complete('ops', 'setEntityAtt')).toContain('setEntityAttributeMax');
    expect(await complete('ops', 'gameSt')).toEqual(['gameStart']);
  });

  test('names of the game, also of a recorded one, and codes', async () => {
    const game = file('game.json', countingGame());
    expect(await complete('print', game, '')).toContain('second');
    expect(await complete('why', game, 'sec')).toEqual(['seconds']);
    expect(await complete('reach', game, 'sec')).toEqual(['seconds']);
    expect(await complete('run', game, '--until', 'se')).toEqual(['seconds']);
    expect(await complete('explore', '--jobs', '1', game, '--never', '')).toContain('seconds');
    expect(await complete('explore', 'nowhere.json', '--never', '')).toEqual([]);
    const journal = file('play.rj', '');
    await reenact(['run', game, '--for', '1s', '--record', journal]);
    expect(await complete('why', journal, 'sec')).toEqual(['seconds']);
    expect(await complete('codes', 'unused-var')).toEqual(['unused-variable']);
  });

  test('nothing for file names and free values', async () => {
    for (const words of [
      ['run', ''],
      ['run', 'game.json', '--seed', ''],
      ['dance', ''],
    ])
      expect(await complete(...words)).toEqual([]);
  });
});

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

describe('in a shell', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'reenact-completion-'));
    writeFileSync(join(folder, 'reenact'), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`, { mode: 0o755 });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const run = (shell: string, script: string) =>
    spawnSync(shell, ['-c', script], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env['PATH']}` },
    });

  test.skipIf(!isBuilt || !has('bash'))('bash (skipped if it is not installed, or nothing is built)', () => {
    const { stdout, stderr } = run(
      'bash',
      'eval "$(reenact completion bash)"; COMP_WORDS=(reenact run game.json --dialect m); COMP_CWORD=4; _reenact; printf "%s\n" "$COMPREPLY"',
    );
    expect({ stdout, stderr }).toEqual({ stdout: 'moddio\n', stderr: '' });
  });

  test.skipIf(!isBuilt || !has('fish'))('fish (skipped if it is not installed, or nothing is built)', () => {
    const { stdout } = run('fish', "reenact completion fish | source; complete -C 'reenact run game.json --dialect m'");
    expect(stdout).toBe('moddio\n');
  });

  test.skipIf(!isBuilt || !has('zsh'))(
    'zsh understands its script (skipped where it is not there, or not built)',
    () => {
      const { status, stderr } = run(
        'zsh',
        'autoload -U compinit; compinit -u -D; eval "$(reenact completion zsh)"; whence -w _reenact',
      );
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    },
  );
});
