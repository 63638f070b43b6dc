import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesSince, changesText, type Entry, entryOf, readHistory, saveEntry } from '../../bench/history.ts';

const rounds = (middle: number): number[] => Array.from({ length: 21 }, (_, i) => middle * (0.9 + i / 100));
const entry = (commit: string, samples: Record<string, number[]>): Entry =>
  entryOf({ head: ['a', 'b'], rows: [[1, 'x']], samples }, { commit, node: 'v20.0.0', machine: 'this' });

test('what is saved is read again, by commit, oldest first', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'reenact-bench-')), 'results');
  expect(readHistory(folder, 'ticks')).toEqual({ suite: 'ticks', entries: [] });
  saveEntry(folder, 'ticks', entry('aaa', { tick: [1, 2.5, -3e-7] }));
  saveEntry(folder, 'ticks', entry('bbb', { tick: [2] }));
  const saved = saveEntry(folder, 'ticks', entry('aaa', { tick: [3] }));
  expect(readHistory(folder, 'ticks')).toEqual(saved);
  expect(saved.entries.map(({ commit, samples }) => [commit, samples])).toEqual([
    ['bbb', { tick: [2] }],
    ['aaa', { tick: [3] }],
  ]);
  expect(saved.entries[0]!.rows).toEqual([{ a: 1, b: 'x' }]);
});

test('twenty are kept, and numbers of a list stand on one line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-bench-'));
  for (let i = 0; i < 25; i++) saveEntry(folder, 'ticks', entry(`c${i}`, { tick: [1, 2, 3] }));
  expect(readHistory(folder, 'ticks').entries.map(({ commit }) => commit)).toEqual(
    Array.from({ length: 20 }, (_, i) => `c${i + 5}`),
  );
  expect(readFileSync(join(folder, 'ticks.json'), 'utf8')).toContain('"tick": [1, 2, 3]');
});

test('a file that is no history is an error and is not overwritten', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reenact-bench-'));
  writeFileSync(join(folder, 'ticks.json'), '{');
  expect(() => saveEntry(folder, 'ticks', entry('aaa', {}))).toThrow(SyntaxError);
  expect(readFileSync(join(folder, 'ticks.json'), 'utf8')).toBe('{');
});

test('what became slower or faster by more than chance is said, and what did not is not', () => {
  const then = entry('aaa', { slower: rounds(1), faster: rounds(1), same: rounds(1), gone: rounds(1), few: [1, 1, 1] });
  const now = entry('bbb', {
    slower: rounds(1.3),
    faster: rounds(0.8),
    same: rounds(1.01),
    made: rounds(1),
    few: [9, 9, 9],
  });
  const changes = changesSince(now, then);
  expect(changes.map(({ name, verdict }) => [name, verdict])).toEqual([
    ['slower', 'slower'],
    ['faster', 'faster'],
    ['same', 'unclear'],
    ['few', 'unclear'],
  ]);
  expect(changes[0]!.ratio.value).toBeCloseTo(1.3, 2);
  const text = changesText(changes, then);
  expect(text).toMatch(/since aaa \(v20\.0\.0, this\)/);
  expect(text).toMatch(/^ {2}slower {3}1\.300 \(95 %: 1\.\d+ to 1\.\d+\) {2}slower$/m);
  expect(text).toMatch(/^ {2}unclear {2}9\.000 \(too few rounds\) {2}few$/m);
});
