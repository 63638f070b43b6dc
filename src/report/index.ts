/** Results for readers and machines: terminal, JUnit, JSON, GitHub, and pages. */

// Test results:
export { mutationText, resultText } from './pretty.ts';
export { totalsOf, totalsText } from './result-text.ts';
export { jsonReport, reportAsData, type WholeReport } from './json.ts';
export { junitReport } from './junit.ts';
export { githubReport } from './github.ts';
export { coverageText } from './coverage-text.ts';
export { lcovFiles } from './lcov.ts';

// Results of the last run, which are kept in files:
export {
  type CaseIdentity,
  casesThatFailed,
  failedAfter,
  lastFailedFile,
  lastFailedText,
  readLastFailed,
} from './last-failed.ts';
export { lastCoverage, lastCoverageFile, lastCoverageText } from './last-coverage.ts';

// Pages:
export { type FailedCase, journalPage, shownFailure } from './journal-page.ts';

// Pages contain their style and script, and are loaded when one is written:
export { loadJournalPage, loadTestPage } from './on-demand.ts';
