import { printParseErrorCode, visit } from 'jsonc-parser';
import { lineAndColumn } from '../../engine/core/index.ts';

interface SyntaxProblem {
  /** UTF-16 offset of the error; the length of the text if it ends too early. */
  readonly offset: number;
  readonly message: string;
}

/** Messages by the names of the parser's codes. */
const messages: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'Expected a key in double quotes.',
  ValueExpected: 'Expected a value.',
  ColonExpected: 'Expected a colon after the key.',
  EndOfFileExpected: 'Unexpected text after the end of the document.',
  InvalidCommentToken: 'JSON has no comments.',
  UnexpectedEndOfComment: 'JSON has no comments.',
  UnexpectedEndOfString: 'The string is not closed on its line.',
  UnexpectedEndOfNumber: 'The number must end with a digit.',
  InvalidUnicode: 'In a string, `\\u` must be followed by four hexadecimal digits.',
  InvalidEscapeCharacter: 'The string holds an unknown escape sequence; a backslash itself is written `\\\\`.',
  InvalidCharacter: 'The string holds a control character; write it as an escape sequence, such as `\\t` for a tab.',
};

/**
 * The first syntax error in `text`; undefined if and only if `JSON.parse` accepts it. The nesting of the text must be
 * limited (`guardJson`).
 */
export function findSyntaxError(text: string): SyntaxProblem | undefined {
  let problem: SyntaxProblem | undefined;
  /** Offsets of the open objects and arrays. */
  const open: number[] = [];
  let closed: number | undefined;
  const begin = (offset: number) => {
    open.push(offset);
  };
  const end = () => {
    closed = open.pop();
  };
  visit(
    text,
    {
      onObjectBegin: begin,
      onArrayBegin: begin,
      onObjectEnd: end,
      onArrayEnd: end,
      onError: (code, offset) => {
        const name = printParseErrorCode(code);
        // The parser ends an object or array before it reports that it is not closed.
        problem ??= problemAt(text, name, offset, name.startsWith('Close') ? closed : open.at(-1));
      },
    },
    { disallowComments: true },
  );
  return problem;
}

function problemAt(text: string, name: string, offset: number, container: number | undefined): SyntaxProblem {
  if (offset >= text.length) {
    const message = container === undefined ? 'The text is empty.' : `The text ends too early: ${opened()}`;
    return { offset: text.length, message };
  }
  const found = text[offset]!;
  const before = text.slice(0, offset).trimEnd();
  if ('}]'.includes(found) && before.endsWith(',')) {
    // Reported at the comma, because that is what must be removed; it may be lines above the bracket.
    return { offset: before.length - 1, message: `A comma with nothing after it before the closing \`${found}\`.` };
  }
  if (name === 'InvalidSymbol') return { offset, message: unknownSymbol(text.slice(offset)) };
  if (container === undefined || messages[name] !== undefined) {
    return { offset, message: messages[name] ?? 'Expected a value.' };
  }
  const close = text[container] === '{' ? '}' : ']';
  return { offset, message: `Expected a comma or \`${close}\` after the value; ${opened()}` };

  function opened(): string {
    const { line, column } = lineAndColumn(text, container!);
    return `${text[container!] === '{' ? 'the object' : 'the array'} that begins at ${line}:${column} is still open.`;
  }
}

function unknownSymbol(rest: string): string {
  if (rest.startsWith('#')) return 'JSON has no comments.';
  if (rest.startsWith("'")) return 'Strings must be in double quotes, not in single quotes.';
  // For example the page with which a server answers for a file that it does not have.
  if (rest.startsWith('<')) return 'Expected a value, found `<`. This looks like HTML or XML, not JSON.';
  // Nobody sees a byte order mark, a no-break space or a zero byte.
  const unseen = `U+${rest.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  const word = /^[^\s\p{Cc},:{}[\]"]{1,40}/u.exec(rest)?.[0] ?? unseen;
  return `\`${word}\` is not JSON; text and keys must be in double quotes.`;
}
