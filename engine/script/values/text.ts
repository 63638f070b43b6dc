import { searchFor } from '../../core/text-search.ts';
import { type About, compiledValue, family, inertValue, type ValueRow, value, valueOfTwo } from '../op.ts';
import * as P from '../params.ts';
import { OperandFault, type ScriptContext } from '../running/context.ts';
import { leadingNumber, toText } from '../running/value.ts';
import { countCharacters } from '../running/work.ts';
import { coerced, isMissing, limited, number, text } from './operands.ts';

function ofText(about: About, compute: (given: string) => string): ValueRow {
  return value(about, { string: text }, 'string', (given, context) =>
    typeof given === 'string' && given !== '' ? limited(context, compute(given)) : undefined,
  );
}

/** A function of two strings; undefined unless both operands are strings. */
function ofTwoTexts(
  about: About,
  firstKey: string,
  secondKey: string,
  compute: (a: string, b: string, context: ScriptContext) => boolean,
): ValueRow {
  return valueOfTwo(about, { [firstKey]: text, [secondKey]: text }, 'boolean', (a, b, context) =>
    typeof a === 'string' && typeof b === 'string' ? compute(a, b, context) : undefined,
  );
}

function holds(context: ScriptContext, source: string, sought: string) {
  countCharacters(context, source.length + sought.length);
  return searchFor(sought)(source, 0) >= 0;
}

/**
 * Replaces all occurrences. A result that exceeds the length limit is truncated, with a fault. An empty `match` matches
 * nothing.
 */
function replaceAll(context: ScriptContext, source: string, match: string, replacement: string) {
  if (match === '') return source;
  countCharacters(context, source.length + match.length);
  const find = searchFor(match);
  const { stringLength } = context.world.limits;
  let replaced = '';
  let from = 0;
  for (let at = find(source, 0); at >= 0 && replaced.length <= stringLength; at = find(source, from)) {
    replaced += source.slice(from, at) + replacement;
    from = at + match.length;
  }
  return limited(context, replaced + source.slice(from));
}

/** Maximum pattern length: a longer pattern may be too large to compile. */
const patternLengthMax = 1000;

/** Matches the parts of a pattern. Group 2 is set for a quantifier, group 1 for a lookaround or a backreference. */
const repeats = /(\\[1-9k]|\(\?)|\\.|\[(?:\\.|[^\]\\])*\]|([*+?{])/g;

/**
 * Maximum number of alternatives in groups of a pattern. Each alternative can at most double the number of ways to
 * match at one position.
 */
const choicesMax = 8;

/**
 * Counts alternatives within groups and detects repeated groups. Top-level alternatives do not count: they are tried
 * one after the other.
 */
function choicesOf(pattern: string): { readonly choices: number; readonly repeatsGroup: boolean } {
  let depth = 0;
  let choices = 0;
  for (const [sign] of pattern.matchAll(/\\.|\[(?:\\.|[^\]\\])*\]|[()|]/g)) {
    if (sign === '(') depth++;
    else if (sign === ')') depth--;
    else if (sign === '|' && depth > 0) choices++;
  }
  return { choices, repeatsGroup: /(?<!\\)(?:\\\\)*\)[*+?{]/.test(pattern) };
}

/**
 * Replaces as the reference does: the string to find is a regular expression, and `$` in the replacement is special. A
 * pattern with more than one quantifier, a lookaround or a backreference is a fault, because matching could take
 * exponential time. A pattern that repeats a group of alternatives, or that has too many alternatives in groups, is a
 * fault, too.
 */
function replacePattern(context: ScriptContext, source: string, match: string, replacement: string) {
  countCharacters(context, source.length + match.length);
  let repeated = 0;
  for (const [, reference, sign] of match.matchAll(repeats))
    repeated += reference !== undefined ? 2 : sign !== undefined ? 1 : 0;
  const { choices, repeatsGroup } = choicesOf(match);
  const isBounded = repeated < 2 && choices <= choicesMax && !(repeatsGroup && choices > 0);
  // A quantifier may scan to the end of the string from each position; each alternative doubles the number of ways to
  // match.
  const length = repeated === 1 ? source.length * source.length : source.length;
  if (isBounded && (repeated === 1 || choices > 0)) countCharacters(context, length * (1 << choices));
  let pattern: RegExp | undefined;
  try {
    if (isBounded && match.length <= patternLengthMax) pattern = new RegExp(match, 'g');
  } catch {
    pattern = undefined;
  }
  if (pattern === undefined) {
    throw new OperandFault(
      'wrong-value',
      'The search string is not a valid regular expression, is too long, or would take too long to match.',
    );
  }
  const { stringLength } = context.world.limits;
  // Bounds the result before it is built: `$&` and similar patterns insert at most the whole string.
  if (replacement.includes('$')) countCharacters(context, (source.length + 1) * (source.length + replacement.length));
  else if ((source.length + 1) * replacement.length > stringLength)
    return replaceBounded(context, source, pattern, replacement);
  return limited(context, source.replace(pattern, replacement));
}

/** Does the same as `source.replace(pattern, replacement)`, but stops once the result exceeds the length limit. */
function replaceBounded(context: ScriptContext, source: string, pattern: RegExp, replacement: string) {
  const { stringLength } = context.world.limits;
  let replaced = '';
  let from = 0;
  for (const { index, 0: found } of source.matchAll(pattern)) {
    replaced += source.slice(from, index) + replacement;
    from = index + found.length;
    if (replaced.length > stringLength) break;
  }
  return limited(context, replaced + source.slice(from));
}

const secondsPerDay = 86_400;
/** The largest time of a JavaScript Date; beyond it, the reference fails. */
const farthestMs = 8.64e15;

function timeOfDay(seconds: number) {
  const rest = Math.floor(Math.trunc(seconds * 1000) / 1000) % secondsPerDay;
  const second = rest < 0 ? rest + secondsPerDay : rest;
  return `${twoDigits(Math.floor(second / 3600))}:${twoDigits(Math.floor(second / 60) % 60)}:${twoDigits(second % 60)}`;
}

function twoDigits(count: number) {
  return count < 10 ? `0${count}` : String(count);
}

/** Strings. No result exceeds the length limit. */
export const textValues = family<ValueRow>('text', {
  concat: valueOfTwo(
    'Two values, concatenated as strings.',
    { textA: P.any, textB: P.any },
    'string',
    (a, b, context) => limited(context, toText(a) + toText(b)),
  ),
  numberToString: value('A value as a string.', { value: P.any }, 'string', (operand, context) =>
    limited(context, toText(operand)),
  ),
  stringToNumber: value(
    { sentence: 'The number that a string represents, if any.', example: { value: '5' } },
    { value: P.any },
    'number',
    (operand) => {
      const converted = coerced(operand);
      return Number.isNaN(converted) ? undefined : converted;
    },
  ),
  /** The result is false for the number 0, as for any falsy value, but true for the string "0". */
  stringIsANumber: value('Whether a string represents a number.', { string: P.any }, 'boolean', (given) => {
    if (!given || typeof given === 'boolean') return false;
    return !Number.isNaN(Number.parseFloat(toText(given))) && !Number.isNaN(coerced(given));
  }),
  /** The time of day as hours, minutes and seconds; a negative time is on the previous day. */
  getTimeString: compiledValue(
    'A number of seconds as a time of day, `hh:mm:ss`.',
    { seconds: number },
    'string',
    ({ seconds }, { dialect }) => {
      // The reference uses the leading number of a string.
      const read = dialect.queriesCheckOperands ? coerced : leadingNumber;
      return (context) => {
        const given = read(seconds(context));
        if (!(Math.abs(given * 1000) <= farthestMs)) {
          throw new OperandFault('not-a-number', 'getTimeString: `seconds` is not a number, or is too large.');
        }
        return timeOfDay(given);
      };
    },
  ),
  /** The function returns the length of a string or of a list. It returns undefined for "" and for all other values. */
  getLengthOfString: value('The length of a string. Undefined if it is empty.', { string: text }, 'number', (given) => {
    if (typeof given === 'string') return given === '' ? undefined : given.length;
    return Array.isArray(given) ? given.length : undefined;
  }),
  toLowerCase: { ...ofText('A string in lower case.', (given) => given.toLowerCase()), letters: 'lower' },
  toUpperCase: { ...ofText('A string in upper case.', (given) => given.toUpperCase()), letters: 'upper' },
  /**
   * The part includes the character at the lower index and excludes the character at the higher index. The operands may
   * be in either order.
   */
  substringOf: compiledValue(
    'The part of a string from one index up to, but not including, another index. Indices are counted from 0.',
    { string: text, fromIndex: number, toIndex: number },
    'string',
    ({ string, fromIndex, toIndex }) =>
      (context) => {
        const given = string(context);
        const from = coerced(fromIndex(context));
        const to = coerced(toIndex(context));
        if (typeof given !== 'string') return '';
        return given.substring(Math.min(Math.max(from, 0), given.length - 1), Math.min(Math.max(to, 0), given.length));
      },
  ),
  subString: ofTwoTexts(
    'Whether a string contains another string.',
    'sourceString',
    'patternString',
    (source, pattern, context) => holds(context, source, pattern),
  ),
  stringContains: compiledValue(
    'Whether a string contains another string.',
    { string: text, keyword: text },
    'boolean',
    ({ string, keyword }, { dialect }) => {
      const answers = dialect.stringContains;
      return (context) => {
        const given = string(context);
        const sought = keyword(context);
        if (!answers && !isMissing(given) && typeof given !== 'string' && !Array.isArray(given)) {
          throw new OperandFault('wrong-value', 'stringContains: `string` is not a string.');
        }
        return answers && typeof given === 'string' && typeof sought === 'string' && holds(context, given, sought);
      };
    },
  ),
  stringStartsWith: ofTwoTexts(
    'Whether a string starts with another string.',
    'sourceString',
    'patternString',
    (source, pattern) => source.startsWith(pattern),
  ),
  stringEndsWith: ofTwoTexts(
    'Whether a string ends with another string.',
    'sourceString',
    'patternString',
    (source, pattern) => source.endsWith(pattern),
  ),
  replaceValuesInString: compiledValue(
    'A string with every occurrence of another string replaced.',
    { sourceString: text, matchString: text, newString: text },
    'string',
    ({ sourceString, matchString, newString }, { dialect }) => {
      const replace = dialect.replaceIsLiteral ? replaceAll : replacePattern;
      return (context) => {
        const source = sourceString(context);
        const match = matchString(context);
        const replacement = newString(context);
        if (typeof source !== 'string' || typeof match !== 'string' || typeof replacement !== 'string') {
          return undefined;
        }
        return replace(context, source, match, replacement);
      };
    },
  ),
  filterString: inertValue(
    'Always undefined. The function was meant to return a string with profanity filtered out.',
    'The profanity filter belongs to the host.',
    'string',
    { string: text },
  ),
});
