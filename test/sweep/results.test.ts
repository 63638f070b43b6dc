import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Result, ResultsFile, type SweepIdentity } from '../../src/sweep/results.ts';

const identity: SweepIdentity = {
  version: '1',
  document: 'abc',
  plan: { game: 'game.json', dialect: 'standard', bots: [{ count: 1 }], seconds: 1, measures: ['time'] },
  paths: ['a'],
};
const one: Result = { point: [1], seed: 's', ticks: 20, ending: 'time', answers: [1] };
const two: Result = { point: ['x'], seed: 's', ticks: 20, ending: 'until', answers: [null] };
let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'reenact-sweep-'));
  path = join(folder, 'deep', 'results.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('results can be read again', () => {
  const file = new ResultsFile(path, identity);
  file.add(one);
  file.add(two);
  expect([...new ResultsFile(path, identity).results.values()]).toEqual([one, two]);
});

test('an incomplete last line is cut off before appending', () => {
  new ResultsFile(path, identity).add(one);
  appendFileSync(path, '[["x"],"s",2');
  new ResultsFile(path, identity).add(two);
  expect([...new ResultsFile(path, identity).results.values()]).toEqual([one, two]);
});

test('a damaged line is reported with its number', () => {
  new ResultsFile(path, identity).add(one);
  writeFileSync(path, `${readFileSync(path, 'utf8')}nonsense\n`);
  expect(() => new ResultsFile(path, identity)).toThrow(`${path}:3 is damaged. Discard the results with --fresh.`);
});

test('results of another sweep are refused, or discarded on request', () => {
  new ResultsFile(path, identity).add(one);
  expect(() => new ResultsFile(path, { ...identity, document: 'def' })).toThrow('results of another sweep');
  expect(ResultsFile.open(path, { ...identity, document: 'def' }, true).results.size).toBe(0);
});
