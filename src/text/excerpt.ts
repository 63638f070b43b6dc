import type { Lines } from '../../engine/core/index.ts';
import { displayWidth, printable } from './printable.ts';

/** A position in a text. Line and column count from 1, the column in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

const shownMax = 100;
/**
 * Maximum number of characters that an excerpt of a long line shows before the position. What follows the position is
 * more important to the reader.
 */
const shownBefore = 60;

/**
 * The line that contains a position, and a line with a caret below the position. A long line is cut to the part around
 * the position, because many definitions are a single line.
 */
export function excerpt(text: string, lines: Lines, place: TextPosition): { line: string; caret: string } {
  const range = lines.range(place.line);
  const at = Math.min(place.offset, range.end);
  let start = range.start;
  let end = range.end;
  if (end - start > shownMax) {
    start = Math.max(start, Math.min(at - shownBefore, end - shownMax));
    end = Math.min(end, start + shownMax);
    if (splitsPair(text, start)) start--;
    if (splitsPair(text, end)) end++;
  }
  const before = `${start > range.start ? '…' : ''}${printable(text.slice(start, at))}`;
  const behind = `${printable(text.slice(at, end))}${end < range.end ? '…' : ''}`;
  return { line: before + behind, caret: `${' '.repeat(displayWidth(before))}^` };
}

function splitsPair(text: string, at: number) {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}
