import { describe, expect, test } from 'vitest';
import type { DialectName } from '../../../engine/index.ts';
import { objectValues } from '../../../engine/script/values/object.ts';
import { computed, nothing, Scene, testValues } from './harness.ts';

const letters = '["a","b","c"]';

testValues('objects and lists in texts', objectValues, {
  getStringArrayLength: [
    [{ string: letters }, 3],
    [{ string: computed(letters) }, 3],
    [{ string: '[]' }, 0],
    [{ string: '{"a":1}' }, undefined],
    [{ string: '' }, undefined],
    [{ string: 'a,b' }, undefined, 'malformed-json'],
  ],
  getStringArrayElement: [
    [{ string: letters, number: 1 }, 'b'],
    [{ string: computed(letters), number: '2' }, 'c'],
    [{ string: letters, number: 9 }, undefined],
    [{ string: letters, number: -1 }, undefined],
    [{ string: '{"k":5}', number: 'k' }, 5],
    [{ string: '"ABC"', number: 0 }, 'A'],
    [{ string: 'null', number: 0 }, undefined],
    [{ string: '[null]', number: 0 }, null],
    [{ string: letters, number: nothing }, undefined],
    // Members that all objects and lists inherit do not count.
    [{ string: '{}', number: 'toString' }, undefined],
    [{ string: '[1,', number: 0 }, undefined, 'malformed-json'],
    [{ string: computed('[1,'), number: 0 }, undefined, 'malformed-json'],
  ],
  insertStringArrayElement: [
    [{ string: '["a"]', value: 'z' }, '["a","z"]'],
    [{ string: '[]', value: 0 }, '[0]'],
    [{ string: '[]', value: '' }, '[""]'],
    [{ string: '[]', value: { x: 1 } }, '[{"x":1}]'],
    [{ string: '[]', value: nothing }, undefined],
    [{ string: '', value: 1 }, undefined],
    [{ string: '{}', value: 1 }, undefined],
  ],
  updateStringArrayElement: [
    [{ string: letters, number: 1, value: 'z' }, '["a","z","c"]'],
    [{ string: '["a"]', number: 3, value: 'd' }, '["a",null,null,"d"]'],
    [{ string: '["a"]', number: '0', value: 1 }, '[1]'],
    [{ string: '["a"]', number: -1, value: 1 }, '["a"]'],
    [{ string: '["a"]', number: 0.5, value: 1 }, '["a"]'],
    [{ string: '["a"]', number: '', value: 1 }, '["a"]'],
    [{ string: '["a"]', number: ' 0 ', value: 1 }, '["a"]'],
    [{ string: '["a"]', number: computed(false), value: 1 }, '["a"]'],
    [{ string: '["a"]', number: { function: 'getVariable', variableName: 'none' }, value: 1 }, '["a"]'],
    [{ string: '{"a":1}', number: 'b', value: 2 }, '{"a":1,"b":2}'],
    [{ string: '["a"]', number: nothing, value: 1 }, undefined],
    [{ string: '["a"]', number: 0, value: nothing }, undefined],
    [{ string: '["a"]', number: 4e9, value: 1 }, undefined, 'limit-string'],
  ],
  removeStringArrayElement: [
    [{ string: letters, number: 1 }, '["a","c"]'],
    [{ string: letters, number: -1 }, '["a","b"]'],
    [{ string: letters, number: 'x' }, '["b","c"]'],
    [{ string: letters, number: 9 }, letters],
    [{ string: letters, number: nothing }, undefined],
    [{ string: '', number: 0 }, undefined],
  ],
  emptyObject: [[{}, {}]],
  elementFromObject: [
    [{ object: { a: 1 }, key: 'a' }, 1],
    [{ object: { a: null }, key: 'a' }, null],
    [{ object: { a: 1 }, key: 'b' }, undefined],
    [{ object: [7, 8], key: 1 }, 8],
    [{ object: 'text', key: 0 }, 't'],
    [{ object: { a: 1 }, key: 'toString' }, undefined],
    [{ object: { a: 1 }, key: '__proto__' }, undefined],
    [{ object: nothing, key: 'a' }, undefined],
    // An entity is not an object whose members can be read.
    [{ object: { function: 'computerPlayer', number: 1 }, key: 'entity' }, undefined],
  ],
  objectContainsElement: [
    [{ object: { a: 1 }, key: 'a' }, true],
    [{ object: { a: null }, key: 'a' }, true],
    [{ object: { a: 1 }, key: 'b' }, false],
    [{ object: { a: 1 }, key: 'toString' }, false],
    [{ object: nothing, key: 'a' }, undefined],
    [{ object: '', key: 'a' }, ''],
  ],
  elementCount: [
    [{ object: { a: 1, b: 2 } }, 2],
    [{ object: [1, 2, 3] }, 3],
    [{ object: 'four' }, 4],
    [{ object: 5 }, 0],
    [{ object: { function: 'computerPlayer', number: 1 } }, 0],
  ],
  objectToString: [
    [{ object: { a: [1, null] } }, '{"a":[1,null]}'],
    [{ object: 'text' }, 'text'],
    [{ object: 5 }, '5'],
    {
      give: { object: { function: 'computerPlayer', number: 1 } },
      expect: '"c1"',
      moddioAborts: 'wrong-value',
    },
  ],
  stringToObject: [
    [{ string: '{"parse":[]}' }, { parse: [] }],
    [{ string: '12' }, 12],
    [{ string: "{a: 'x', b: [1, two,], c:, 'd': true" }, { a: 'x', b: [1, 'two'], c: null, d: true }],
    [{ string: 'just words' }, 'just words'],
    [{ string: "['it\\'s', \"\\u0041\"]" }, ["it's", 'A']],
    [{ string: '{a: {b: -1.5e2, c: null}}' }, { a: { b: -150, c: null } }],
    [{ string: '' }, undefined],
    [{ string: '{"__proto__": {"x": 1}}' }, undefined, 'malformed-json'],
    [{ string: '{__proto__: 1}' }, undefined, 'malformed-json'],
    [{ string: '   ' }, undefined, 'malformed-json'],
  ],
});

test.each<DialectName>(['standard', 'moddio'])('in %s no text that a script parses changes a prototype', (dialect) => {
  const scene = new Scene({}, { dialect });
  for (const string of [
    '{"__proto__": {"polluted": 1}}',
    '{__proto__: {polluted: 1}}',
    '{"constructor": {"prototype": {"polluted": 1}}}',
  ]) {
    for (const operand of [string, computed(string)]) {
      const { value, faults } = scene.ask({ function: 'stringToObject', string: operand });
      expect([value, faults]).toEqual([undefined, ['malformed-json']]);
    }
  }
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('polluted' in {}).toBe(false);
});

describe('JSON in a text', () => {
  test.each([
    ['too deep', '['.repeat(101) + ']'.repeat(101)],
    ['with a key that objects have already', '{"__proto__":1}'],
    ['with such a key in escapes', '{"\\u005f_proto__":1}'],
  ])('%s has no value, whether known at load or not', (_what, string) => {
    const scene = new Scene();
    for (const operand of [string, computed(string)]) {
      const { value, faults } = scene.ask({ function: 'getStringArrayElement', string: operand, number: 0 });
      expect(value).toBeUndefined();
      expect(faults).toEqual(['malformed-json']);
    }
  });

  test('known at load is parsed once', () => {
    const { ask } = new Scene().compile({ function: 'getStringArrayElement', string: '[{"a":1}]', number: 0 });
    expect(ask().value).toEqual({ a: 1 });
    expect(ask().value).toBe(ask().value);
  });

  test('longer than the limit is refused', () => {
    const scene = new Scene({}, { limits: { stringLength: 50 } });
    const { value, faults } = scene.ask({
      function: 'getStringArrayLength',
      string: computed(`["${'x'.repeat(100)}"]`),
    });
    expect(value).toBeUndefined();
    expect(faults).toEqual(['malformed-json']);
  });

  test('that would exceed the limit is not written', () => {
    const scene = new Scene({}, { limits: { stringLength: 50 } });
    const inserted = (value: string) =>
      scene.ask({ function: 'insertStringArrayElement', string: '["twenty characters..."]', value });
    expect(inserted('x'.repeat(23))).toMatchObject({
      value: `["twenty characters...","${'x'.repeat(23)}"]`,
      faults: [],
    });
    for (const letters of [24, 40]) {
      const { value, faults } = inserted('x'.repeat(letters));
      expect([value, faults]).toEqual([undefined, ['limit-string']]);
    }
  });

  test('of exponentially growing lists is abandoned early', () => {
    let list: unknown = 'x';
    for (let level = 0; level < 60; level++) list = [list, list];
    const { ask } = new Scene().compile({ function: 'objectToString', object: { function: 'selectedElement' } });
    expect(ask({ selectedElement: list })).toMatchObject({
      value: undefined,
      faults: ['limit-string'],
      aborted: undefined,
    });
  });

  test('of a cyclic value does not exist', () => {
    const list: unknown[] = [];
    list.push(list);
    const { ask } = new Scene().compile({ function: 'objectToString', object: { function: 'selectedElement' } });
    expect(ask({ selectedElement: list }).faults).toEqual(['malformed-json']);
  });

  test.each([
    '}',
    ']',
    '{]',
    '[}',
    '{:',
    '[:,',
    "{'",
    '"\\',
    '{a:{b:[',
    ',,,',
    '{{{{',
    '[[[[]]]]',
    "'\\u12",
    '{a b: c d}',
  ])('that is almost invalid, %s, is parsed in reasonable time', (string) => {
    const { faults } = new Scene().ask({ function: 'stringToObject', string: computed(string) });
    expect(faults.length).toBeLessThanOrEqual(1);
  });

  // The quotes inside quotes hide the brackets from a search for JSON.
  test.each(['{a:'.repeat(200), `['"',${'['.repeat(200)}`])('that is almost invalid has a limited depth', (string) => {
    const { value, faults } = new Scene().ask({ function: 'stringToObject', string: computed(string) });
    expect(value).toBeUndefined();
    expect(faults).toEqual(['malformed-json']);
  });
});

test('a function that returns an object returns a new one each time', () => {
  const { ask } = new Scene().compile({ function: 'emptyObject' });
  expect(ask().value).not.toBe(ask().value);
});

test('objects in a literal list are copied', () => {
  const { value } = new Scene().ask({ function: 'getStringArrayElement', string: '[{"a":1}]', number: 0 });
  expect(value).toEqual({ a: 1 });
  expect(Object.isFrozen(value)).toBe(true);
});
