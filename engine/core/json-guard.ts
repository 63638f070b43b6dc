import { decodeString } from './json-scan.ts';

export interface JsonLimits {
  /** Of the text in UTF-8. */
  readonly bytesMax: number;
  /** Objects and arrays inside one another; the outermost counts as 1. */
  readonly depthMax: number;
}

export const defaultJsonLimits: JsonLimits = { bytesMax: 64 * 1024 * 1024, depthMax: 1000 };

/**
 * Keys that are refused. `__proto__` sets a prototype wherever such an object is copied by assignment. The other two are members that a
 * plain object used as a dictionary already has. No collection of a definition has a use for any of them.
 */
const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const shortestForbidden = 9;
const longestForbidden = 11;
/** Every letter written as an escape of six characters. */
const longestForbiddenEscaped = 6 * longestForbidden;
const forbiddenReportedMax = 100;

interface GuardReport {
  /** Why the text must not be parsed. For `too-large` the scan was not made, for `too-deep` it stopped at `offset`. */
  readonly refusal: { readonly code: 'too-large' | 'too-deep'; readonly offset: number } | undefined;
  /** Where forbidden keys begin (at the quote), at most the first hundred. */
  readonly forbiddenKeyOffsets: readonly number[];
  /** Members of all objects as written, doubles included. Means nothing when the text is not JSON. */
  readonly memberCount: number;
}

/**
 * Looks at a text before it is parsed: one pass that never looks inside strings. It does not check syntax: whatever it
 * lets through, `JSON.parse` still judges; whatever it refuses is refused, JSON or not.
 */
export function guardJson(text: string, limits: JsonLimits = defaultJsonLimits): GuardReport {
  const { depthMax } = limits;
  const forbiddenKeyOffsets: number[] = [];
  if (exceedsBytes(text, limits.bytesMax)) {
    return { refusal: { code: 'too-large', offset: 0 }, forbiddenKeyOffsets, memberCount: 0 };
  }
  let depth = 0;
  let memberCount = 0;
  let stringStart = -1;
  let stringEnd = -1;
  // Only an escape \uXXXX can spell a letter otherwise, and most documents have none or few: the next one is always
  // known.
  let nextEscape = text.indexOf('\\u');
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: {
        stringStart = i;
        i = stringEnd = endOfString(text, i + 1);
        break;
      }
      case 0x3a: {
        // A colon outside strings follows a key, so colons are members.
        memberCount++;
        const length = stringEnd - stringStart - 1;
        if (length < shortestForbidden || length > longestForbiddenEscaped) break;
        while (nextEscape !== -1 && nextEscape < stringStart) nextEscape = text.indexOf('\\u', stringStart);
        const escaped = nextEscape !== -1 && nextEscape < stringEnd;
        if (isForbidden(text, stringStart, stringEnd, escaped) && forbiddenKeyOffsets.length < forbiddenReportedMax) {
          forbiddenKeyOffsets.push(stringStart);
        }
        break;
      }
      case 0x5b:
      case 0x7b:
        if (++depth > depthMax) return { refusal: { code: 'too-deep', offset: i }, forbiddenKeyOffsets, memberCount };
        break;
      case 0x5d:
      case 0x7d:
        depth--;
        break;
    }
  }
  return { refusal: undefined, forbiddenKeyOffsets, memberCount };
}

/**
 * Offset of the quote that closes the string whose first character is at `from`; the length of the text when nothing
 * closes it.
 */
function endOfString(text: string, from: number): number {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    if (text.charCodeAt(end - 1) !== 0x5c) return end;
    // Backslashes escape one another in pairs, so the quote is escaped when their number is odd.
    let first = end - 1;
    while (first > from && text.charCodeAt(first - 1) === 0x5c) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

function isForbidden(text: string, start: number, end: number, escaped: boolean): boolean {
  if (escaped) return forbiddenKeys.has(decodeString(text, start, end + 1));
  if (end - start - 1 > longestForbidden) return false;
  return forbiddenKeys.has(text.slice(start + 1, end));
}

/** Members that a parsed value holds, however deep it is: what `memberCount` of its text would be, had the text no key twice. */
export function membersOf(document: unknown): number {
  let members = 0;
  const waiting: object[] = isContainer(document) ? [document] : [];
  for (let container = waiting.pop(); container !== undefined; container = waiting.pop()) {
    const values: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
    if (values !== container) members += values.length;
    for (const value of values) if (isContainer(value)) waiting.push(value);
  }
  return members;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a text is larger than `bytesMax` in UTF-8. */
function exceedsBytes(text: string, bytesMax: number): boolean {
  // A UTF-16 unit is one to three bytes of UTF-8, so most texts need no counting.
  if (text.length > bytesMax) return true;
  if (text.length * 3 <= bytesMax) return false;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) bytes += 1;
    else if (code < 0x800) bytes += 2;
    // Each half of a surrogate pair counts for half of its four bytes.
    else if (code >= 0xd800 && code <= 0xdfff) bytes += 2;
    else bytes += 3;
  }
  return bytes > bytesMax;
}
