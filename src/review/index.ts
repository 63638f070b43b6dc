/** Two games compared: parts, scripts, maps, measures and plays; and a game printed as text. */

// Differences.
export { diffGames } from './game-diff.ts';
export { defaultMeasures, measureDiffs } from './measure-diff.ts';
export { playedDifference } from './play-diff.ts';

// Differences as text.
export { diffText } from './diff-text.ts';
export { diffMarkdown } from './diff-markdown.ts';
export { type PlayDiff, playLines } from './play-text.ts';

// A game as text.
export { type GameParts, partsOf } from './game-parts.ts';
export { gameText, scriptText } from './print.ts';
