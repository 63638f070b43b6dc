import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compareCase } from './compare.ts';
import { differenceText } from './report.ts';
import { familyRules } from './rules.ts';
import { judge, readTrace } from './run.ts';
import { replayOf } from './support.ts';

const folder = fileURLToPath(new URL('../traces/', import.meta.url));
const semantics = readFileSync(new URL('../../../docs/semantics.md', import.meta.url), 'utf8');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))
  .sort();
const read = (name: string) => readTrace(`${folder}${name}.json`);

/** Cases that do not come out as recorded, each with the path of its first difference. */
const knownFailures: Readonly<Record<string, readonly [outcome: 'failed' | 'onPurpose', path: string]>> = {};

test('there are 87 cases, and every known failure is one of them', () => {
  expect(names).toHaveLength(87);
  expect(Object.keys(knownFailures).filter((name) => !names.includes(name))).toEqual([]);
});

describe('a recording agrees with itself', () => {
  test.each(names)('%s', (name) => {
    const trace = read(name);
    expect(familyRules[trace.family]).toBeDefined();
    expect(compareCase(trace, replayOf(trace))).toEqual([]);
  });
});

describe('the engine does what is recorded', () => {
  test.each(names.filter((name) => knownFailures[name] === undefined))('%s', (name) => {
    const { outcome, differences } = judge(read(name), semantics);
    expect(differences.map(differenceText)).toEqual([]);
    expect(outcome).toBe('passed');
  });
});

describe('the engine is known not to do what is recorded; a case that passes loses its line in the table', () => {
  test.each(Object.entries(knownFailures))('%s', (name, [outcome, path]) => {
    const result = judge(read(name), semantics);
    expect({ outcome: result.outcome, path: result.differences[0]?.path }).toEqual({ outcome, path });
  });
});
