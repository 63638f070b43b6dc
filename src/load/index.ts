/** Turns bytes into a checked document: reading, parsing, positions of issues, fixes. */

// Reading and parsing:
export { loadFile } from './load-file.ts';
export { errorCode, fileErrorMessage, loadText, stdinSource } from './load-text.ts';
export { packGame, unpackGame } from './packed-game.ts';
export { parseDocument, tooLargeMessage } from './parse-document.ts';

// A definition with changed members:
export { type Change, literalOf, withChanges, withFrameRate } from './changed.ts';

// Positions of issues in the text, and their repair:
export { offsetsOfIssues, locateIssues } from './locate-issues.ts';
export { type FixedText, fixIssues, misspeltMax, suggestedEdits } from './fix-issues.ts';

// Adding members to the text of a document in its formatting, and removing them again:
export { type Addition, mergeJson, takeBack } from './merge-json.ts';
export { applied, counterparts, JsonEditor, nodeAt } from './json-edits.ts';
