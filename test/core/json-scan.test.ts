import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSyntaxError, JsonScanner, token } from '../../engine/core/json-scan.ts';
import { runs } from '../support/property.ts';

/** In each text, `¦` marks the position of the error. */
const malformed: readonly [what: string, text: string, message: RegExp][] = [
  ['nothing', '¦', /text is empty/],
  ['only blanks', ' \n\t¦', /text is empty/],
  ['cut off after a value', '{"a": [1, 2¦', /array that begins at 1:7 is still open/],
  ['cut off after a comma', '[1,¦', /array that begins at 1:1 is still open/],
  ['cut off after a key', '{\n  "a"¦', /object that begins at 1:1 is still open/],
  ['cut off after a colon', '{"a":¦', /is still open/],
  ['cut off inside a string', '{\n  "a": "bc¦', /ends inside the string that begins at 2:8/],
  ['cut off inside an escape', '["a\\¦', /ends inside the string that begins at 1:2/],
  ['cut off inside a unicode escape', '["\\u12¦', /ends inside the string that begins at 1:2/],
  ['cut off literal', '[tru¦', /text ends inside `true`/],
  ['cut off scalar document', 'n¦', /text ends inside `null`/],
  ['trailing comma in an array', '[1, 2¦, ]', /no comma before the closing `]`/],
  ['trailing comma in an object, lines above', '{\n  "a": 1¦,\n\n}', /no comma before the closing `}`/],
  ['leading comma', '[¦, 1]', /comma: there is nothing before it/],
  ['leading comma in an object', '{¦,}', /comma: there is nothing before it/],
  ['two commas', '[1,¦,2]', /comma: there is nothing before it/],
  ['single quotes around a key', "{¦'a': 1}", /in double quotes, not in single quotes/],
  ['single quotes around a value', '{\n\t"a": ¦\'b\'\n}', /in double quotes, not in single quotes/],
  ['unquoted key', '{¦name: 1}', /key `name` must be in double quotes/],
  ['unquoted key later', '{"a": 1,\r\n ¦$b_2: 2}', /key `\$b_2` must be in double quotes/],
  ['number as key', '{¦1: 1}', /key `1` must be/],
  ['object as key', '{¦{}: 1}', /Expected a key in double quotes, found `{`/],
  ['control character in a string', '["a¦\u0001b"]', /control character U\+0001; write `\\u0001`/],
  ['tab in a string', '["a¦\tb"]', /U\+0009; write `\\t`/],
  ['line end in a string', '["a",\n "b¦\n"]', /string that begins at 2:2 is not closed on its line/],
  ['carriage return in a string', '["b¦\r\n"]', /not closed on its line/],
  ['bad escape', '["ab¦\\x41"]', /`\\x` is not an escape/],
  ['escape of a line end', '["ab¦\\\n"]', /U\+000A is not an escape/],
  ['bad unicode escape', '["¦\\u12G4"]', /four hexadecimal digits/],
  ['short unicode escape', '["¦\\u12"]', /four hexadecimal digits/],
  ['trailing garbage', '{} ¦x', /after the end of the document/],
  ['two documents', '{}\n¦{}', /after the end of the document/],
  ['one bracket too many', '[]¦]', /after the end of the document/],
  ['lone minus', '[¦-]', /minus sign must be followed by a number/],
  ['lone minus at the end', '¦-', /minus sign must be followed by a number/],
  ['minus and blank', '[¦- 1]', /minus sign must be followed by a number/],
  ['negative infinity', '[¦-Infinity]', /`-Infinity` is not a JSON value/],
  ['plus sign', '[¦+1]', /may not begin with a plus sign/],
  ['NaN', '{"a": ¦NaN}', /`NaN` is not a JSON value/],
  ['a web page', '¦<!doctype html><title>Not found</title>', /found `<`. This looks like HTML/],
  ['undefined', '[¦undefined]', /`undefined` is not a JSON value/],
  ['True', '[¦True]', /`True` is written `true`/],
  ['NULL', '[¦NULL]', /`NULL` is written `null`/],
  ['a literal that goes on', '[¦nullable]', /`nullable` is not a JSON value/],
  ['leading zero', '[¦01]', /may not begin with a zero/],
  ['leading zero behind a minus', '[-¦007]', /may not begin with a zero/],
  ['leading point', '[¦.5]', /decimal point; write a zero/],
  ['trailing point', '[1¦.]', /decimal point must be followed/],
  ['point and exponent', '[1¦.e5]', /decimal point must be followed/],
  ['empty exponent', '[1¦e]', /exponent must have at least one digit/],
  ['signed empty exponent', '[1¦E+]', /exponent must have at least one digit/],
  ['hexadecimal', '[0¦x1F]', /Expected a comma or `]` after the value, found `x`/],
  ['missing comma in an array', '[1 ¦2]', /Expected a comma or `]`/],
  ['missing comma in an object', '{"a": 1\n ¦"b": 2}', /Expected a comma or `}`/],
  ['missing colon', '{"a" ¦1}', /colon after the key "a"/],
  ['comma for a colon', '{"a"¦, 1}', /colon after the key "a"/],
  ['second colon', '{"a": 1¦: 2}', /Unexpected colon/],
  ['colon in an array', '["a"¦: 2]', /Unexpected colon/],
  ['key without a value', '{"a":¦}', /preceding key has no value/],
  ['array closed as object', '[1¦}', /`}` cannot close an array; the array that begins at 1:1/],
  ['object closed as array', '{"a": 1¦]', /`]` cannot close an object/],
  ['closing first', '¦]', /closes nothing/],
  ['line comment', '{\n¦// note\n"a": 1}', /no comments/],
  ['block comment behind a value', '[1 ¦/* one */]', /no comments/],
  ['hash comment', '¦# note\n{}', /no comments/],
  ['byte order mark that was not removed', '¦\ufeff{}', /byte order mark/],
  ['no-break space', '{¦\u00a0"a": 1}', /found U\+00A0/],
  ['other unicode blank', '[¦\u2003]', /found U\+2003/],
];

describe('the first error', () => {
  test.each(malformed)('%s', (_what, marked, message) => {
    const offset = marked.indexOf('¦');
    const text = marked.replace('¦', '');
    expect(() => JSON.parse(text)).toThrow();
    const problem = findSyntaxError(text);
    expect(problem).toEqual({ offset, message: expect.stringMatching(message) });
  });

  test('a long word is abbreviated in the message', () => {
    expect(findSyntaxError(`[${'x'.repeat(1000)}]`)!.message.length).toBeLessThan(120);
  });
});

describe('agreement with JSON.parse', () => {
  const accepts = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };

  test.each([
    ' null ',
    'true',
    'false',
    '0',
    '-0',
    '-0.0e-10',
    '1E+9',
    '12.5',
    '1e999',
    '""',
    '"\\ud800"',
    '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"',
    '"\u007f\u2028\ud83d"',
    '[]',
    '{}',
    '[[],{},[{}]]',
    '\r\n\t {"": {"": []}} \n',
  ])('accepts %j', (text) => {
    expect(accepts(text)).toBe(true);
    expect(findSyntaxError(text)).toBeUndefined();
  });

  test('on texts composed of valid and almost valid JSON', () => {
    const piece = fc.constantFrom(
      ...['{', '}', '[', ']', ',', ':', '"', '"a"', '"b":', '1', '0', '-', '.', 'e', '+', 'true', 'null', 'nul'],
      ...['\\', '\\u', '00e9', ' ', '\n', "'", '/', '\u0000', '\u00a0', '1.5e3', '[1,2]', '{"c":[]}'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(findSyntaxError(text) === undefined).toBe(accepts(text));
      }),
      runs(20_000),
    );
  });

  test('on JSON with one character removed, doubled or changed', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom('', '"', ',', ':', '}', ']', '0', '\\', '\n', 'x'),
        fc.boolean(),
        (value, where, put, remove) => {
          const json = JSON.stringify(value, null, 1);
          const at = where % json.length;
          const text = json.slice(0, at) + put + json.slice(remove ? at + 1 : at);
          const problem = findSyntaxError(text);
          expect(problem === undefined).toBe(accepts(text));
          if (problem !== undefined) expect(problem.offset).toBeLessThanOrEqual(text.length);
        },
      ),
      runs(5_000),
    );
  });
});

describe('tokens', () => {
  test('have a position and an object', () => {
    const text = '{"a" : [1, {"b":"\\n"}]}';
    const scanner = new JsonScanner(text);
    const seen: [number, string, number, number][] = [];
    for (let read = scanner.next(); read !== token.end; read = scanner.next()) {
      seen.push([read, text.slice(scanner.start, scanner.end), scanner.depth, scanner.container]);
    }
    expect(seen).toEqual([
      [token.open, '{', 1, 0],
      [token.key, '"a" :', 1, 0],
      [token.open, '[', 2, 7],
      [token.scalar, '1', 2, 7],
      [token.open, '{', 3, 11],
      [token.key, '"b":', 3, 11],
      [token.scalar, '"\\n"', 3, 11],
      [token.close, '}', 2, 7],
      [token.close, ']', 1, 0],
      [token.close, '}', 0, -1],
    ]);
  });

  test('scanning ends at the first error', () => {
    const scanner = new JsonScanner('[1 2]');
    expect([scanner.next(), scanner.next(), scanner.next(), scanner.next()]).toEqual([
      token.open,
      token.scalar,
      token.error,
      token.error,
    ]);
  });

  test('deep nesting does not overflow the stack', () => {
    const deep = 1_000_000;
    expect(findSyntaxError('['.repeat(deep) + ']'.repeat(deep))).toBeUndefined();
    expect(findSyntaxError('['.repeat(deep))?.offset).toBe(deep);
  });
});
