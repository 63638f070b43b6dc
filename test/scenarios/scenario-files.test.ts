import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Case, casesOf } from '../../src/scenario/cases.ts';
import { emptyCounts, mergeCounts } from '../../src/scenario/counts.ts';
import { coverageOf, type Share } from '../../src/scenario/coverage.ts';
import { Games } from '../../src/scenario/games.ts';
import { type CaseResult, playCase } from '../../src/scenario/play-case.ts';
import { readScenarioFile } from '../../src/scenario/read.ts';

const folder = fileURLToPath(new URL('../../scenarios/', import.meta.url));
/** Games whose scripts their scenarios cover. */
const covered = ['infection', 'team-elimination', 'ray-casting', 'outbreak'];

const percent = ({ ran, total }: Share): number => (100 * ran) / total;

test('the covered games have scenarios', () => {
  const files = readdirSync(folder);
  expect(covered.filter((name) => !files.includes(`${name}.scenario.yaml`))).toEqual([]);
});

describe.each(covered)('%s.scenario.yaml', (name) => {
  const games = new Games();
  let results: CaseResult[] = [];
  let cases: Case[] = [];

  beforeAll(() => {
    cases = casesOf(readScenarioFile(`${folder}${name}.scenario.yaml`));
    results = cases.map((each) => playCase(each, games, { coverage: true }));
  }, 60_000);

  test('passes', () => {
    const failed = results.filter(({ outcome }) => outcome !== 'passed');
    expect(failed.map(({ case: { title }, failure }) => ({ title, ...failure, picture: '' }))).toEqual([]);
  });

  test('covers the scripts of the game', () => {
    const counts = emptyCounts();
    for (const result of results) mergeCounts(counts, result.counts!);
    const { definition } = games.game(cases[0]!.game, undefined);
    const { scripts, actions, branches, triggers } = coverageOf(name, definition, counts);
    expect(percent(scripts)).toBe(100);
    expect(percent(triggers)).toBe(100);
    expect(percent(actions)).toBeGreaterThanOrEqual(95);
    expect(percent(branches)).toBeGreaterThanOrEqual(95);
  });
});
