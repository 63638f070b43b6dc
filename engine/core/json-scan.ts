import { lineAndColumn } from './lines.ts';

/**
 * The kinds of token that `JsonScanner.next` returns. The kinds are numbers, because that of each token is compared
 * with several of them.
 */
export const token = { end: 0, error: 1, open: 2, close: 3, key: 4, scalar: 5 } as const;
type Token = (typeof token)[keyof typeof token];

interface SyntaxProblem {
  /** UTF-16 offset of the error; the length of the text if it ends too early. */
  readonly offset: number;
  readonly message: string;
}

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const quote = 0x22;
const hash = 0x23;
const apostrophe = 0x27;
const plus = 0x2b;
const comma = 0x2c;
const minus = 0x2d;
const point = 0x2e;
const slash = 0x2f;
const zero = 0x30;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const byteOrderMark = 0xfeff;

const expectValue = 0;
const expectValueOrClose = 1;
const expectKey = 2;
const expectKeyOrClose = 3;
const expectAfterValue = 4;
const stopped = 5;

/**
 * Reads JSON token by token, with positions. `JSON.parse` remains the parser: the scanner runs only when there is
 * something to report, to find the position of a node, the first syntax error, or duplicate keys.
 *
 * Accepts exactly what `JSON.parse` accepts. Uses its own stack, so nesting cannot overflow the call stack. After an
 * error, every `next()` returns `token.error`, so a caller that stops there has seen everything before the first error.
 */
export class JsonScanner {
  /**
   * Offsets of the token; `end` is exclusive. A key starts at its quote and ends after its colon.
   */
  start = 0;
  end = 0;
  problem: SyntaxProblem | undefined;

  readonly #text: string;
  /**
   * Offsets of the opening brackets of all open containers; the character at each offset distinguishes objects from
   * arrays.
   */
  readonly #open: number[] = [];
  #expect: number = expectValue;
  #lastComma = 0;
  #keyEnd = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /**
   * Number of open containers. Includes the one that `token.open` has just opened, but not the one that `token.close`
   * has just closed.
   */
  get depth(): number {
    return this.#open.length;
  }

  /** Offset of the innermost open container, or -1 if none is open. Distinguishes objects at the same depth. */
  get container(): number {
    return this.#open.length === 0 ? -1 : this.#open[this.#open.length - 1]!;
  }

  next(): Token {
    const text = this.#text;
    if (this.#expect === stopped) return this.problem === undefined ? token.end : token.error;
    let at = skipBlanks(text, this.end);

    if (this.#expect === expectAfterValue) {
      if (this.#open.length === 0) {
        if (at < text.length) return this.#fail(at, 'Unexpected text after the end of the document.');
        this.start = this.end = at;
        this.#expect = stopped;
        return token.end;
      }
      const code = text.charCodeAt(at);
      if (code === comma) {
        this.#lastComma = at;
        at = skipBlanks(text, at + 1);
        this.#expect = text.charCodeAt(this.container) === openBrace ? expectKey : expectValue;
      } else if (code === closeBrace || code === closeBracket) {
        return this.#close(at, code);
      } else {
        return this.#failAfterValue(at);
      }
    }

    const code = at < text.length ? text.charCodeAt(at) : -1;
    if (this.#expect === expectKey || this.#expect === expectKeyOrClose) {
      if (code === quote) return this.#key(at);
      if (code === closeBrace || code === closeBracket) return this.#close(at, code);
      return this.#failAt(at, code, true);
    }
    if (code === quote) return this.#string(at) ? this.#scalar(at) : token.error;
    if (code === openBrace || code === openBracket) {
      this.#open.push(at);
      this.#expect = code === openBrace ? expectKeyOrClose : expectValueOrClose;
      this.start = at;
      this.end = at + 1;
      return token.open;
    }
    if (code === closeBrace || code === closeBracket) return this.#close(at, code);
    if (code === minus || isDigit(code)) return this.#number(at) ? this.#scalar(at) : token.error;
    for (const word of literals) {
      if (text.startsWith(word, at) && !isWordPart(text.charCodeAt(at + word.length))) {
        this.end = at + word.length;
        return this.#scalar(at);
      }
    }
    return this.#failAt(at, code, false);
  }

  #scalar(start: number): Token {
    this.start = start;
    this.#expect = expectAfterValue;
    return token.scalar;
  }

  #key(at: number): Token {
    if (!this.#string(at)) return token.error;
    const keyEnd = this.end;
    const colonAt = skipBlanks(this.#text, keyEnd);
    if (this.#text.charCodeAt(colonAt) !== colon) {
      if (colonAt >= this.#text.length) return this.#failAtEnd();
      const key = excerptOf(this.#text, at, keyEnd);
      return this.#fail(colonAt, `Expected a colon after the key ${key}.`);
    }
    this.start = at;
    this.end = colonAt + 1;
    this.#keyEnd = keyEnd;
    this.#expect = expectValue;
    return token.key;
  }

  /** The key that was read last, decoded. */
  get key(): string {
    return decodeString(this.#text, this.start, this.#keyEnd);
  }

  #close(at: number, code: number): Token {
    if (this.#open.length === 0) return this.#fail(at, `\`${String.fromCharCode(code)}\` closes nothing.`);
    const opener = this.#text.charCodeAt(this.container);
    if (code !== (opener === openBrace ? closeBrace : closeBracket)) {
      const kind = opener === openBrace ? 'an object' : 'an array';
      return this.#fail(at, `\`${String.fromCharCode(code)}\` cannot close ${kind}; ${this.#opened()}`);
    }
    if (this.#expect === expectValue && this.#text.charCodeAt(this.container) === openBrace) {
      return this.#fail(at, 'The preceding key has no value.');
    }
    if (this.#expect === expectValue || this.#expect === expectKey) {
      // The error is reported at the comma, which the author must remove and which can be several lines above the
      // bracket.
      return this.#fail(
        this.#lastComma,
        `JSON allows no comma before the closing \`${String.fromCharCode(code)}\`; remove the comma.`,
      );
    }
    this.#open.pop();
    this.start = at;
    this.end = at + 1;
    this.#expect = expectAfterValue;
    return token.close;
  }

  #string(at: number): boolean {
    const text = this.#text;
    for (let i = at + 1; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === quote) {
        this.end = i + 1;
        return true;
      }
      if (code === backslash) {
        if (i + 1 >= text.length) break;
        i++;
        const escaped = text.charCodeAt(i);
        if (escaped === 0x75) {
          for (let digit = 1; digit <= 4; digit++) {
            if (i + digit >= text.length) break;
            if (!isHexDigit(text.charCodeAt(i + digit))) {
              this.#fail(i - 1, '`\\u` must be followed by four hexadecimal digits.');
              return false;
            }
          }
          i += 4;
        } else if (!isSimpleEscape(escaped)) {
          this.#fail(
            i - 1,
            `${quoted(text, i - 1, 2)} is not an escape sequence of JSON; a backslash itself is written \`\\\\\`.`,
          );
          return false;
        }
      } else if (code < space) {
        if (code === lineFeed || code === carriageReturn) {
          this.#fail(i, `The string that begins at ${this.#where(at)} is not closed on its line.`);
        } else {
          this.#fail(
            i,
            `A string may not contain the unescaped control character ${codePointName(code)}; write ${escapeOf(code)} instead.`,
          );
        }
        return false;
      }
    }
    this.#fail(text.length, `The text ends inside the string that begins at ${this.#where(at)}.`);
    return false;
  }

  #number(at: number): boolean {
    const text = this.#text;
    let i = at;
    if (text.charCodeAt(i) === minus) i++;
    if (!isDigit(text.charCodeAt(i))) {
      const word = wordAt(text, i);
      this.#fail(at, word === '' ? 'A minus sign must be followed by a number.' : `\`-${word}\` is not a JSON value.`);
      return false;
    }
    if (text.charCodeAt(i) === zero && isDigit(text.charCodeAt(i + 1))) {
      this.#fail(i, 'A number may not begin with a zero.');
      return false;
    }
    i = skipDigits(text, i);
    if (text.charCodeAt(i) === point) {
      if (!isDigit(text.charCodeAt(i + 1))) {
        this.#fail(i, 'A decimal point must be followed by a digit.');
        return false;
      }
      i = skipDigits(text, i + 1);
    }
    if (text.charCodeAt(i) === 0x65 || text.charCodeAt(i) === 0x45) {
      const exponentAt = i++;
      if (text.charCodeAt(i) === plus || text.charCodeAt(i) === minus) i++;
      if (!isDigit(text.charCodeAt(i))) {
        this.#fail(exponentAt, 'An exponent must have at least one digit.');
        return false;
      }
      i = skipDigits(text, i);
    }
    this.end = i;
    return true;
  }

  #failAt(at: number, code: number, isKey: boolean): Token {
    if (code === -1) return this.#failAtEnd();
    const misplaced = this.#describeMisplaced(at, code);
    if (misplaced !== undefined) return this.#fail(at, misplaced);
    const word = wordAt(this.#text, at);
    const found = quoted(this.#text, at, 1);
    if (isKey) {
      const message =
        word === ''
          ? `Expected a key in double quotes, found ${found}.`
          : `The key \`${word}\` must be in double quotes.`;
      return this.#fail(at, message);
    }
    if (code === plus) return this.#fail(at, 'A number may not begin with a plus sign.');
    if (code === point)
      return this.#fail(at, 'A number may not begin with a decimal point; write a zero before the point.');
    if (word !== '') {
      const cutOff = literals.find((literal) => at + word.length === this.#text.length && literal.startsWith(word));
      if (cutOff !== undefined) return this.#fail(this.#text.length, `The text ends inside \`${cutOff}\`.`);
      const lower = word.toLowerCase();
      if (literals.includes(lower)) return this.#fail(at, `\`${word}\` is written \`${lower}\` in JSON.`);
      return this.#fail(at, `\`${word}\` is not a JSON value; text must be in double quotes.`);
    }
    // For example, the error page that a server sends for a missing file starts with `<`.
    const markup = this.#text[at] === '<' ? ' This looks like HTML or XML, not JSON.' : '';
    return this.#fail(at, `Expected a value, found ${found}.${markup}`);
  }

  #failAfterValue(at: number): Token {
    if (at >= this.#text.length) return this.#failAtEnd();
    const code = this.#text.charCodeAt(at);
    if (isCommentStart(this.#text, at)) return this.#fail(at, 'JSON has no comments.');
    const close = this.#text.charCodeAt(this.container) === openBrace ? '}' : ']';
    if (code === colon) return this.#fail(at, `Unexpected colon: expected a comma or \`${close}\` after the value.`);
    return this.#fail(at, `Expected a comma or \`${close}\` after the value, found ${quoted(this.#text, at, 1)}.`);
  }

  /** Describes mistakes that can occur at the start of both keys and values. */
  #describeMisplaced(at: number, code: number): string | undefined {
    if (isCommentStart(this.#text, at)) return 'JSON has no comments.';
    if (code === byteOrderMark) return 'A byte order mark is allowed only at the very start of a file.';
    if (code === apostrophe) return 'Strings must be in double quotes, not in single quotes.';
    if (code === comma) return 'Unexpected comma: there is nothing before it.';
    return undefined;
  }

  #failAtEnd(): Token {
    const { length } = this.#text;
    if (this.#open.length > 0) return this.#fail(length, `The text ends too early: ${this.#opened()}`);
    return this.#fail(length, 'The text is empty.');
  }

  #opened(): string {
    const kind = this.#text.charCodeAt(this.container) === openBrace ? 'the object' : 'the array';
    return `${kind} that begins at ${this.#where(this.container)} is still open.`;
  }

  #where(offset: number): string {
    const { line, column } = lineAndColumn(this.#text, offset);
    return `${line}:${column}`;
  }

  #fail(offset: number, message: string): Token {
    this.problem = { offset, message };
    this.start = this.end = offset;
    this.#expect = stopped;
    return token.error;
  }
}

/** The first syntax error in `text`; undefined if and only if `JSON.parse` accepts it. */
export function findSyntaxError(text: string): SyntaxProblem | undefined {
  const scanner = new JsonScanner(text);
  for (;;) {
    const read = scanner.next();
    if (read === token.end) return undefined;
    if (read === token.error) return scanner.problem;
  }
}

/**
 * Decodes the string literal from `start` to `end`, quotes included. Returns the raw characters of a malformed literal.
 */
export function decodeString(text: string, start: number, end: number): string {
  // Searches the slice, because a search of the whole text would run to its end for every key without an escape.
  const inside = text.slice(start + 1, end - 1);
  if (!inside.includes('\\')) return inside;
  try {
    return JSON.parse(`"${inside}"`) as string;
  } catch {
    return inside;
  }
}

const literals: readonly string[] = ['true', 'false', 'null'];

function skipBlanks(text: string, from: number) {
  let at = from;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code !== space && code !== lineFeed && code !== carriageReturn && code !== tab) break;
    at++;
  }
  return at;
}

function skipDigits(text: string, from: number) {
  let at = from;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(code: number) {
  return code >= 0x30 && code <= 0x39;
}

function isHexDigit(code: number) {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

/** Whether a character is an ASCII letter, a digit, `_`, `$`, or any visible non-ASCII character except blanks. */
function isWordPart(code: number) {
  if (code > 0xa0) return !isUnseen(code);
  return (
    isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f || code === 0x24
  );
}

function isUnseen(code: number) {
  return /^[\s\p{Cc}\p{Cf}]$/u.test(String.fromCodePoint(code));
}

function isSimpleEscape(code: number) {
  return code === quote || code === backslash || code === slash || 'bfnrt'.includes(String.fromCharCode(code));
}

function isCommentStart(text: string, at: number) {
  const code = text.charCodeAt(at);
  if (code === hash) return true;
  return code === slash && (text.charCodeAt(at + 1) === slash || text.charCodeAt(at + 1) === 0x2a);
}

/** The word at `at`, shortened for messages. */
function wordAt(text: string, at: number) {
  let end = at;
  while (end < text.length && isWordPart(text.charCodeAt(end))) end++;
  return excerptOf(text, at, end);
}

function excerptOf(text: string, start: number, end: number) {
  return end - start > 40 ? `${text.slice(start, start + 39)}…` : text.slice(start, end);
}

/** Quotes characters for a message. If the last one is invisible, returns its code point instead, such as `U+200B`. */
function quoted(text: string, at: number, length: number) {
  const code = text.codePointAt(at + length - 1)!;
  if (isUnseen(code)) return codePointName(code);
  return `\`${text.slice(at, at + length - 1)}${String.fromCodePoint(code)}\``;
}

function codePointName(code: number) {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

function escapeOf(code: number) {
  if (code === tab) return '`\\t`';
  return `\`\\u${code.toString(16).padStart(4, '0')}\``;
}
