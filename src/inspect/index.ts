/** What a game consists of, on one screen. */

// The contents as data and as text.
export { inspectGame } from './inspection.ts';
export { inspectionText } from './inspection-text.ts';
