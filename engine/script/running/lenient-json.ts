import { forbiddenKeys } from '../../core/json-guard.ts';
import type { Dictionary } from '../../core/plain-object.ts';
/**
 * Parses hand-written, nearly valid JSON: unquoted or single-quoted keys and strings, missing members and values,
 * superfluous commas. Every text yields a value, with three exceptions, which yield undefined: a blank text, a text
 * that is nested deeper than `depthMax`, and a text with a forbidden key such as `__proto__`.
 */
export function readLenientJson(text: string, depthMax: number): { readonly value: unknown } | undefined {
  const reader = new LenientReader(text, depthMax);
  return reader.document();
}

const blank = /\s/;
/** Characters that end a bare word. */
const delimiters = new Set([',', ':', '{', '}', '[', ']', '"', "'", '\n', '\r']);
const wholeNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

class LenientReader {
  private at = 0;
  private depth = 0;
  private failed = false;

  constructor(
    private readonly text: string,
    private readonly depthMax: number,
  ) {}

  document(): { readonly value: unknown } | undefined {
    this.skipBlanks();
    if (this.at >= this.text.length) return undefined;
    const value = this.value();
    return this.failed ? undefined : { value };
  }

  private value(): unknown {
    this.skipBlanks();
    switch (this.text[this.at]) {
      case '{':
        return this.nested(() => this.object());
      case '[':
        return this.nested(() => this.list());
      case '"':
      case "'":
        return this.quoted();
      default:
        return meaning(this.bareWord());
    }
  }

  private nested(read: () => unknown): unknown {
    this.at++;
    if (++this.depth > this.depthMax) this.failed = true;
    const value = this.failed ? undefined : read();
    this.depth--;
    return value;
  }

  private object(): unknown {
    const members: [string, unknown][] = [];
    while (!this.failed && !this.closes('}')) {
      if (this.takes(',')) continue;
      const key = this.key();
      if (forbiddenKeys.has(key)) this.failed = true;
      members.push([key, this.takes(':') ? this.member() : null]);
    }
    return Object.fromEntries(members);
  }

  private list(): unknown {
    const values: unknown[] = [];
    while (!this.failed && !this.closes(']')) {
      if (this.takes(',') || this.takes(':')) continue;
      if (this.stands('}')) this.at++;
      else values.push(this.value());
    }
    return values;
  }

  /** The value after a colon; null if it is missing. */
  private member(): unknown {
    this.skipBlanks();
    const next = this.text[this.at];
    return next === undefined || next === ',' || next === '}' ? null : this.value();
  }

  private key(): string {
    const first = this.text[this.at];
    if (first === '"' || first === "'") return this.quoted();
    const word = this.bareWord();
    // Skips a character that cannot start a key, so that the reader always advances.
    if (word === '' && !this.stands(':')) this.at++;
    return word;
  }

  /** Whether a bracket closes here. The end of the text closes all brackets. */
  private closes(bracket: string) {
    this.skipBlanks();
    if (this.at >= this.text.length) return true;
    return this.takes(bracket);
  }

  private takes(character: string) {
    this.skipBlanks();
    if (!this.stands(character)) return false;
    this.at++;
    return true;
  }

  private stands(character: string) {
    return this.text[this.at] === character;
  }

  private quoted() {
    const quote = this.text[this.at++];
    let read = '';
    while (this.at < this.text.length) {
      const character = this.text[this.at++]!;
      if (character === quote) return read;
      read += character === '\\' ? this.escaped() : character;
    }
    return read;
  }

  private escaped() {
    const character = this.text[this.at++] ?? '';
    if (character === 'u' && /^[0-9a-fA-F]{4}$/.test(this.text.slice(this.at, this.at + 4))) {
      const code = Number.parseInt(this.text.slice(this.at, this.at + 4), 16);
      this.at += 4;
      return String.fromCharCode(code);
    }
    return escapes[character] ?? character;
  }

  private bareWord() {
    const start = this.at;
    while (this.at < this.text.length && !delimiters.has(this.text[this.at]!)) this.at++;
    return this.text.slice(start, this.at).trim();
  }

  private skipBlanks() {
    while (this.at < this.text.length && blank.test(this.text[this.at]!)) this.at++;
  }
}

const escapes: Dictionary<string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

function meaning(word: string): unknown {
  switch (word) {
    case '':
    case 'null':
    case 'undefined':
      return null;
    case 'true':
      return true;
    case 'false':
      return false;
    default:
      return wholeNumber.test(word) ? Number(word) : word;
  }
}
