import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { why as answerWhy } from '../../src/cli/why/why.ts';
import type { Terminal } from '../../src/text/terminal.ts';
import { samplesFolder } from '../support/samples.ts';
import { file, reenact } from './support.ts';

const journal = file('why.rj', '');
const recording = reenact([
  'run',
  join(samplesFolder, 'outbreak.json'),
  '--seconds',
  '20',
  '--bots',
  '4',
  '--record',
  journal,
]);
const page = readFileSync(new URL('../../docs/why.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/<!-- why (.+?) ([\d.]+ s) -->\n```\n([^`]*)```/g)];

async function why(...args: string[]) {
  await recording;
  return reenact(['why', journal, ...args]);
}

describe('reenact why', () => {
  test('wraps lines to the terminal, keeping their indentation', async () => {
    await recording;
    let text = '';
    const screen = { isTTY: true, columns: 44, write: (part: string) => (text += part) };
    const terminal = { stdout: screen, stderr: screen, env: {} } as unknown as Terminal;
    const unused = { bots: 0, dialect: 'standard', for: { seconds: 60 }, seed: '0' } as const;
    await answerWhy(journal, 'timeLeft', { at: '14.5 s', ...unused }, terminal);
    const lines = stripVTControlCharacters(text);
    expect(lines).not.toBe(text);
    expect(lines).toContain('\n    by set timeLeft = (timeLeft - 1)\n');
    expect(lines).toContain('\n      (scripts/everySecond/actions/0)\n');
  });

  test('the page has examples', () => {
    expect(examples.length).toBe(2);
  });

  test.each(examples.map(([, value, at, shown]) => [value!, at!, shown!]))(
    '%s at %s, as in the page',
    async (value, at, shown) => {
      const { code, stdout, stderr } = await why(value, '--at', at);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.startsWith(shown), stdout).toBe(true);
    },
  );

  test('a game is played by bots first', async () => {
    const game = join(samplesFolder, 'outbreak.json');
    const { stdout } = await reenact([
      'why',
      game,
      'timeLeft',
      '--for',
      '20s',
      '--at',
      '14.5 s',
      '--bots',
      '4',
      '--json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ value: expect.any(Number) });
  });

  test('--json, --depth', async () => {
    const { stdout } = await why('timeLeft', '--at', '290 ticks', '--depth', '2', '--json');
    const { write } = JSON.parse(stdout);
    expect(write).toMatchObject({ tick: 280, before: 2, after: 1 });
    expect(write.causes[0].reads[0].why.write.tick).toBe(260);
  });

  test('--writes lists every change', async () => {
    const { stdout } = await why('timeLeft', '--at', '3 s', '--writes');
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => /^tick (\d+)/.exec(line)?.[1])).toEqual(['20', '40', '60']);
    expect(lines[0]).toBe(
      'tick 20 (1.00 s): 15 → 14 by set timeLeft = (timeLeft - 1)  (scripts/everySecond/actions/0) in script "every second"',
    );
  });

  test('wrong questions and times have a code', async () => {
    expect(await why('timeLefd')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^expression-unknown-name: .*Did you mean "timeLeft"\?/),
    });
    expect(await why('timeLeft', '--at', 'noon')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^bad-moment: /),
    });
    expect(await why('timeLeft', '--at', '21 s')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^no-such-tick: /),
    });
  });
});
