/**
 * Makes text from a file or a game safe to print, which could otherwise control the terminal or reorder the line.
 * Invisible characters become escapes, and a tab becomes one space, so that columns stay aligned.
 */
export function printable(text: string): string {
  return text
    .replaceAll('\t', ' ')
    .replace(/[\p{Cc}\p{Cs}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
}

/**
 * The width of a text in terminal columns: two for wide East Asian characters and emoji, zero for combining characters.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (/^[\p{Mn}\p{Me}]$/u.test(character)) continue;
    width += isWide(character) ? 2 : 1;
  }
  return width;
}

/** Hangul, CJK with its symbols and full-width forms, and the pictographs that terminals draw wide. */
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

function isWide(character: string) {
  const code = character.codePointAt(0)!;
  return wideRanges.some(([first, last]) => code >= first && code <= last) || /\p{Emoji_Presentation}/u.test(character);
}
