/** Scenarios: reading, playing and judging them, coverage, mutations, and `reenact/testing`. */

// Files and the cases in them.
export { findScenarioFiles, isScenarioFile } from './find.ts';
export { type FileProblem, InvalidFile, problemText, readScenarioFile, readScenarioText, stepKindOf } from './read.ts';
export { type Case, casesOf } from './cases.ts';
export { type NameKind, names, scenarioFile, scenarioSchema, steps } from './schema.ts';
export { wrongNames } from './wrong-names.ts';
export { dialectName } from './dialect-name.ts';
export { updateFiles } from './update.ts';

// Games.
export { gameOf, Games, GameUnreadable } from './games.ts';

// Playing a case.
export { type CaseProgress, runCases } from './run-cases.ts';
export {
  type CaseRecording,
  type CaseResult,
  CaseStopped,
  playCase,
  skipped,
  unknownNameFailure,
} from './play-case.ts';
export { errorLines, explanationFailed, failureText } from './failure.ts';
export { scenarioOf } from './from-journal.ts';

// What ran, and what no scenario notices.
export type { CoverageLine, ScriptCoverage, Share } from './coverage.ts';
export { coverageReports, definitionHashes, type GameCoverage } from './coverage-reports.ts';
export {
  type JudgedMutants,
  type MutantResult,
  mutate,
  type MutationOptions,
  type MutationReport,
  mutationReport,
} from './mutate.ts';

// What `reenact/testing` adds when it runs under vitest.
export { failureListeners } from './play.ts';
export { runningVitest } from './register.ts';

// Loaded when a play becomes a scenario.
export { loadScenarioOf } from './on-demand.ts';
