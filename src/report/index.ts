/** Results for readers and machines: terminal, JUnit, TAP, JSON, GitHub, and pages. */

// Test results.
export { mutationText, resultText } from './pretty.ts';
export { totalsOf, totalsText } from './result-text.ts';
export { jsonReport, reportAsData, type WholeReport } from './json.ts';
export { junitReport } from './junit.ts';
export { tapReport } from './tap.ts';
export { githubReport } from './github.ts';
export { coverageText } from './coverage-text.ts';

// Kept results: of parts of a run, and of the last one.
export { type Blob, blobFormat, mergeBlobs, MergeError, readBlob, type RunIdentity } from './blob.ts';
export {
  type CaseIdentity,
  casesThatFailed,
  failedAfter,
  lastFailedFile,
  lastFailedText,
  readLastFailed,
} from './last-failed.ts';
export { lastCoverage, lastCoverageFile, lastCoverageText } from './last-coverage.ts';

// Pages.
export { type FailedCase, journalPage, shownFailure } from './journal-page.ts';
export { webPage } from './web-page.ts';
export type { PagePlot } from './plots.ts';

// Pages contain their style and script, and are loaded when one is written.
export { loadJournalPage, loadSweepPage, loadTestPage } from './on-demand.ts';
