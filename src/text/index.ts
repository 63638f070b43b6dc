/** Text for people: words, durations, terminals, and the files of a new project. */

// Words and names:
export { amount, csvField, fileTitle, shellWord, shortened, times, wrapped } from './words.ts';
export { closestHint, closestWord, withSuggestion } from './near.ts';
export { gameTitle, titleOfFile } from './title.ts';
export { type Duration, durationText, readDuration, ticksOf } from './duration.ts';

// Output in a terminal: columns, colours, excerpts with a caret, progress:
export { type Output, printAnswer, type Terminal, widthOf } from './terminal.ts';
export { inColumns } from './columns.ts';
export { countParts, Page } from './page.ts';
export { type Color, type Paint, painter } from './paint.ts';
export { printable } from './printable.ts';
export { excerpt, type TextPosition } from './excerpt.ts';
export { StatusLine } from './status-line.ts';

// Text from others, made safe for a page, a log or a reader:
export { escapeHtml } from './escape.ts';
export { isLegible, legible } from './legible.ts';

// The files of a new project, which `reenact init` and the playground write:
export { hookFile, packageName, projectFiles } from './project-files.ts';
export { wordTable } from './word-table.ts';
