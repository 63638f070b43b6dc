import { describe, expect, test } from 'vitest';
import { projectOf, projects, startedFirst } from '../support/projects.ts';
import { readTypeScript } from './source.ts';

const testFiles = [...readTypeScript('test')].filter(([path]) => path.endsWith('.test.ts'));

test('every file of tests belongs to a project, and every entry of a project to files', () => {
  expect(testFiles.filter(([path]) => projectOf(path) === undefined)).toEqual([]);
  for (const entry of [...Object.values(projects).flat(), ...startedFirst])
    expect(
      testFiles.some(([path]) => path === `test/${entry}` || path.startsWith(`test/${entry}/`)),
      entry,
    ).toBe(true);
});

/** Signs that a file changes what the next file of its thread sees, or starts something outside of the thread. */
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
  test('change nothing that outlives them', () => {
    const shared = testFiles.filter(([path]) => projectOf(path) === 'shared');
    const faults = shared.flatMap(([path, text]) => linesThatReachOut(text).map((line) => `${path}:${line}`));
    expect(faults, 'Move the file to `apart` (test/support/projects.ts).').toEqual([]);
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
