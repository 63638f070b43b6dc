import { definitionHash } from '../../engine/index.ts';
import { emptyCounts, mergeCounts } from './counts.ts';
import { type CoverageReport, coverageOf } from './coverage.ts';
import { Games, GameUnreadable } from './games.ts';
import type { CaseResult } from './play-case.ts';

/** One report for each game of which there are counts, in the order of the results. */
export function coverageReports(results: readonly CaseResult[]): CoverageReport[] {
  const games = new Games();
  const counted = results.filter(({ counts }) => counts !== undefined);
  return [...new Set(counted.map((each) => each.case.game))].map((game) => {
    const counts = emptyCounts();
    for (const result of counted) if (result.case.game === game) mergeCounts(counts, result.counts!);
    return coverageOf(game, games.game(game, undefined).definition, counts);
  });
}

/** Hash of the definition of each game, by its path; `''` where it cannot be played. */
export function definitionHashes(paths: readonly string[]): Record<string, string> {
  const games = new Games();
  const hashOf = (path: string): string => {
    try {
      return definitionHash(games.game(path, undefined).definition);
    } catch (error) {
      if (error instanceof GameUnreadable) return '';
      throw error;
    }
  };
  return Object.fromEntries([...new Set(paths)].sort().map((path) => [path, hashOf(path)]));
}
