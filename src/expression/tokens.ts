import type { Dictionary } from '../../engine/core/index.ts';
import { ExpressionError } from './expression-error.ts';

// biome-ignore format: one line is a table.
const symbols = ['==', '!=', '<=', '>=', '&&', '||', '<', '>', '!', '(', ')', '[', ']', '-', '+', '*', '/', '.'] as const;
type Sign = (typeof symbols)[number];

export type Token =
  | { readonly kind: 'number'; readonly value: number; readonly offset: number }
  | { readonly kind: 'string'; readonly value: string; readonly offset: number }
  /** `quoted`: written in backticks, so that it can only be the name of a variable. */
  | { readonly kind: 'name'; readonly value: string; readonly quoted: boolean; readonly offset: number }
  | { readonly kind: 'symbol'; readonly value: Sign; readonly offset: number }
  | { readonly kind: 'end'; readonly offset: number };

const spacePattern = /\s+/y;
const numberPattern = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
/** Names of constants in games start with `@`. */
const namePattern = /[\p{L}_$@][\p{L}\p{N}_$@]*/uy;
const escapes: Dictionary<string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  "'": "'",
  '`': '`',
  '\\': '\\',
};

/** Messages for operators of other languages, by the character at which reading stops. */
const hints: Dictionary<string> = {
  '=': 'To compare values, use "==".',
  '&': 'Use "and" or "&&".',
  '|': 'Use "or" or "||".',
};

/** Whether a string can be written as a name without backticks. */
export function isName(text: string): boolean {
  namePattern.lastIndex = 0;
  return namePattern.exec(text)?.[0] === text;
}

/**
 * Splits an expression into tokens. Throws `ExpressionError` for a character or string that no token can start with.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  const match = (pattern: RegExp) => {
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0];
  };
  for (;;) {
    offset += match(spacePattern)?.length ?? 0;
    if (offset >= text.length) break;
    const character = text[offset]!;
    const number = match(numberPattern);
    const name = match(namePattern);
    const symbol = symbols.find((each) => text.startsWith(each, offset));
    if (number !== undefined) {
      const behind = text.slice(offset + number.length).match(/^[\p{L}\p{N}_$@.]/u);
      if (behind !== null) {
        const message = `A number cannot be followed by "${behind[0]}"; put a name that begins with a digit in backticks.`;
        throw new ExpressionError('expression-syntax', message, text, offset + number.length);
      }
      tokens.push({ kind: 'number', value: Number(number), offset });
      offset += number.length;
    } else if (name !== undefined) {
      tokens.push({ kind: 'name', value: name, quoted: false, offset });
      offset += name.length;
    } else if (character === '"' || character === "'" || character === '`') {
      const { value, end } = quotedText(text, offset);
      if (character === '`') tokens.push({ kind: 'name', value, quoted: true, offset });
      else tokens.push({ kind: 'string', value, offset });
      offset = end;
    } else if (symbol !== undefined) {
      if ((symbol === '==' || symbol === '!=') && text[offset + 2] === '=')
        throw new ExpressionError('expression-syntax', `Write "${symbol}".`, text, offset);
      tokens.push({ kind: 'symbol', value: symbol, offset });
      offset += symbol.length;
    } else {
      const hint = hints[character] ?? `"${String.fromCodePoint(text.codePointAt(offset)!)}" is not allowed here.`;
      throw new ExpressionError('expression-syntax', hint, text, offset);
    }
  }
  tokens.push({ kind: 'end', offset: text.length });
  return tokens;
}

function quotedText(text: string, start: number): { value: string; end: number } {
  const quote = text[start]!;
  let value = '';
  for (let i = start + 1; i < text.length; i++) {
    const character = text[i]!;
    if (character === quote) return { value, end: i + 1 };
    if (character !== '\\') {
      value += character;
      continue;
    }
    const escaped = text[++i] ?? '';
    const unicode = escaped === 'u' ? /^[0-9a-fA-F]{4}/.exec(text.slice(i + 1)) : null;
    if (unicode !== null) {
      value += String.fromCharCode(Number.parseInt(unicode[0], 16));
      i += 4;
    } else if (escapes[escaped] !== undefined) value += escapes[escaped];
    else
      throw new ExpressionError(
        'expression-syntax',
        `Unknown escape "\\${escaped}"; write a backslash as "\\\\".`,
        text,
        i - 1,
      );
  }
  const message = `The ${quote === '`' ? 'name' : 'string'} that starts here has no closing ${quote}.`;
  throw new ExpressionError('expression-syntax', message, text, start);
}
