import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineAndColumn } from '../../engine/core/lines.ts';
import { parseDocument } from '../../src/load/parse-document.ts';
import { runs } from '../support/property.ts';

const limits = { bytesMax: 10_000, depthMax: 20 };

/** Code, pointer and line:column of every issue of a text. */
function said(text: string): string[] {
  return parseDocument(text, limits).issues.list.map(({ code, pointer, offset }) => {
    if (offset === undefined) return [code, pointer].join(' ');
    const { line, column } = lineAndColumn(text, offset);
    return [code, `${line}:${column}`, pointer].join(' ').trim();
  });
}

test.each(['{}', 'null', ' [1, {"a": "b"}]\n', '"x"', '0'])('%j is parsed without issues', (text) => {
  const { document, issues } = parseDocument(text);
  expect(document).toEqual(JSON.parse(text));
  expect(issues.list).toEqual([]);
});

describe('invalid JSON is reported with line and column', () => {
  test.each([
    ['truncated file', '{\n  "unitTypes": {\n    "a": { "name": "Zomb', '3:25'],
    ['truncated between values', '{\n  "scripts": [\n', '3:1'],
    ['trailing comma', '{\n  "a": 1,\n}\n', '2:9'],
    ['single quotes', "{\n  'a': 1\n}", '2:3'],
    ['unquoted key', '{\n  a: 1\n}', '2:3'],
    ['control character in a string', '{\n  "a": "one\ttwo"\n}', '2:12'],
    ['bad escape', '{"path": "c:\\games"}', '1:13'],
    ['trailing garbage', '{}\n\n;', '3:1'],
    ['lone minus', '[1,\n -]', '2:2'],
    ['NaN', '{"a": NaN}', '1:7'],
    ['leading zero', '{"a": 007}', '1:7'],
    ['empty file', '', '1:1'],
    ['a page instead of a document', '<!DOCTYPE html>\n<html>', '1:1'],
  ])('%s', (_what, text, position) => {
    expect(said(text)).toEqual([`syntax-error ${position}`]);
    expect(parseDocument(text).document).toBeUndefined();
  });

  test('in our own words', () => {
    expect(parseDocument('[1,]').issues.list[0]).toMatchObject({
      code: 'syntax-error',
      severity: 'error',
      message: 'JSON allows no comma before the closing `]`; remove the comma.',
    });
  });
});

describe('limits', () => {
  test('are checked before parsing', () => {
    expect(said(`["${'x'.repeat(10_000)}"]`)).toEqual(['too-large ']);
    expect(said(`${'['.repeat(21)} this is not even JSON`)).toEqual(['too-deep 1:21']);
    expect(said(`${'['.repeat(20)}${']'.repeat(20)}`)).toEqual([]);
  });

  test('depth 1001 is refused, 1000 is parsed', () => {
    const nested = (depth: number) => '{"a":'.repeat(depth) + 1 + '}'.repeat(depth);
    expect(parseDocument(nested(1000)).document).toBeDefined();
    const { document, issues } = parseDocument(nested(1001));
    expect(document).toBeUndefined();
    expect(issues.list).toMatchObject([{ code: 'too-deep', message: expect.stringContaining('1000 levels') }]);
  });

  test('the message says which size is the limit', () => {
    const message = (bytesMax: number) =>
      parseDocument('"a long text"', { bytesMax, depthMax: 1 }).issues.list[0]?.message;
    expect(message(5)).toBe('The document is larger than 5 bytes.');
    const large = `"${'x'.repeat(1.5 * 1024 * 1024)}"`;
    const [issue] = parseDocument(large, { bytesMax: 1.5 * 1024 * 1024, depthMax: 1 }).issues.list;
    expect(issue?.message).toBe('The document is larger than 1.5 MB.');
  });
});

describe('forbidden keys', () => {
  test('are refused and named', () => {
    const text = '{"unitTypes": {\n"__proto__": {"isAdmin": true}, "a": [{"constructor": 1}]}}';
    expect(parseDocument(text).document).toBeUndefined();
    expect(said(text)).toEqual([
      'forbidden-key 2:1 /unitTypes/__proto__',
      'forbidden-key 2:40 /unitTypes/a/0/constructor',
    ]);
  });

  test('however they are spelled', () => {
    expect(said('{"a": {"\\u005f\\u005fproto__": 1}}')).toEqual(['forbidden-key 1:8 /a/__proto__']);
  });

  test('are not searched after a syntax error', () => {
    expect(said('{"a": oops, "prototype": 1}')).toEqual(['syntax-error 1:7']);
    expect(said('{"prototype": 1, "a": oops}')).toEqual(['forbidden-key 1:2 /prototype']);
  });

  test('are allowed as values', () => {
    expect(said('{"constructors": "constructor", "a": ["__proto__"]}')).toEqual([]);
  });
});

describe('duplicate keys', () => {
  test('are reported at the later one, which counts', () => {
    const text = '{"a": {"x": 1},\n "b": [{"k": 1, "k": 2}],\n "a": {"y": 2}}';
    const { document, issues } = parseDocument(text);
    expect(document).toEqual({ a: { y: 2 }, b: [{ k: 2 }] });
    expect(said(text)).toEqual(['duplicate-key 2:17 /b/0/k', 'duplicate-key 3:2 /a']);
    expect(issues.list[0]).toMatchObject({ severity: 'warning', message: expect.stringContaining('"k"') });
  });

  test('are exactly those that JSON.parse loses', () => {
    const key = fc.constantFrom('a', 'b', '\\u0061', '', '1');
    const { value: text } = fc.letrec<{ value: string }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('1', '"a:b"', 'null'),
        fc.array(tie('value'), { maxLength: 3 }).map((elements) => `[${elements.join(',')}]`),
        fc
          .array(fc.tuple(key, tie('value')), { maxLength: 4 })
          .map((members) => `{${members.map(([name, member]) => `"${name}":${member}`).join(',')}}`),
      ),
    }));
    fc.assert(
      fc.property(text, (json) => {
        const lost = JSON.stringify(JSON.parse(json)).length < json.replaceAll('\\u0061', 'a').length;
        const { issues } = parseDocument(json);
        expect(issues.list.some(({ code }) => code === 'duplicate-key')).toBe(lost);
      }),
      runs(2000),
    );
  });

  test('are reported up to a limit', () => {
    const { issues } = parseDocument(`{${'"a":1,'.repeat(5000)}"b":2}`);
    expect(issues.list).toHaveLength(1001);
    expect(issues.list.at(-1)?.message).toContain('More than 1000');
  });
});
