import { diffArrays } from 'diff';
import { amount, printable } from '../text/index.ts';

/** The number of unchanged lines shown before and after each change. */
const contextLines = 3;
/** Maximum number of lines shown for a thing that was added, and for one that was removed. */
const addedMax = 40;
const removedMax = 10;
const changedMax = 160;
/**
 * Maximum length of an unchanged line, so that it fits into one row of a narrow terminal. Unchanged lines only show
 * where a change is.
 */
const unchangedMax = 78;
/** At least this many characters of a deeply nested line are shown. */
const cutMin = 60;
/** Long lines are cut so that this many characters before their first difference are shown. */
const beforeDifference = 40;
/** Maximum number of differences between two texts; with more, the whole text is shown as replaced. */
const maxEditLength = 2000;

interface Line {
  /** ` `: unchanged; `+`: only in the new text; `-`: only in the old one; `>`: nested at another depth. */
  readonly mark: ' ' | '+' | '-' | '>';
  readonly text: string;
}

/**
 * Compares two texts whose first line is a title. Returns the changed lines, with some lines around each and the lines
 * in which they are nested. The first column marks a line: a space for unchanged (`~` for the title), `+` for added,
 * `-` for removed, and `>` for lines whose depth changed, such as actions that were put into an `if`.
 */
export function lineDiff(before: readonly string[], after: readonly string[]): string[] {
  if (before.length === 0) return wholeText('+', after, addedMax);
  if (after.length === 0) return wholeText('-', before, removedMax);
  const isEqual = (a: string, b: string) => a.trimStart() === b.trimStart();
  const chunks = diffArrays([...before], [...after], { maxEditLength, comparator: isEqual }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  let line = 0;
  const lines = chunks.flatMap(({ value, added, removed }, i): Line[] => {
    // Added lines follow the removed lines that they replace.
    const other = removed ? chunks[i + 1] : added ? chunks[i - 1] : undefined;
    const replaced = other?.added || other?.removed ? other.value : [];
    return value.map((text, row) => {
      const mark = added ? '+' : removed ? '-' : before[line] === text ? ' ' : '>';
      if (!added) line++;
      const isName = i === 0 && row === 0;
      const lengthMax = added || removed || isName ? changedMax : unchangedMax;
      return { mark, text: readable(text, lengthMax, replaced[row]) };
    });
  });
  const shown = shownRows(lines);
  const last = lines.findLastIndex((_, row) => shown.has(row));
  return lines.flatMap(({ mark, text }, row) => {
    const isGap = shown.has(row - 1) && row < last;
    if (shown.has(row) || (isGap && shown.has(row + 1))) return [`${row === 0 && mark === ' ' ? '~' : mark} ${text}`];
    return isGap ? [`  ${' '.repeat(depthOf(text))}…`] : [];
  });
}

function wholeText(mark: '+' | '-', lines: readonly string[], count: number) {
  const shown = lines.slice(0, count).map((line) => `${mark} ${readable(line, changedMax)}`);
  const more = lines.length - shown.length;
  return more === 0 ? shown : [...shown, `    … ${amount(more, 'more line')}`];
}

function shownRows(lines: readonly Line[]) {
  const shown = new Set<number>();
  /** The rows in which the current row is nested. */
  const around: number[] = [];
  for (const [row, { mark, text }] of lines.entries()) {
    while (around.length > 0 && depthOf(lines[around.at(-1)!]!.text) >= depthOf(text)) around.pop();
    if (mark !== ' ') {
      const last = Math.min(row + contextLines, lines.length - 1);
      for (let near = Math.max(0, row - contextLines); near <= last; near++) shown.add(near);
      for (const above of around) shown.add(above);
    }
    around.push(row);
  }
  return shown;
}

function depthOf(text: string) {
  return text.search(/[^ ]|$/);
}

/**
 * A line for readers. Control characters are escaped, and a long line is cut to the part where it differs from `other`.
 */
function readable(text: string, lengthMax: number, other = '') {
  if (text.length <= lengthMax) return printable(text);
  let same = 0;
  while (same < text.length && text[same] === other[same]) same++;
  const depth = depthOf(text);
  const start = Math.max(depth, same - beforeDifference);
  const end = start + Math.max(cutMin, lengthMax - depth - 1);
  const [ahead, behind] = [start > depth ? '…' : '', end < text.length ? '…' : ''];
  return printable(`${' '.repeat(depth)}${ahead}${text.slice(start, end)}${behind}`);
}
