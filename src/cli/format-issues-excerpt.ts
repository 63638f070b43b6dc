import type { Lines } from '../../engine/core/lines.ts';
import type { Place } from './format-issues-place.ts';

const shownMax = 100;
/** So many of them at most before the place, so that most of what is shown is what is complained about. */
const shownBefore = 60;

/**
 * The line of `place` and under it a caret; of a long line (definitions are often one single line) the part around the
 * place.
 */
export function excerpt(text: string, lines: Lines, place: Place): { line: string; caret: string } {
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

/**
 * Text of a file or a game, safe to print: it could otherwise steer the terminal or reorder the line. What is not
 * visible is shown as an escape, a tab as one space so that columns stay columns.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\t', ' ')
    .replace(/[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
}

/**
 * Columns of a terminal: two for what East Asian fonts and emoji draw wide, none for what is drawn onto the character
 * before.
 */
function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/^[\p{Mn}\p{Me}]$/u.test(character)) continue;
    width += isWide(character) ? 2 : 1;
  }
  return width;
}

/** Hangul, CJK with its symbols and full-width forms, the pictographs that terminals draw wide. */
const wideRanges: readonly (readonly [first: number, last: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f200, 0x1faff],
  [0x20000, 0x3fffd],
];

function isWide(character: string): boolean {
  const code = character.codePointAt(0)!;
  return wideRanges.some(([first, last]) => code >= first && code <= last) || /\p{Emoji_Presentation}/u.test(character);
}

function splitsPair(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const before = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff && before >= 0xd800 && before <= 0xdbff;
}
