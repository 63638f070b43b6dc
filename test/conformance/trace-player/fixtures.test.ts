import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compareCase } from './compare.ts';
import { differenceText } from './report.ts';
import { familyRules } from './rules.ts';
import { judge, readTrace } from './run.ts';
import { replayOf } from './support.ts';

const folder = fileURLToPath(new URL('../traces/', import.meta.url));
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))
  .sort();
const read = (name: string) => readTrace(`${folder}${name}.json`);

test('there are 87 cases', () => {
  expect(names).toHaveLength(87);
});

describe('a recording agrees with itself', () => {
  test.each(names)('%s', (name) => {
    const trace = read(name);
    expect(familyRules[trace.family]).toBeDefined();
    expect(compareCase(trace, replayOf(trace))).toEqual([]);
  });
});

describe('the engine does what is recorded', () => {
  test.each(names)('%s', (name) => {
    const { outcome, differences } = judge(read(name), '');
    expect(differences.map(differenceText)).toEqual([]);
    expect(outcome).toBe('passed');
  });
});
