import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { emptyCounts, mergeCounts } from '../../src/scenario/judging/counts.ts';
import { coverageOf, type Share } from '../../src/scenario/judging/coverage.ts';
import { type CaseResult, playCase } from '../../src/scenario/playing/play-case.ts';
import { type Case, casesOf } from '../../src/scenario/reading/cases.ts';
import { Games } from '../../src/scenario/reading/games.ts';
import { findScenarioFiles } from '../../src/scenario/reading/scenario-files.ts';
import { readScenarioFile } from '../../src/scenario/reading/scenario-reader.ts';
import { inBothDialects } from '../support/both-dialects.ts';
import { isLong } from '../support/property.ts';

const folder = fileURLToPath(new URL('../../scenarios/', import.meta.url));
const templates = findScenarioFiles([fileURLToPath(new URL('../../templates/', import.meta.url))]).files;
/** Games whose scripts their scenarios cover. */
const covered = ['infection', 'team-elimination', 'ray-casting', 'outbreak'];

const percent = ({ ran, total }: Share): number => (100 * ran) / total;

test('the covered games have scenarios', () => {
  const files = readdirSync(folder);
  expect(covered.filter((name) => !files.includes(`${name}.scenario.yaml`))).toEqual([]);
});

function failuresOf(results: readonly CaseResult[]): string[] {
  const failed = results.filter(({ outcome }) => outcome !== 'passed');
  return failed.map(({ case: { title }, failure }) => [title, failure?.expected, ...(failure?.found ?? [])].join('\n'));
}

test.each(templates)('the scenarios of %s pass in both dialects', (file) => {
  const cases = casesOf(readScenarioFile(file)).flatMap(inBothDialects);
  expect(new Set(cases.map(({ dialect }) => dialect)).size).toBe(2);
  expect(failuresOf(cases.map((each) => playCase(each, new Games(), {})))).toEqual([]);
});

describe.each(covered)('%s.scenario.yaml', (name) => {
  const games = new Games();
  let results: CaseResult[] = [];
  let cases: Case[] = [];

  beforeAll(() => {
    const all = casesOf(readScenarioFile(`${folder}${name}.scenario.yaml`)).flatMap(inBothDialects);
    cases = all.filter(({ dialect }, i) => isLong || dialect === 'standard' || i % 3 === 0);
    results = cases.map((each) => playCase(each, games, { coverage: true }));
  });

  test('passes in both dialects', () => {
    expect(failuresOf(results)).toEqual([]);
  });

  test('gives a reason if a scenario has one dialect', () => {
    const ofOne = cases.filter(({ plan }) => plan.dialect !== undefined);
    expect(ofOne.filter(({ description }) => description === undefined).map(({ title }) => title)).toEqual([]);
  });

  test('covers the scripts of the game', () => {
    const counts = emptyCounts();
    for (const { case: played, counts: own } of results) if (played.dialect === 'standard') mergeCounts(counts, own!);
    const { definition } = games.game(cases[0]!);
    const { scripts, actions, branches, triggers } = coverageOf(name, definition, counts);
    expect(percent(scripts)).toBe(100);
    expect(percent(triggers)).toBe(100);
    expect(percent(actions)).toBeGreaterThanOrEqual(95);
    expect(percent(branches)).toBeGreaterThanOrEqual(95);
  });
});
