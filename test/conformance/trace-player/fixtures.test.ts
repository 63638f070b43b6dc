import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { compareCase } from './compare.ts';
import { exceptionsFile, readExceptions } from './exceptions.ts';
import { differenceText } from './report.ts';
import { judge, readTrace } from './run.ts';
import { replayOf } from './support.ts';

const folder = fileURLToPath(new URL('../traces/', import.meta.url));
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && name !== exceptionsFile)
  .map((name) => name.slice(0, -'.json'.length))
  .sort();
const exceptions = readExceptions(folder);
const read = (name: string) => readTrace(`${folder}${name}.json`);

test('there are 102 cases', () => {
  expect(names).toHaveLength(102);
});

describe('a recording agrees with itself', () => {
  test.each(names)('%s', (name) => {
    const trace = read(name);
    expect(compareCase(trace, replayOf(trace))).toEqual([]);
  });
});

describe('the engine does what is recorded', () => {
  test.each(names)('%s', (name) => {
    expect(judge(read(name), exceptions).differences.map(differenceText)).toEqual([]);
  });
});
