import { describe, expect, test } from 'vitest';
import { Issues } from '../../engine/core/issue.ts';
import { FrozenMap } from '../../engine/definition/frozen-map.ts';
import { Reader } from '../../engine/definition/reader.ts';
import {
  array,
  boolean,
  closedEnum,
  convert,
  defaulted,
  entry,
  field,
  ignoredFields,
  integer,
  json,
  key,
  keyOrNone,
  map,
  number,
  numberIn,
  object,
  openEnum,
  raw,
  rawArray,
  required,
  type Schema,
  shapes,
  string,
} from '../../engine/definition/schema.ts';

function read<T>(schema: Schema<T>, given: unknown): { value: T | undefined; issues: Issues['list'] } {
  const issues = new Issues();
  return { value: new Reader(issues).readAt(schema, given, ['at']), issues: issues.list };
}

describe('single values', () => {
  const text = 'a string that goes on for more than forty characters';
  test.each<[string, Schema<unknown>, unknown, unknown, string?]>([
    ['a number', number, 1.5, 1.5],
    ['a numeric string', number, ' -1.5e2 ', -150],
    ['a numeric string without a leading digit', number, '.5', 0.5],
    ['a numeric string without a fraction', number, '7.', 7],
    ['null for a number', number, null, undefined],
    ['"" for a number', number, '', undefined],
    ['text for a number', number, '12px', undefined, 'wrong-type'],
    ['hexadecimal text for a number', number, '0x10', undefined, 'wrong-type'],
    ['blank text for a number', number, '  ', undefined, 'wrong-type'],
    ['an object for a number', number, {}, undefined, 'wrong-type'],
    ['a boolean for a number', number, true, undefined, 'wrong-type'],
    ['infinity', number, Number.POSITIVE_INFINITY, undefined, 'wrong-value'],
    ['text beyond the range of numbers', number, '1e999', undefined, 'wrong-value'],
    ['a number in range', numberIn({ min: 0, max: 1 }), 1, 1],
    ['a number out of range', numberIn({ min: 0, max: 1 }), 1.1, undefined, 'wrong-value'],
    ['text out of range', numberIn({ min: 0 }), '-1', undefined, 'wrong-value'],
    ['an integer', integer, 3, 3],
    ['an integer as text', integer, '3', 3],
    ['a fraction for an integer', integer, 3.5, undefined, 'wrong-type'],
    ['true', boolean, true, true],
    ['"false"', boolean, 'false', false],
    ['null for a boolean', boolean, null, undefined],
    ['0 for a boolean', boolean, 0, false],
    ['1 for a boolean', boolean, 1, true],
    ['"0" for a boolean', boolean, '0', false],
    ['"1" for a boolean', boolean, '1', true],
    ['2 for a boolean', boolean, 2, undefined, 'wrong-type'],
    ['"yes" for a boolean', boolean, 'yes', undefined, 'wrong-type'],
    ['a string', string, text, text],
    ['""', string, '', ''],
    ['null for a string', string, null, undefined],
    ['a number for a string', string, 5, undefined, 'wrong-type'],
    ['a key', key, 'none', 'none'],
    ['"" for a key', key, '', undefined],
    ['an array for a key', key, [], undefined, 'wrong-type'],
    ['none', keyOrNone, 'none', undefined],
    ['a word', openEnum(['stay', 'wander']), 'stay', 'stay'],
    ['"" for a word', openEnum(['stay', 'wander']), '', undefined],
    ['another word', openEnum(['stay', 'wander']), 'stand', undefined, 'unknown-value'],
    ['another word of a closed set', closedEnum(['map']), 'world', undefined, 'wrong-value'],
    ['a number for a word', openEnum(['stay']), 1, undefined, 'wrong-type'],
    ['an array of scripts', rawArray, [1], [1]],
    ['an object for an array of scripts', rawArray, {}, undefined, 'wrong-type'],
    ['anything at all', raw, { a: [1] }, { a: [1] }],
    ['null for anything', raw, null, undefined],
  ])('%s', (_name, schema, given, value, code) => {
    const result = read(schema, given);
    expect(result.value).toEqual(value);
    expect(result.issues.map((issue) => issue.code)).toEqual(code === undefined ? [] : [code]);
    for (const issue of result.issues) expect(issue.pointer).toBe('/at');
  });

  test('an issue says what was expected and what was found', () => {
    const [issue] = read(number, text).issues;
    expect(issue).toMatchObject({ expected: 'a number', found: '"a string that goes on for more than fort…"' });
    expect(read(numberIn({ min: 0, max: 1 }), 2).issues[0]).toMatchObject({ expected: 'a number in 0..1', found: '2' });
    expect(read(openEnum(['stay', 'wander']), 'wonder').issues[0]).toMatchObject({ suggestion: 'wander' });
  });
});

/** The published form of an object. */
function anyOfObject(schema: object) {
  const [whole] = (schema as { anyOf: [{ properties: Readonly<Record<string, readonly [about: string, object]>> }] })
    .anyOf;
  return whole;
}

describe('objects', () => {
  const thing = object({
    size: ['The size.', defaulted(number, 1)],
    colour: ['The colour.', string],
    limit: ['The limit.', required(number, 10)],
    plural: ['Whether there are several.', field(boolean, { legacyKeys: ['singular', 'other'] })],
    renamed: ['The name.', field(string, { from: 'raw name' })],
    bodies: [
      'The bodies.',
      field(map(number), {
        legacyKeys: {
          body: [
            'The only body.',
            convert(number, (only): ReadonlyMap<string, number> => new Map([['default', only]])),
          ],
        },
      }),
    ],
    ...ignoredFields({ noise: 'The noise.' }),
  });
  const absent = {
    size: 1,
    colour: undefined,
    limit: 10,
    plural: undefined,
    renamed: undefined,
    bodies: undefined,
    noise: undefined,
  };

  test('a field has its own description, not that of its type; a legacy key says what replaced it', () => {
    const { properties } = anyOfObject(thing);
    expect(properties['colour']?.[0]).toBe('The colour.');
    expect(properties['other']?.[0]).toBe('Older name of `plural`.');
    expect(properties['body']?.[0]).toBe('The only body.');
    // @ts-expect-error A field without a description is refused by the compiler, and here.
    expect(() => object({ planted: number })).toThrow();
  });

  test.each<[string, unknown, object, string[]]>([
    ['an empty object', {}, absent, ['missing-field /at']],
    [
      'all fields',
      { size: 2, colour: 'red', limit: 3, noise: [0] },
      { ...absent, size: 2, colour: 'red', limit: 3, noise: [0] },
      [],
    ],
    ['a wrong field counts as absent', { limit: 1, size: {} }, { ...absent, limit: 1 }, ['wrong-type /at/size']],
    ['a required field that is null', { limit: null }, absent, ['missing-field /at']],
    ['a required field that is wrong', { limit: [] }, absent, ['wrong-type /at/limit']],
    ['another raw name', { limit: 1, 'raw name': 'x' }, { ...absent, limit: 1, renamed: 'x' }, []],
    ['a legacy spelling', { limit: 1, singular: true }, { ...absent, limit: 1, plural: true }, []],
    ['a second legacy spelling', { limit: 1, other: true }, { ...absent, limit: 1, plural: true }, []],
    [
      'legacy spellings, the first first',
      { limit: 1, other: true, singular: false },
      { ...absent, limit: 1, plural: false },
      [],
    ],
    [
      'a legacy spelling beside the right one',
      { limit: 1, singular: true, plural: false },
      { ...absent, limit: 1, plural: false },
      [],
    ],
    [
      'a legacy spelling beside an absent value',
      { limit: 1, plural: null, singular: true },
      { ...absent, limit: 1, plural: true },
      [],
    ],
    [
      'a wrong legacy spelling',
      { limit: 1, singular: 5, plural: true },
      { ...absent, limit: 1, plural: true },
      ['wrong-type /at/singular'],
    ],
    [
      'a legacy form of another shape',
      { limit: 1, body: 4 },
      { ...absent, limit: 1, bodies: new Map([['default', 4]]) },
      [],
    ],
    [
      'a legacy form that loses',
      { limit: 1, body: 4, bodies: { a: 1 } },
      { ...absent, limit: 1, bodies: new FrozenMap([['a', 1]]) },
      [],
    ],
    ['unknown fields', { limit: 1, 'a/b~c': 1 }, { ...absent, limit: 1 }, ['unknown-field /at/a~1b~0c']],
  ])('%s', (_name, given, value, complaints) => {
    const result = read(thing, given);
    expect(result.value).toEqual(value);
    expect(Object.keys(result.value ?? {})).toEqual(Object.keys(absent));
    expect(result.issues.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual(complaints);
  });

  test.each([null, '', undefined])('%j counts as absent', (given) => {
    expect(read(thing, given)).toEqual({ value: undefined, issues: [] });
  });

  test.each([[[]], ['x'], [5], [true]])('%j is no object', (given) => {
    expect(read(thing, given).issues[0]).toMatchObject({ code: 'wrong-type', expected: 'an object' });
  });

  test('a misspelt field is recognised, unless the right one is there, too', () => {
    expect(read(thing, { limit: 1, color: 'red' }).issues[0]?.suggestion).toBe('colour');
    expect(read(thing, { limit: 1, colour: 'red', color: 'red' }).issues[0]?.suggestion).toBeUndefined();
  });
});

describe('collections', () => {
  const numbers = map(number);

  test('a map keeps the order in which JavaScript lists the keys of the document', () => {
    const { value } = read(numbers, JSON.parse('{"b": 1, "10": 2, "a": 3, "9": 4}'));
    expect([...(value ?? [])]).toEqual([
      ['9', 4],
      ['10', 2],
      ['b', 1],
      ['a', 3],
    ]);
  });

  test('entries that are absent or wrong are left out', () => {
    const { value, issues } = read(numbers, { a: null, b: 'x', c: '3' });
    expect([...(value ?? [])]).toEqual([['c', 3]]);
    expect(issues.map((issue) => issue.pointer)).toEqual(['/at/b']);
  });

  test('an array is a map by index only where told', () => {
    expect(read(numbers, [1]).issues[0]?.code).toBe('wrong-type');
    const byIndex = map(number, { arrays: true });
    expect([...(read(byIndex, [5, 6]).value ?? [])]).toEqual([
      ['0', 5],
      ['1', 6],
    ]);
    // It is read all the same, and said to be no object unless it is empty.
    const codes = [[], [5], [5, 6]].map((list) => read(byIndex, list).issues.map(({ code }) => code));
    expect(codes).toEqual([[], ['wrong-type'], ['wrong-type']]);
  });

  test('legacy keys take the right name, which wins where both occur', () => {
    const renaming = map(number, { renamed: { unSelected: 'unselected' } });
    expect([...(read(renaming, { unSelected: 1 }).value ?? [])]).toEqual([['unselected', 1]]);
    expect([...(read(renaming, { unSelected: 1, unselected: 2 }).value ?? [])]).toEqual([['unselected', 2]]);
  });

  test('an entry knows its key and its place, whatever its own `key` says', () => {
    const things = map(entry('Thing', 'A thing.', { name: ['The name.', string] }));
    const { value, issues } = read(things, { 'a/b': { key: 'z', name: 'A' } });
    expect(value?.get('a/b')).toEqual({ key: 'a/b', pointer: '/at/a~1b', name: 'A' });
    expect(issues).toEqual([]);
  });

  test('an array leaves out what is absent or wrong', () => {
    const { value, issues } = read(array(number), [1, null, 'x', 2]);
    expect(value).toEqual([1, 2]);
    expect(issues.map((issue) => issue.pointer)).toEqual(['/at/2']);
  });

  test('alternating shapes are told apart by their type', () => {
    const either = shapes<string>('a number or a string', {
      string,
      number: convert(number, (value): string => `#${value}`),
    });
    expect(read(either, 'a').value).toBe('a');
    expect(read(either, 4).value).toBe('#4');
    expect(read(either, '').value).toBe('');
    expect(read(either, null)).toEqual({ value: undefined, issues: [] });
    expect(read(either, []).issues[0]).toMatchObject({
      code: 'wrong-type',
      expected: 'a number or a string',
      found: 'an array',
    });
  });
});

describe('results are immutable', () => {
  test('maps cannot be changed', () => {
    const value = read(map(number), { a: 1 }).value as Map<string, number>;
    expect(() => value.set('b', 2)).toThrow(TypeError);
    expect(() => value.delete('a')).toThrow(TypeError);
    expect(() => value.clear()).toThrow(TypeError);
    expect([...value]).toEqual([['a', 1]]);
  });

  test('objects, arrays and copied JSON are frozen, and the document is not', () => {
    const given = { list: [1], inner: { deep: [{ x: 1 }] } };
    const { value } = read(object({ list: ['The list.', array(number)], inner: ['Any JSON.', json] }), given);
    expect(Object.isFrozen(value)).toBe(true);
    expect(Object.isFrozen(value?.list)).toBe(true);
    expect(value?.inner).toEqual(given.inner);
    const inner = value?.inner as { deep: object[] };
    expect([inner, inner.deep, inner.deep[0]].every((each) => Object.isFrozen(each))).toBe(true);
    expect([given, given.list, given.inner, given.inner.deep].some((each) => Object.isFrozen(each))).toBe(false);
  });

  test('script JSON is passed on as it is', () => {
    const actions = [{ type: 'return' }];
    expect(read(rawArray, actions).value).toBe(actions);
    expect(Object.isFrozen(actions)).toBe(false);
  });
});

describe('hostile documents', () => {
  const hostile: unknown = JSON.parse('{"__proto__": {"polluted": true}, "constructor": 1, "toString": 2}');

  test('the key __proto__ is refused everywhere and reaches no prototype', () => {
    for (const schema of [map(number), json, object({ size: ['The size.', number] })] as Schema<unknown>[]) {
      const { value, issues } = read(schema, hostile);
      expect(issues.find(({ code }) => code === 'forbidden-key')?.pointer).toBe('/at/__proto__');
      expect((value as { polluted?: boolean }).polluted).toBeUndefined();
      expect(Object.hasOwn(value as object, '__proto__')).toBe(false);
    }
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  test('errors deep in copied JSON are reported at their location', () => {
    const given: unknown = JSON.parse('{"list": [1, {"deeper": {"__proto__": 2}}], "after": {"__proto__": 3}}');
    expect(read(json, given).issues.map(({ pointer }) => pointer)).toEqual([
      '/at/list/1/deeper/__proto__',
      '/at/after/__proto__',
    ]);
  });

  test('names of inherited members are ordinary keys', () => {
    expect([...(read(map(number), JSON.parse('{"constructor": 1, "toString": 2}')).value ?? [])]).toEqual([
      ['constructor', 1],
      ['toString', 2],
    ]);
    expect(read(object({ valueOf: ['A value.', number], size: ['The size.', number] }), {}).value).toEqual({
      valueOf: undefined,
      size: undefined,
    });
  });

  test('copied JSON that is nested too deeply is cut off', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 5000; level++) deep = [deep];
    const { issues } = read(json, deep);
    expect(issues.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([`wrong-value /at${'/0'.repeat(100)}`]);
  });
});
