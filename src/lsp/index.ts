/** The language server for editors: diagnostics, fixes, completion, hover, names and outline. */

// The server that talks to an editor.
export { serveEditor } from './server.ts';

// The parts that the playground's editor uses without a server.
export { GameFile, isRefused } from './game-file.ts';
export { completions } from './complete.ts';
export { hoverText } from './hover.ts';
export { placeAt, wordAt } from './json-text.ts';
export { scenarioCompletions, scenarioDiagnostics, scenarioHover } from './scenario-file.ts';

// The task of a check with a project's rules, which runs in a thread.
export type { CheckTask } from './check-thread.ts';

export { loadCheckThread, loadChecker } from './on-demand.ts';
