/** The language server for editors: diagnostics, fixes, completion, names, outline. */

// The server.
export { serveEditor } from './server.ts';

// What it knows of a text, for the editor of the playground.
export { GameFile, isRefused } from './game-file.ts';
export { completions } from './complete.ts';
export { hoverText } from './hover.ts';
export { placeAt, wordAt } from './json-text.ts';
export { scenarioCompletions, scenarioDiagnostics, scenarioHover } from './scenario-file.ts';

// Checking with the rules of a project, in a thread.
export type { CheckResult, CheckTask } from './check-thread.ts';

export { loadCheckThread, loadChecker } from './on-demand.ts';
