import { emptyCounts, mergeCounts } from '../judging/counts.ts';
import { type CoverageReport, coverageOf } from '../judging/coverage.ts';
import type { CaseResult } from '../playing/play-case.ts';
import { Games } from '../reading/games.ts';

/** The coverage of a game over all scenarios, including failed ones. */
export interface GameCoverage extends CoverageReport {
  /** The number of failed scenarios. Code that ran before the failure counts as covered. */
  readonly failing: number;
}

/** One report per game for which runs were counted, in the order of the results. */
export function coverageReports(results: readonly CaseResult[]): GameCoverage[] {
  const games = new Games();
  const counted = results.filter(({ counts }) => counts !== undefined);
  return [...new Set(counted.map((each) => each.case.game))].map((game) => {
    const counts = emptyCounts();
    const ofGame = counted.filter((result) => result.case.game === game);
    for (const result of ofGame) mergeCounts(counts, result.counts!);
    const failing = ofGame.filter(({ outcome }) => outcome === 'failed').length;
    return { ...coverageOf(game, games.game({ game, host: ofGame[0]!.case.host }).definition, counts), failing };
  });
}
