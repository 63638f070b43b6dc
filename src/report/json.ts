import type { CaseResult, GameCoverage, MutationReport } from '../scenario/index.ts';
import { replayCommand, totalsOf } from './result-text.ts';

export interface WholeReport {
  readonly results: readonly CaseResult[];
  readonly wallMs: number;
  readonly coverage: readonly GameCoverage[];
  readonly mutation: readonly MutationReport[];
}

/** The report as plain data, without pictures and timelines. */
export function reportAsData({ results, wallMs, coverage, mutation }: WholeReport): object {
  const scenarios = results.map((result) => {
    const { case: given, failure, failedLine, outcome, note, checked, ticks, simulatedSeconds, hash } = result;
    const { picture: _picture, ...reason } = failure ?? { picture: '' };
    return {
      title: given.title,
      name: given.name,
      file: given.file,
      line: given.line,
      tags: given.tags,
      game: given.game,
      dialect: given.dialect,
      seed: given.seed,
      outcome,
      note,
      failure: failure && { ...reason, line: failedLine, replay: replayCommand(result) },
      checked,
      ticks,
      simulatedSeconds,
      wallMs: result.wallMs,
      hash,
    };
  });
  return {
    ...totalsOf(results),
    wallMs,
    scenarios,
    ...(coverage.length > 0 && { coverage }),
    ...(mutation.length > 0 && { mutation }),
  };
}

export function jsonReport(whole: WholeReport): string {
  return `${JSON.stringify(reportAsData(whole), null, 2)}\n`;
}
