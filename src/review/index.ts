/** Lists a game as text, and compares two games: their contents and how they play. */

export { sectionNouns, thingsOf, type Thing } from './things.ts';
export { labelOf, shownLines, thingsText, triggersText } from './print.ts';
export { textEdits } from './text-edits.ts';
export { diffGames } from './game-diff.ts';
export { diffText } from './diff-text.ts';
export { diffMarkdown } from './diff-markdown.ts';
export { playedDifference, playLines } from './play-diff.ts';
