import { createHash } from 'node:crypto';
import { emptyCounts, mergeCounts } from '../judging/counts.ts';
import { type CoverageReport, coverageOf } from '../judging/coverage.ts';
import type { CaseResult } from '../playing/play-case.ts';
import { Games, GameUnreadable } from '../reading/games.ts';

/** The parts of a game that ran in scenarios, including failed ones. */
export interface GameCoverage extends CoverageReport {
  /** The number of failed scenarios; what ran before the failure counts. */
  readonly failing: number;
}

/** One report per game with counts, in the order of the results. */
export function coverageReports(results: readonly CaseResult[]): GameCoverage[] {
  const games = new Games();
  const counted = results.filter(({ counts }) => counts !== undefined);
  return [...new Set(counted.map((each) => each.case.game))].map((game) => {
    const counts = emptyCounts();
    const ofGame = counted.filter((result) => result.case.game === game);
    for (const result of ofGame) mergeCounts(counts, result.counts!);
    const failing = ofGame.filter(({ outcome }) => outcome === 'failed').length;
    return { ...coverageOf(game, games.game(game, undefined).definition, counts), failing };
  });
}

/**
 * The hash of each game's document, by path; `''` if it cannot be read. Hashing the loaded definition instead would
 * require loading each game, which would delay an interrupted run.
 */
export function definitionHashes(paths: readonly string[]): Record<string, string> {
  const games = new Games();
  const hashOf = (path: string): string => {
    try {
      return createHash('sha256')
        .update(JSON.stringify(games.document(path)))
        .digest('hex');
    } catch (error) {
      if (error instanceof GameUnreadable) return '';
      throw error;
    }
  };
  return Object.fromEntries([...new Set(paths)].sort().map((path) => [path, hashOf(path)]));
}
