/** One play from start to end: its loop, events, logs and summary; and work that is split over threads. */

// Running a game:
export { play } from './play.ts';
export { Turns } from './turns.ts';
export { Stopwatch, type TickPart } from './stopwatch.ts';

// Events and conditions:
export { EventTap, idIn, type LoggedEvent } from './events.ts';
export { EventList, EventPrinter } from './event-log.ts';
export { type FalseCondition, ScriptLog } from './script-log.ts';
export { humanCount, type Summary, untilSummary } from './summary.ts';

// Failures as data, and the codes of pages:
export {
  bugCodes,
  type FailureReport,
  type Onset,
  onsetText,
  type ScriptRuns,
  type ShownFailure,
} from './failure-report.ts';
export { coded, playgroundCodes } from './page-codes.ts';

// Scripts and values as text:
export { actionText, conditionText, operandText, textWith } from './script-text.ts';
export { constantOf, type ScriptLine, scriptLines } from './script-lines.ts';
export { type KnownNames, readScriptText, type TextLine, TextRefusal, textCodes } from './script-reader.ts';
export { lengthOfValue } from './value-length.ts';

// Threads:
export { addressOf, canRunInThread, poolKind, runInThreads, type ThreadModule } from './threads.ts';
export type { ThreadTask } from './thread-entry.ts';

// Loaded when a run has ended, or when a thread starts:
export { loadSummary, loadSummaryText, loadThreadEntry } from './on-demand.ts';
