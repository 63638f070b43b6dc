import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSyntaxError } from '../../src/load/syntax-error.ts';
import { runs } from '../support/property.ts';

/** In each text, `¦` marks the position of the error. */
const malformed: readonly [what: string, text: string, message: RegExp][] = [
  ['nothing', '¦', /text is empty/],
  ['only blanks', ' \n\t¦', /text is empty/],
  ['cut off after a value', '{"a": [1, 2¦', /array that begins at 1:7 is still open/],
  ['cut off after a comma', '[1,¦', /array that begins at 1:1 is still open/],
  ['cut off after a key', '{\n  "a"¦', /object that begins at 1:1 is still open/],
  ['cut off after a colon', '{"a":¦', /is still open/],
  ['cut off inside a string', '{\n  "a": ¦"bc', /string is not closed on its line/],
  ['cut off inside an escape', '[¦"a\\', /string is not closed on its line/],
  ['cut off literal', '[¦tru', /`tru` is not JSON/],
  ['trailing comma in an array', '[1, 2¦, ]', /comma with nothing after it before the closing `]`/],
  [
    'trailing comma in an object, lines above',
    '{\n  "a": 1¦,\n\n}',
    /comma with nothing after it before the closing `}`/,
  ],
  ['leading comma', '[¦, 1]', /Expected a value/],
  ['leading comma in an object', '{¦,}', /Expected a value/],
  ['two commas', '[1,¦,2]', /Expected a value/],
  ['single quotes around a key', "{¦'a': 1}", /in double quotes, not in single quotes/],
  ['single quotes around a value', '{\n\t"a": ¦\'b\'\n}', /in double quotes, not in single quotes/],
  ['unquoted key', '{¦name: 1}', /`name` is not JSON; text and keys must be in double quotes/],
  ['unquoted key later', '{"a": 1,\r\n ¦$b_2: 2}', /`\$b_2` is not JSON/],
  ['number as key', '{¦1: 1}', /Expected a key in double quotes/],
  ['object as key', '{¦{}: 1}', /Expected a key in double quotes/],
  ['control character in a string', '[¦"a\u0001b"]', /control character/],
  ['tab in a string', '[¦"a\tb"]', /control character; write it as an escape sequence, such as `\\t`/],
  ['line end in a string', '["a",\n ¦"b\n"]', /not closed on its line/],
  ['carriage return in a string', '[¦"b\r\n"]', /not closed on its line/],
  ['bad escape', '[¦"ab\\x41"]', /unknown escape sequence/],
  ['bad unicode escape', '[¦"\\u12G4"]', /four hexadecimal digits/],
  ['trailing garbage', '{} ¦x', /`x` is not JSON/],
  ['two documents', '{}\n¦{}', /after the end of the document/],
  ['one bracket too many', '[]¦]', /after the end of the document/],
  ['lone minus', '[¦-]', /`-` is not JSON/],
  ['negative infinity', '[¦-Infinity]', /`-Infinity` is not JSON/],
  ['plus sign', '[¦+1]', /`\+1` is not JSON/],
  ['NaN', '{"a": ¦NaN}', /`NaN` is not JSON/],
  ['a web page', '¦<!doctype html><title>Not found</title>', /found `<`. This looks like HTML/],
  ['True', '[¦True]', /`True` is not JSON/],
  ['a literal that goes on', '[¦nullable]', /`nullable` is not JSON/],
  ['leading zero', '[0¦1]', /Expected a comma or `]` after the value/],
  ['leading point', '[¦.5]', /`.5` is not JSON/],
  ['trailing point', '[¦1.]', /must end with a digit/],
  ['empty exponent', '[¦1E+]', /must end with a digit/],
  ['hexadecimal', '[0¦x1F]', /`x1F` is not JSON/],
  ['missing comma in an array', '[1 ¦2]', /Expected a comma or `]`.*array that begins at 1:1 is still open/],
  ['missing comma in an object', '{"a": 1\n ¦"b": 2}', /Expected a comma or `}`/],
  ['missing colon', '{"a" ¦1}', /colon after the key/],
  ['second colon', '{"a": 1¦: 2}', /Expected a comma or `}`/],
  ['key without a value', '{"a":¦}', /Expected a value/],
  ['array closed as object', '[1¦}', /Expected a comma or `]`.*array that begins at 1:1 is still open/],
  ['object closed as array', '{"a": 1¦]', /Expected a comma or `}`.*object that begins at 1:1 is still open/],
  ['closing first', '¦]', /Expected a value/],
  ['line comment', '{\n¦// note\n"a": 1}', /no comments/],
  ['block comment behind a value', '[1 ¦/* one */]', /no comments/],
  ['hash comment', '¦# note\n{}', /no comments/],
  ['byte order mark that was not removed', '¦\ufeff{}', /`U\+FEFF` is not JSON/],
  ['no-break space', '{¦\u00a0"a": 1}', /`U\+00A0` is not JSON/],
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
