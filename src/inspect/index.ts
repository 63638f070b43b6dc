/** Lists the contents of a game on one screen. */

// The contents of a game, as data and formatted for a terminal.
export { inspectGame } from './inspection.ts';
export { inspectionText } from './inspection-text.ts';
