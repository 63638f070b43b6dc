import { describe, expect, test } from 'vitest';
import { game, say, script } from '../review/games.ts';
import { countingGame, file, reenact } from './support.ts';

describe('print', () => {
  test('prints one script, by key or by name', async () => {
    const path = file('print.json', game());
    const text = 'script "every second" (second): when secondTick\n  sendChatMessage message: "tick"\n';
    expect(await reenact(['print', path, 'second'])).toEqual({ code: 0, stdout: text, stderr: '' });
    expect((await reenact(['print', path, 'every second'])).stdout).toBe(text);
    expect((await reenact(['print', '-'], { stdin: JSON.stringify(game()) })).stdout).toContain('title: Small\n');
  });

  test('writes the edited text of one script back without its name', async () => {
    const path = file('print.json', game());
    const { stdout } = await reenact(['print', path, 'second']);
    const edited = file('edited.txt', stdout.replace('"tick"', '"tock"'));
    const write = () => reenact(['print', path, '--write', edited]);
    expect(await write()).toMatchObject({ code: 0, stdout: '1 change written: script "every second" (second)\n' });
    expect(await write()).toMatchObject({ code: 0, stdout: '0 changes written\n' });
    expect((await reenact(['print', path, 'second'])).stdout).toContain('message: "tock"');
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
      format: 'reenact-diff/2',
      isEqual: false,
      things: [{ section: 'settings', key: '', kind: 'removed', lines: ['- settings', '-   gravity: x 0, y 0'] }],
      play: null,
    });
    const { stdout: text } = await reenact(['diff', old, now, '--markdown']);
    expect(text).toContain('### Small\n\n**settings: removed**\n');
  });

  test('--play names where the games first differ with the same inputs', async () => {
    const faster = JSON.stringify(countingGame()).replace(
      '"variableName":"seconds"},1]',
      '"variableName":"seconds"},2]',
    );
    const [old, now] = [file('old.json', countingGame()), file('new.json', faster)];
    const args = ['--play', '--seeds', '4', '--seconds', '2', '--bots', '1'];
    const { code, stdout } = await reenact(['diff', old, now, ...args]);
    expect(code).toBe(1);
    expect(stdout).toContain('plays differently from tick 20 (1 s) with seed 1: variables/seconds  1 → 2\n');
    expect(stdout).toContain('  in 4 of 4 plays of 2 s with 1 bot, with the same inputs\n');
    const { stdout: json } = await reenact(['diff', old, now, ...args, '--json']);
    expect(JSON.parse(json).play).toMatchObject({
      seconds: 2,
      bots: 1,
      plays: Array(4).fill({ parted: { tick: 20 } }),
    });
    expect((await reenact(['diff', old, old, ...args])).stdout).toBe(
      'no difference\nplays the same: 4 plays of 2 s with 1 bot\n',
    );
  });
});
