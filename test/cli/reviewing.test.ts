import { describe, expect, test } from 'vitest';
import { game, say, script } from '../review/games.ts';
import { countingGame, file, reenact } from './support.ts';

describe('print', () => {
  test('prints one script, by key or by name', async () => {
    const path = file('print.json', game());
    const text = 'script "every second" (second): when secondTick  scripts/second\n  sendChatMessage message: "tick"\n';
    expect(await reenact(['print', path, 'second'])).toEqual({ code: 0, stdout: text, stderr: '' });
    expect((await reenact(['print', path, 'every second'])).stdout).toBe(text);
    expect((await reenact(['print', '-'], { stdin: JSON.stringify(game()) })).stdout).toContain('game "Small"');
  });

  test('an unknown script gets a suggestion', async () => {
    const { code, stderr } = await reenact(['print', file('print.json', game()), 'every secnd']);
    expect(code).toBe(2);
    expect(stderr).toBe('unknown-script: The game has no script "every secnd". Did you mean "every second"?\n');
  });

  test('what is not a game is an error of usage', async () => {
    expect((await reenact(['print', file('no.json', '{')])).code).toBe(2);
    expect(await reenact(['print', 'nowhere.json'])).toMatchObject({
      code: 2,
      stderr: 'unreadable-file: File "nowhere.json" not found.\n',
    });
  });
});

describe('diff', () => {
  test('has the exit codes of diff', async () => {
    const old = file('old.json', game());
    expect(await reenact(['diff', old, old])).toEqual({ code: 0, stdout: 'no difference\n', stderr: '' });
    const now = file('new.json', game({ scripts: { start: script('starts', [say('x')]) } }));
    expect((await reenact(['diff', old, now])).code).toBe(1);
    expect((await reenact(['diff', old, file('no.json', '[]')])).code).toBe(2);
    expect((await reenact(['diff', '-', '-'])).stderr).toContain('duplicate-argument');
  });

  test('JSON and Markdown', async () => {
    const old = file('old.json', game());
    const now = file('new.json', game({ settings: {} }));
    const { code, stdout } = await reenact(['diff', old, now, '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      format: 'reenact-diff/1',
      isEqual: false,
      play: null,
      rest: [{ path: 'settings.gravity' }],
    });
    const { stdout: text } = await reenact(['diff', old, now, '--markdown']);
    expect(text).toContain('### Small\n\n**settings: 1 value**\n');
  });

  test('--play names where the games part, and compares measures', async () => {
    const faster = JSON.stringify(countingGame()).replace(
      '"variableName":"seconds"},1]',
      '"variableName":"seconds"},2]',
    );
    const [old, now] = [file('old.json', countingGame()), file('new.json', faster)];
    const args = ['--play', '--seeds', '4', '--seconds', '2', '--bots', '1'];
    const { code, stdout } = await reenact(['diff', old, now, ...args, '--measure', 'seconds', '--measure', 'state']);
    expect(code).toBe(1);
    expect(stdout).toContain('plays differently from tick 20 (1 s) with seed 1: variables/seconds  1 → 2\n');
    expect(stdout).toMatch(/ {2}seconds {2}2 {4}4 {4}\+2 \(\+2 to \+2\)\n/);
    expect(stdout).toMatch(/ {2}state .*differs in 4 of 4 seeds\n/);
    expect((await reenact(['diff', old, old, ...args])).stdout).toBe(
      'no difference\nplays the same: 4 seeds of 2 s with 1 bot\nmeasures: no difference in 5 measures\n',
    );
    const wrong = await reenact(['diff', old, now, '--play', '--measure', 'secnds']);
    expect(wrong).toMatchObject({ code: 2 });
    expect(wrong.stderr).toContain('Did you mean "seconds"?');
  });
});
