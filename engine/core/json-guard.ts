import { decodeString } from './json-scan.ts';
import { isObject } from './plain-object.ts';

export interface JsonLimits {
  /** Maximum size of the text in UTF-8. */
  readonly bytesMax: number;
  /** Maximum nesting of objects and arrays; the outermost counts as 1. */
  readonly depthMax: number;
}

export const defaultJsonLimits: JsonLimits = { bytesMax: 64 * 1024 * 1024, depthMax: 1000 };

/**
 * Keys that are rejected. `__proto__` sets the prototype when such an object is copied by assignment. The other two can
 * be mistaken for members that objects inherit. No definition needs any of them.
 */
export const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const shortestForbidden = 9;
const longestForbidden = 11;
/** The length of the longest forbidden key if every letter is written as a six-character escape. */
const longestForbiddenEscaped = 6 * longestForbidden;
const forbiddenReportedMax = 100;

interface GuardReport {
  /**
   * Why the text must not be parsed. For `too-large`, nothing was scanned; for `too-deep`, the scan stopped at
   * `offset`.
   */
  readonly refusal: { readonly code: 'too-large' | 'too-deep'; readonly offset: number } | undefined;
  /** Offsets of the opening quotes of forbidden keys; at most the first hundred. */
  readonly forbiddenKeyOffsets: readonly number[];
  /** Number of members of all objects, including duplicate keys. Meaningless if the text is not JSON. */
  readonly memberCount: number;
}

/**
 * Checks the limits of a text before it is parsed, in one pass that skips the contents of strings. It does not check
 * syntax: `JSON.parse` does that for the texts that pass.
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
  // Only an escape \uXXXX can hide a letter. Most documents have few of them, so the offset of the next one is tracked.
  let nextEscape = text.indexOf('\\u');
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22: {
        stringStart = i;
        i = stringEnd = endOfString(text, i + 1);
        break;
      }
      case 0x3a: {
        // A colon outside strings follows a key, so each colon is a member.
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
 * Offset of the closing quote of the string whose first character is at `from`; the length of the text if the string is
 * not closed.
 */
function endOfString(text: string, from: number) {
  for (let end = text.indexOf('"', from); end !== -1; end = text.indexOf('"', end + 1)) {
    if (text.charCodeAt(end - 1) !== 0x5c) return end;
    // Backslashes escape each other in pairs, so the quote is escaped if their number is odd.
    let first = end - 1;
    while (first > from && text.charCodeAt(first - 1) === 0x5c) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

function isForbidden(text: string, start: number, end: number, escaped: boolean) {
  if (escaped) return forbiddenKeys.has(decodeString(text, start, end + 1));
  if (end - start - 1 > longestForbidden) return false;
  return forbiddenKeys.has(text.slice(start + 1, end));
}

/**
 * The number of members in a parsed value at any depth. Equals `memberCount` of its text if the text has no duplicate
 * keys.
 */
export function membersOf(document: unknown): number {
  let members = 0;
  const waiting: object[] = isObject(document) ? [document] : [];
  for (let container = waiting.pop(); container !== undefined; container = waiting.pop()) {
    const values: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
    if (values !== container) members += values.length;
    for (const value of values) if (isObject(value)) waiting.push(value);
  }
  return members;
}

/** Whether a text exceeds `bytesMax` in UTF-8. */
function exceedsBytes(text: string, bytesMax: number) {
  // A UTF-16 code unit takes one to three bytes in UTF-8, so most texts need no counting.
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
