import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { game, reordered, say, script } from '../review/games.ts';
import { program } from '../support/program.ts';

const command = `'${process.execPath}' '${program}'`;
const folder = mkdtempSync(join(tmpdir(), 'reenact-git-'));
const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null' } });
const shell = (line: string): string => {
  try {
    return execFileSync('bash', ['-c', `${line}; echo "exit $?"`], { cwd: folder, encoding: 'utf8' });
  } catch (error) {
    return String((error as { stdout?: string }).stdout);
  }
};
const write = (value: unknown): void => writeFileSync(join(folder, 'game.json'), JSON.stringify(value));

beforeAll(() => {
  git('init', '-q', '-b', 'main');
  git('config', 'user.email', 'a@example.org');
  git('config', 'user.name', 'A');
  git('config', 'diff.reenact.textconv', `${command} print`);
  writeFileSync(join(folder, '.gitattributes'), 'game.json diff=reenact\n');
  write(game());
  git('add', '.');
  git('commit', '-q', '-m', 'first');
});

test('git diff shows nothing for another order of keys, and a line for a changed action', () => {
  write(reordered(game()));
  const lines = git('diff')
    .split('\n')
    .filter((line) => /^[+-] /.test(line));
  // Tile layers are a list, so only the order of scripts could differ, and it is not part of the text.
  expect(lines).toEqual([]);
  write(game({ scripts: { start: script('starts', [say('one'), say('other')]) } }));
  expect(git('diff')).toContain('\n-  sendChatMessage message: "two"\n');
  expect(git('diff')).toContain('\n+  sendChatMessage message: "other"\n');
});

test('diff reads a revision from standard input, from a substituted process, and from git difftool', () => {
  write(game({ settings: { gravity: { x: 0, y: 5 } } }));
  const expected = 'settings: changed\n\nsettings\n~ settings\n-   gravity: x 0, y 0\n+   gravity: x 0, y 5\nexit 1\n';
  expect(shell(`git show HEAD:game.json | ${command} diff - game.json`)).toBe(expected);
  expect(shell(`${command} diff <(git show HEAD:game.json) game.json`)).toBe(expected);
  expect(shell(`git difftool --no-prompt --extcmd "${command} diff" HEAD -- game.json`)).toContain(
    '+   gravity: x 0, y 5\n',
  );
  writeFileSync(join(folder, 'old.json.gz'), new Uint8Array(gzipSync(JSON.stringify(game()))));
  expect(shell(`git show HEAD:game.json | ${command} diff old.json.gz -`)).toBe('no difference\nexit 0\n');
  expect(shell(`${command} diff nowhere.json game.json 2>&1`)).toMatch(/^unreadable-file: .*\nexit 2\n$/);
});

test('test --changed plays what differs from a commit, and what is not in git', () => {
  const scenario = (name: string, file: string) =>
    writeFileSync(
      join(folder, `${name}.scenario.yaml`),
      `game: ${file}\nscenarios:\n  - name: ${name}\n    steps: [{ wait: 0.1 s }]\n`,
    );
  git('checkout', '-q', '--', '.');
  writeFileSync(join(folder, 'other.json'), JSON.stringify(game()));
  for (const name of ['one', 'two']) scenario(name, 'game.json');
  scenario('three', 'other.json');
  git('add', '.');
  git('commit', '-q', '-m', 'scenarios');
  const listed = (...args: string[]) =>
    shell(`${command} test . --list ${args.join(' ')}`).match(/(?<= {2})\w+$/gm) ?? [];
  expect(listed()).toEqual(['one', 'three', 'two']);
  expect(listed('--changed')).toEqual([]);
  writeFileSync(
    join(folder, 'two.scenario.yaml'),
    'game: game.json\nscenarios: [{ name: two, steps: [{ wait: 1 s }] }]\n',
  );
  scenario('four', 'game.json');
  writeFileSync(join(folder, 'other.json'), JSON.stringify({ ...game(), changed: 1 }));
  expect(listed('--changed')).toEqual(['four', 'three', 'two']);
  expect(listed('--changed', 'HEAD~1')).toEqual(['four', 'one', 'three', 'two']);
  expect(shell(`${command} test . --changed nowhere 2>&1`)).toContain('bad-option: --changed: git diff failed');
});
