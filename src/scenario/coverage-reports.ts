import { createHash } from 'node:crypto';
import { emptyCounts, mergeCounts } from './counts.ts';
import { type CoverageReport, coverageOf } from './coverage.ts';
import { Games, GameUnreadable } from './games.ts';
import type { CaseResult } from './play-case.ts';

/** The parts of a game that ran in scenarios, failed ones included. */
export interface GameCoverage extends CoverageReport {
  /** Scenarios that failed: what ran until then counts. */
  readonly failing: number;
}

/** One report for each game of which there are counts, in the order of the results. */
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
 * Hash of the document of each game, by its path; `''` where it cannot be read. The hash of what a definition means would have to load each
 * game, for which an interrupted run would wait.
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
