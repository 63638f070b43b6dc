import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { duplicateKeys, keysAt, locateNearest } from '../../engine/core/json-position.ts';
import { lineAndColumn } from '../../engine/core/lines.ts';
import { joinPointer, parsePointer } from '../../engine/core/pointer.ts';
import { runs } from '../support/property.ts';

/** Every pointer into a value, with the value to which it points. */
function nodes(value: unknown): [pointer: string, value: unknown][] {
  const found: [string, unknown][] = [];
  const open: [string, unknown][] = [['', value]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    const [pointer, node] = next;
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, child] of Object.entries(node)) open.push([joinPointer(pointer, key), child]);
  }
  return found;
}

/** JSON with a blank wherever one is allowed, and with escaped keys on request. */
function spell(value: unknown, blank: string, escapeKeys: boolean): string {
  const inside = (parts: string[]) => blank + parts.join(`${blank},${blank}`) + blank;
  if (Array.isArray(value)) return `[${inside(value.map((element) => spell(element, blank, escapeKeys)))}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const spellKey = (key: string) =>
    escapeKeys
      ? `"${[...Array(key.length).keys()].map((i) => unicodeEscape(key.charCodeAt(i))).join('')}"`
      : JSON.stringify(key);
  const members = Object.entries(value).map(
    ([key, member]) => `${spellKey(key)}${blank}:${blank}${spell(member, blank, escapeKeys)}`,
  );
  return `{${inside(members)}}`;
}

function unicodeEscape(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

/** The places of those nodes that exist. */
function locate(text: string, pointers: readonly string[]) {
  const found = [...locateNearest(text, pointers)].filter(([, { exact }]) => exact);
  return new Map(found.map(([pointer, { exact, ...place }]) => [pointer, place]));
}

describe('locate', () => {
  const places: readonly [
    what: string,
    text: string,
    pointer: string,
    value: string,
    line: number,
    column: number,
    key?: string,
  ][] = [
    ['the document', ' {"a":1} ', '', '{"a":1}', 1, 2],
    ['a scalar document', '\n 5', '', '5', 2, 2],
    ['a member', '{\n  "a": 1,\n  "b": "x"\n}', '/b', '"x"', 3, 8, '"b"'],
    ['an element', '[10, 20,\n30]', '/2', '30', 2, 1],
    ['nested arrays', '[[], [[1, [2]]], 3]', '/1/0/1', '[2]', 1, 11],
    ['behind nested arrays', '[[], [[1, [2]]], 3]', '/2', '3', 1, 18],
    ['a slash in a key', '{"a/b": 1, "a": {"b": 2}}', '/a~1b', '1', 1, 9, '"a/b"'],
    ['a tilde in a key', '{"a~1b": 0, "a~b": 1}', '/a~0b', '1', 1, 20, '"a~b"'],
    ['a tilde that looks like an escape', '{"a/b": 0, "a~1b": 1}', '/a~01b', '1', 1, 20, '"a~1b"'],
    ['an escaped key', '{"\\u0061\\n\\"": 1}', '/a\n"', '1', 1, 16, '"\\u0061\\n\\""'],
    ['an empty key', '{"": {"": 7}}', '//', '7', 1, 11, '""'],
    ['a key that is a number', '{"0": [5, 6]}', '/0/1', '6', 1, 11],
    ['a surrogate pair in a key', '{"😀": true}', '/😀', 'true', 1, 8, '"😀"'],
    ['an escaped surrogate pair', '{"\\ud83d\\ude00": null}', '/😀', 'null', 1, 18, '"\\ud83d\\ude00"'],
    ['half a surrogate pair', '{"\\ud83d": -1.5e3}', '/\ud83d', '-1.5e3', 1, 12, '"\\ud83d"'],
    ['columns behind a surrogate pair', '["😀", 1]', '/1', '1', 1, 8],
    ['brackets in strings', '{"a": "]}{[\\"", "b": [false]}', '/b/0', 'false', 1, 23],
    ['a key called __proto__', '{"__proto__": {"a": 1}}', '/__proto__/a', '1', 1, 21, '"a"'],
    ['CR LF', '{\r\n"a":\r\n1}', '/a', '1', 3, 1, '"a"'],
    ['the last of two equal keys', '{"a": 1, "a": 2}', '/a', '2', 1, 15, '"a"'],
    ['inside the last of two equal keys', '{"a": {"b": 1}, "a": {"b": 2}}', '/a/b', '2', 1, 28, '"b"'],
    ['equal keys in different spelling', '{"a": 1, "\\u0061": 2}', '/a', '2', 1, 20, '"\\u0061"'],
  ];
  test.each(places)('%s', (_what, text, pointer, value, line, column, key) => {
    const location = locate(text, [pointer]).get(pointer)!;
    expect(text.slice(location.offset, location.endOffset)).toBe(value);
    expect(lineAndColumn(text, location.offset)).toEqual({ line, column });
    if (key !== undefined) expect(text.startsWith(key, location.keyOffset)).toBe(true);
    else if (!Number.isNaN(Number(parsePointer(pointer).at(-1))) || pointer === '') {
      expect(location.keyOffset).toBeUndefined();
    }
  });

  test.each([
    ['a key that is not there', '{"a": 1}', '/b', ''],
    ['a member of a scalar', '{"a": 1}', '/a/b/c', '/a'],
    ['an index behind the end', '[1, 2]', '/2', ''],
    ['an index with a leading zero', '[1, 2]', '/01', ''],
    ['the place behind the last element', '[1, 2]', '/-', ''],
    ['what only the earlier of two equal keys has', '{"a": {"b": 1}, "a": {"c": 2}}', '/a/b', '/a'],
    ['deep in the earlier of two equal keys', '{"a": {"b": {"c": 3}}, "a": {"b": 1}}', '/a/b/c', '/a/b'],
    ['equal keys inside equal keys', '{"a": {"b": {"c": 3}, "b": {}}, "a": {"b": {}}}', '/a/b/c', '/a/b'],
    ['an array replaced by an object', '{"a": [1], "a": {}}', '/a/0', '/a'],
    ['a key instead of an index', '[{"a": 1}]', '/a', ''],
  ])('finds nothing for %s, and the nearest ancestor', (_what, text, pointer, ancestor) => {
    expect(locate(text, [pointer]).size).toBe(0);
    const { exact, ...nearest } = locateNearest(text, [pointer]).get(pointer)!;
    expect(exact).toBe(false);
    expect(nearest).toEqual(locate(text, [ancestor]).get(ancestor));
  });

  test('many pointers at once, in any order and repeated', () => {
    const text = '{"a": [1, {"b": 2}], "c": {}}';
    const found = locate(text, ['/c', '/a/1/b', '/nowhere', '/a', '/c', '', '/a/1']);
    expect([...found].map(([pointer, at]) => [pointer, text.slice(at.offset, at.endOffset)])).toEqual([
      ['/c', '{}'],
      ['/a/1/b', '2'],
      ['/a', '[1, {"b": 2}]'],
      ['', text],
      ['/a/1', '{"b": 2}'],
    ]);
  });

  test('invalid JSON is searched up to the error', () => {
    const text = '{"a": [1, {"b": 2}], "c": [3 oops], "d": 4}';
    const found = locate(text, ['/a/1/b', '/c', '/d', '/c/0']);
    expect([...found.keys()]).toEqual(['/a/1/b', '/c', '/c/0']);
    expect(text.slice(found.get('/c')!.offset, found.get('/c')!.endOffset)).toBe('[3 ');
    expect(locate('', ['', '/a']).size).toBe(0);
  });

  test('deep nesting does not overflow the stack', () => {
    const depth = 100_000;
    const text = `${'['.repeat(depth)}7${']'.repeat(depth)}`;
    const pointer = '/0'.repeat(depth);
    expect(locate(text, [pointer]).get(pointer)?.offset).toBe(depth);
  });

  test('every node of any JSON is found at the text of its value', () => {
    const hostileKey = fc.constantFrom('', '/', '~', '~0', '~1', '"', '\\', '\n', '0', '-', '__proto__', 'é', '\ud800');
    const { value: json } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.boolean(),
          fc.constant(null),
        ),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(fc.oneof(hostileKey, fc.string({ unit: 'binary' })), tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(json, fc.constantFrom('', ' ', '\n', '\r\n\t', '\r'), fc.boolean(), (value, blank, escapeKeys) => {
        const text = spell(value, blank, escapeKeys);
        const document: unknown = JSON.parse(text);
        const all = nodes(document);
        const found = locate(
          text,
          all.map(([pointer]) => pointer),
        );
        expect(found.size).toBe(all.length);
        for (const [pointer, node] of all) {
          const { offset, endOffset, keyOffset } = found.get(pointer)!;
          expect(JSON.parse(text.slice(offset, endOffset))).toEqual(node);
          const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
          expect(lineAndColumn(text, offset)).toEqual({ line: lines.length, column: lines.at(-1)!.length + 1 });
          if (keyOffset === undefined) continue;
          const keyText = text.slice(keyOffset, offset).replace(/\s*:\s*$/, '');
          expect(JSON.parse(keyText)).toBe(parsePointer(pointer).at(-1));
        }
        expect(duplicateKeys(text)).toEqual([]);
      }),
      runs(1000),
    );
  });
});

describe('duplicate keys', () => {
  test.each([
    ['none', '{"a": {"a": [{"a": 1}, {"a": 2}]}, "b": "a"}', []],
    ['at the top', '{"a": 1, "b": 2, "a": 3}', [['/a', 'a', 17]]],
    [
      'three alike',
      '{"a":1,"a":2,"a":3}',
      [
        ['/a', 'a', 7],
        ['/a', 'a', 13],
      ],
    ],
    ['deep', '{"x": [0, {"y/z": {"k": 1, "k": 2}}]}', [['/x/1/y~1z/k', 'k', 27]]],
    [
      'behind a nested object',
      '{"a": {"b": {"c": 1}}, "b": 1, "a": {"b": 2, "b": 3}}',
      [
        ['/a', 'a', 31],
        ['/a/b', 'b', 45],
      ],
    ],
    [
      'at several depths',
      '{"a": [{"b": 1, "b": 2}], "a": 0}',
      [
        ['/a/0/b', 'b', 16],
        ['/a', 'a', 26],
      ],
    ],
    ['in different spelling', '{"a\\n": 1, "\\u0061\\u000A": 2}', [['/a\n', 'a\n', 11]]],
    ['empty keys', '{"": 1, "": 2}', [['/', '', 8]]],
    ['not across the elements of an array', '[{"a": 1}, {"a": 1}, {"b": 1, "b": 1}]', [['/2/b', 'b', 30]]],
    ['__proto__', '{"__proto__": 1, "__proto__": 2}', [['/__proto__', '__proto__', 17]]],
  ] as [string, string, [string, string, number][]][])('%s', (_what, text, expected) => {
    expect(duplicateKeys(text)).toEqual(expected.map(([pointer, key, offset]) => ({ pointer, key, offset })));
  });

  test('the search stops at its limit', () => {
    expect(duplicateKeys('{"a":1,"a":2,"a":3,"a":4}', 2).map(({ offset }) => offset)).toEqual([7, 13]);
  });
});

test('keys can be looked up by offset', () => {
  const text = '{"a": [{"b": 1}, {"c": {"d": 2}}], "e": oops';
  expect(keysAt(text, [text.indexOf('"d"'), text.indexOf('"e"'), 3])).toEqual([
    { pointer: '/a/1/c/d', key: 'd', offset: text.indexOf('"d"') },
    { pointer: '/e', key: 'e', offset: text.indexOf('"e"') },
  ]);
  expect(keysAt(text, [])).toEqual([]);
});
