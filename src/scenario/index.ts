/** Scenarios: reading, playing and judging them, coverage, mutations, and `reenact/testing`. */

// Files and the cases in them:
export { findScenarioFiles, isScenarioFile } from './reading/scenario-files.ts';
export {
  type FileProblem,
  InvalidFile,
  problemText,
  readScenarioFile,
  readScenarioText,
  stepKindOf,
} from './reading/scenario-reader.ts';
export { type Case, casesOf, mergedWith } from './reading/cases.ts';
export { type NameKind, names, scenarioFile, scenarioSchema, steps } from './reading/schema.ts';
export { wrongNames } from './reading/wrong-names.ts';
export { updateFiles } from './telling/golden-update.ts';

// Games:
export { Games, GameUnreadable } from './reading/games.ts';

// Playing a case:
export { runCases } from './playing/run-cases.ts';
export {
  type CaseRecording,
  type CaseResult,
  CaseStopped,
  playCase,
  skipped,
  unknownNameFailure,
} from './playing/play-case.ts';
export { errorLines, explanationFailed, failureText } from './telling/failure.ts';
export { scenarioOf } from './playing/from-journal.ts';

// Coverage of scripts, and mutation testing:
export { addCounts, emptyCounts } from './judging/counts.ts';
export type { CoverageLine, ScriptCoverage, Share } from './judging/coverage.ts';
export { coverageReports, type GameCoverage } from './telling/coverage-reports.ts';
export { type MutantResult, mutate, type MutationOptions, type MutationReport } from './judging/mutation.ts';

// Used by `reenact/testing` when it runs under vitest:
export { failureListeners, successListeners } from './playing/play.ts';
export { runningVitest } from './judging/running-vitest.ts';

// Loaded when a recording becomes a scenario:
export { loadScenarioOf } from './on-demand.ts';
