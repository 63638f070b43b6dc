import { expect, test } from 'vitest';
import { readTypeScript } from './source.ts';

/** Files of tests, and what they share. */
const testFiles = readTypeScript('test');

function faultsOf(find: (text: string) => number[]): string[] {
  return [...testFiles].flatMap(([path, text]) =>
    path.endsWith('.test.ts') ? find(text).map((line) => `${path}:${line}`) : [],
  );
}

/** Lines on which a call of `test` or `describe` begins whose title stands on the next one. */
function lateTitles(text: string): number[] {
  const lines = text.split('\n');
  return lines.flatMap((line, i) => {
    const isCall = /^\s*(?:(?:test|describe)(?:\.\w+)*|\]?\))\($/.test(line);
    return isCall && /^\s*['"`]/.test(lines[i + 1] ?? '') ? [i + 1] : [];
  });
}

test('the title of every test stands on the line of its call', () => {
  expect(faultsOf(lateTitles), 'Say it shorter, or give the time limit as an option before the function.').toEqual([]);
});

test.each([
  ["test(\n  'a long title',\n  () => {},\n);", [1]],
  ["test.each([\n  1,\n])(\n  'a long title',\n  () => {},\n);", [3]],
  ["test('short', () => {});\ncall(\n  'a text',\n);", []],
])('of %j', (text, expected) => {
  expect(lateTitles(text)).toEqual(expected);
});

const plays = /= (?:await )?(?:new (?:Simulation|Scene|ActionGame)|play|playSample|fullGame|runWithBots|playCase)\(/;

/** Lines outside of functions that make or play a game: at the top, or directly in the function of a `describe`. */
function earlyPlays(text: string): number[] {
  let isSuite = false;
  return text.split('\n').flatMap((line, i) => {
    if (/^\S/.test(line)) isSuite = /^describe\b/.test(line) || (isSuite && /^\]/.test(line));
    const isOutside = /^const /.test(line) || (isSuite && /^ {2}const /.test(line));
    return isOutside && plays.test(line) && !line.includes('=>') ? [i + 1] : [];
  });
}

test('nothing is played while tests are collected', () => {
  expect(faultsOf(earlyPlays), 'Make it in a test, or by `lazily` (test/support/lazily.ts).').toEqual([]);
});

test.each([
  ['const sim = new Simulation(game);', [1]],
  ["describe('a', () => {\n  const game = play();\n});", [2]],
  ["describe.each(['a'])('%s', (name) => {\n  const game = play(name);\n});", [2]],
  ['function made() {\n  const game = play();\n}', []],
  ["test('a', () => {\n  const game = play();\n});", []],
  ['const made = lazily(() => play());', []],
])('of %j', (text, expected) => {
  expect(earlyPlays(text)).toEqual(expected);
});
