import { describe, expect, test } from 'vitest';
import { apartFromFolder, sharedFolders } from '../support/shared.ts';
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

/** Marks of a file that changes what the next file of its thread sees, or that starts something outside of the thread. */
const reachesOut = [
  /^import (?!type\b).*'(?:node:(?:child_process|cluster|dgram|https?|net|v8|vm|worker_threads)|playwright-core|tinypool|ws)'/,
  /^import (?!type\b).*'.*\/(?:server\/support|scenario\/(?:testing|register))\.ts'/,
  /\bvi\.\w|\bexpect\.extend\(|\bprocess\.(?:chdir|on)\(|\bset(?:Interval|Timeout)\(/,
  /\bprocess\.env(?:\.\w+|\[[^\]]+\]) = |\bglobalThis(?:\.\w+|\[[^\]]+\]) = |\.prototype\.\w+ = /,
];

function linesThatReachOut(text: string): number[] {
  return text.split('\n').flatMap((line, i) => (reachesOut.some((each) => each.test(line)) ? [i + 1] : []));
}

describe('files that share their modules', () => {
  const paths = [...testFiles.keys()].filter((path) => path.endsWith('.test.ts'));
  const shared = paths.filter((path) => sharedFolders.includes(path.split('/')[1]!) && !apartFromFolder.includes(path));

  test('change nothing that outlives them', () => {
    const faults = shared.flatMap((path) => linesThatReachOut(testFiles.get(path)!).map((line) => `${path}:${line}`));
    expect(faults, 'Name the file in `apartFromFolder` (test/support/shared.ts).').toEqual([]);
  });

  test('have folders that exist, and the exceptions are files in them that need to be', () => {
    for (const folder of sharedFolders)
      expect(
        shared.some((path) => path.startsWith(`test/${folder}/`)),
        folder,
      ).toBe(true);
    for (const path of apartFromFolder) {
      expect(sharedFolders).toContain(path.split('/')[1]);
      expect(linesThatReachOut(testFiles.get(path) ?? ''), path).not.toEqual([]);
    }
  });

  test('as all files of tests stand in a folder, which belongs to one project', () => {
    expect(paths.filter((path) => path.split('/').length < 3)).toEqual([]);
  });

  test.each([
    ["import { spawnSync } from 'node:child_process';", [1]],
    ["\nimport { expect } from '../../src/scenario/testing.ts';", [2]],
    ["import type { Play } from '../../src/scenario/testing.ts';\nimport { readFileSync } from 'node:fs';", []],
    ["process.env['A'] = 'b';\nconst a = process.env['A'];", [1]],
    ['Array.prototype.at = other;\nexpect(found).toBe(Object.prototype);', [1]],
    ['vi.useFakeTimers();\nsetTimeout(next, 1);', [1, 2]],
  ])('of %j', (text, expected) => {
    expect(linesThatReachOut(text)).toEqual(expected);
  });
});
