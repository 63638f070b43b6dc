/** Recorded plays: their files and bytes, a debugger, the first divergence of two. */

// Files and bytes:
export { readJournal } from './journal-file.ts';
export { journalBytes, journalStart, readJournalBytes } from './journal-bytes.ts';
export { frameOf, joined, readFrames } from './frames.ts';

// Recording and comparing:
export type { RecordingOptions } from './recording.ts';
export {
  explainDivergence,
  findFirstDivergence,
  type FirstDivergence,
} from './divergence.ts';

// Debugging:
export { debug } from './debugger.ts';
export { debuggerHelp } from './debugger-commands.ts';
export { type LaunchArguments, serveAdapter } from './debug-adapter.ts';

// Loaded when a run is recorded or saved:
export { loadJournalBytes, loadRecording } from './on-demand.ts';
