import { getLocation } from 'jsonc-parser';
import { isObject, joinPointer, locateNearest } from '../../engine/core/index.ts';

export type Keys = readonly (string | number)[];

/** The value at a path; undefined if there is none. */
export function valueAt(document: unknown, keys: Keys): unknown {
  let value = document;
  for (const key of keys)
    value = isObject(value) ? (value as Readonly<Record<string | number, unknown>>)[key] : undefined;
  return value;
}

/** Offsets in a text; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The position of a cursor in a JSON text, which may be invalid. */
export interface JsonCursor {
  readonly keys: Keys;
  readonly pointer: string;
  /** Whether the cursor is in the key of a member. This key is then the last one of `keys`. */
  readonly isMember: boolean;
  /** The string, other scalar or key under the cursor; an empty span if there is none. */
  readonly span: Span;
  /** Whether the cursor is in a string, complete or not yet closed. */
  readonly isString: boolean;
}

export function placeAt(text: string, offset: number): JsonCursor {
  const { path, previousNode: node, isAtPropertyKey } = getLocation(text, offset);
  const isInside = node !== undefined && offset >= node.offset && offset <= node.offset + node.length;
  const isString = isInside && text[node.offset] === '"' && offset > node.offset;
  const span =
    isInside &&
    node.type !== 'object' &&
    node.type !== 'array' &&
    (isString || offset > node.offset || text[offset] !== '"')
      ? { start: node.offset, end: node.offset + node.length }
      : wordAround(text, offset, /[\w.-]/);
  return { keys: path, pointer: path.reduce<string>(joinPointer, ''), isMember: isAtPropertyKey, span, isString };
}

/** The span of the word at an offset. `letter` matches the characters of words. */
export function wordAround(text: string, offset: number, letter: RegExp): Span {
  let start = offset;
  while (start > 0 && letter.test(text[start - 1]!)) start--;
  let end = offset;
  while (end < text.length && letter.test(text[end]!)) end++;
  return { start, end };
}

/**
 * For each place, the span of its key with quotes, or the span of its value; undefined if the place does not exist.
 * Finds all spans in one pass over the text.
 */
export function spansOf(
  text: string,
  places: readonly { readonly pointer: string; readonly isMember: boolean }[],
): (Span | undefined)[] {
  const located = locateNearest(
    text,
    places.map(({ pointer }) => pointer),
  );
  return places.map(({ pointer, isMember }) => {
    const found = located.get(pointer);
    if (!found?.exact) return undefined;
    if (!isMember) return { start: found.offset, end: found.endOffset };
    return found.keyOffset === undefined ? undefined : stringAt(text, found.keyOffset);
  });
}

/** The string that begins at an offset. */
function stringAt(text: string, start: number) {
  let end = start + 1;
  while (end < text.length && text[end] !== '"' && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1;
  return { start, end: Math.min(end + 1, text.length) };
}

/** The span that an editor underlines: a word, a string, or the bracket that opens an object or list. */
export function wordAt(text: string, start: number): Span {
  if (text[start] === '"') return stringAt(text, start);
  const word = /[^\s,:{}[\]"]+/y;
  word.lastIndex = start;
  const length = word.exec(text)?.[0].length ?? 1;
  return { start, end: Math.min(start + length, text.length) };
}
