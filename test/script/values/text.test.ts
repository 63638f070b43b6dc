import { describe, expect, test } from 'vitest';
import { textValues } from '../../../engine/script/values/text.ts';
import { computed, nothing, Scene, testValues } from './harness.ts';

testValues('texts', textValues, {
  concat: [
    [{ textA: 'a', textB: 5 }, 'a5'],
    [{ textA: 1, textB: 2 }, '12'],
    [{ textA: nothing, textB: 'x' }, 'undefinedx'],
    [{ textA: computed(true), textB: '' }, 'true'],
    [{ textA: 0.1, textB: '' }, '0.1'],
    [{ textA: { x: 1, y: 2 }, textB: '' }, '[object Object]'],
    [{ textA: [1, [2, []], 'b'], textB: '!' }, '1,2,,b!'],
    // An entity is an object like any other.
    [{ textA: { function: 'computerPlayer', number: 1 }, textB: '' }, '[object Object]'],
    [{ textA: { function: 'getVariable', variableName: 'none' }, textB: '' }, 'null'],
    { give: { textA: null, textB: 'x' }, aborts: 'null-operand' },
  ],
  numberToString: [
    [{ value: 0.1 }, '0.1'],
    [{ value: computed(false) }, 'false'],
  ],
  stringToNumber: [
    [{ value: '12' }, 12],
    [{ value: ' 7 ' }, 7],
    [{ value: '' }, 0],
    [{ value: computed(true) }, 1],
    [{ value: '5px' }, undefined],
  ],
  stringIsANumber: [
    [{ string: '0' }, true],
    [{ string: computed(0) }, false],
    [{ string: 12 }, true],
    [{ string: '1e3' }, true],
    [{ string: '0x10' }, true],
    [{ string: ' 1 ' }, true],
    [{ string: 'Infinity' }, true],
    [{ string: '5px' }, false],
    [{ string: '' }, false],
    [{ string: computed(true) }, false],
  ],
  getTimeString: [
    [{ seconds: 125 }, '00:02:05'],
    [{ seconds: 86_399.9 }, '23:59:59'],
    [{ seconds: 86_400 }, '00:00:00'],
    [{ seconds: -1 }, '23:59:59'],
    [{ seconds: -0.5 }, '23:59:59'],
    [{ seconds: -86_400 }, '00:00:00'],
    [{ seconds: '61' }, '00:01:01'],
    { give: { seconds: 'soon' }, aborts: 'not-a-number' },
    { give: { seconds: 1e300 }, aborts: 'not-a-number' },
  ],
  getLengthOfString: [
    [{ string: 'hello' }, 5],
    [{ string: [1, 2] }, 2],
    [{ string: '' }, undefined],
    [{ string: 12 }, undefined],
  ],
  toLowerCase: [
    [{ string: 'aBc' }, 'abc'],
    [{ string: '' }, undefined],
    [{ string: 12 }, undefined],
  ],
  toUpperCase: [[{ string: 'aBc' }, 'ABC']],
  substringOf: [
    [{ string: 'hello world', fromIndex: 2, toIndex: 5 }, 'llo'],
    // The lower of the two is the start.
    [{ string: 'hello', fromIndex: 4, toIndex: 1 }, 'ell'],
    [{ string: 'hello', fromIndex: -3, toIndex: 2 }, 'he'],
    [{ string: 'hello', fromIndex: 1, toIndex: 99 }, 'ello'],
    [{ string: 'hello', fromIndex: 99, toIndex: 99 }, 'o'],
    [{ string: 'hello', fromIndex: 'x', toIndex: 2 }, 'he'],
    [{ string: 'hello', fromIndex: 3, toIndex: nothing }, 'hel'],
    [{ string: '', fromIndex: 0, toIndex: 1 }, ''],
    [{ string: 12, fromIndex: 0, toIndex: 1 }, ''],
  ],
  subString: [
    [{ sourceString: 'hello', patternString: 'ell' }, true],
    [{ sourceString: 'hello', patternString: 'ELL' }, false],
    [{ sourceString: 'hello', patternString: '' }, true],
    [{ sourceString: 'hello', patternString: nothing }, undefined],
    [{ sourceString: 12, patternString: '1' }, undefined],
  ],
  // With a missing text: see below, because the dialects differ.
  stringContains: [
    [{ string: 'hello', keyword: 'LL' }, false],
    [{ string: nothing, keyword: 'a' }, false],
    [{ string: 'hello', keyword: nothing }, false],
    { give: { string: 12, keyword: '1' }, expect: false, moddioAborts: 'wrong-value' },
  ],
  stringStartsWith: [
    [{ sourceString: '@all', patternString: '@' }, true],
    [{ sourceString: 'all', patternString: '@' }, false],
    [{ sourceString: '', patternString: '' }, true],
    [{ sourceString: nothing, patternString: '@' }, undefined],
  ],
  stringEndsWith: [
    [{ sourceString: 'hello', patternString: 'lo' }, true],
    [{ sourceString: 'hello', patternString: 'he' }, false],
    [{ sourceString: 'hello', patternString: 1 }, undefined],
  ],
  replaceValuesInString: [
    [{ sourceString: 'a-b-a', matchString: 'a', newString: 'x' }, 'x-b-x'],
    [{ sourceString: 'aaa', matchString: 'aa', newString: 'b' }, 'ba'],
    [{ sourceString: 'abc', matchString: nothing, newString: '-' }, undefined],
    [{ sourceString: 'abc', matchString: 'b', newString: 1 }, undefined],
  ],
  filterString: [[{ string: 'word' }, undefined]],
});

test.each([
  ['standard', true],
  ['moddio', false],
] as const)('`stringContains` finds a text, in %s: %s', (dialect, expected) => {
  const scene = new Scene({}, { dialect });
  const contains = (keyword: unknown) =>
    scene.value({ function: 'stringContains', string: computed('hello'), keyword });
  expect(contains('ell')).toBe(expected);
  expect(contains('')).toBe(expected);
});

describe('what is special in replaceValuesInString', () => {
  const replace = (sourceString: string, matchString: string, newString: string, dialect: 'standard' | 'moddio') => {
    const { value, aborted } = new Scene({}, { dialect }).ask({
      function: 'replaceValuesInString',
      sourceString,
      matchString,
      newString,
    });
    return aborted === undefined ? value : { aborted };
  };

  test.each([
    ['a.b.c', '.', '$&', 'a$&b$&c', 'a.b.c'],
    ['a(b', '(', '', 'ab', { aborted: 'wrong-value' }],
    ['abc', '', '-', 'abc', '-a-b-c-'],
    ['abab', 'a|b', 'x', 'abab', 'xxxx'],
    ['abbb', 'b*$', 'x', 'abbb', 'axx'],
    ['a[b*]c', '[*]', '+', 'a[b*]c', 'a[b+]c'],
    // A pattern that could match for ever is refused.
    ['aaaa', '(a+)+$', 'x', 'aaaa', { aborted: 'wrong-value' }],
    ['aa', '(a)\\1', 'x', 'aa', { aborted: 'wrong-value' }],
    ['aa', '(?=a)', 'x', 'aa', { aborted: 'wrong-value' }],
    ['aa', 'a{2}a*', 'x', 'aa', { aborted: 'wrong-value' }],
    ['xay', 'x(a|b)y', '-', 'xay', '-'],
    ['a'.repeat(1000), 'a'.repeat(1000), 'x', 'x', 'x'],
    ['a'.repeat(1001), 'a'.repeat(1001), 'x', 'x', { aborted: 'wrong-value' }],
    ['a'.repeat(60), '(a|a){60}b', 'x', 'a'.repeat(60), { aborted: 'wrong-value' }],
    ['a'.repeat(60), `${'(a|a)'.repeat(60)}b`, 'x', 'a'.repeat(60), { aborted: 'wrong-value' }],
  ])('%j, %j, %j', (source, match, replacement, standard, moddio) => {
    expect(replace(source, match, replacement, 'standard')).toEqual(standard);
    expect(replace(source, match, replacement, 'moddio')).toEqual(moddio);
  });

  test('a replacement stops at the limit of texts', () => {
    const scene = new Scene({}, { dialect: 'moddio', limits: { stringLength: 100 } });
    const node = {
      function: 'replaceValuesInString',
      sourceString: 'x'.repeat(90),
      matchString: 'x',
      newString: 'abc',
    };
    const { value, faults } = scene.ask(node);
    expect([(value as string).length, faults]).toEqual([100, ['limit-string']]);
  });
});

describe('a growing text', () => {
  const long = 'x'.repeat(60);
  const scene = () => new Scene({}, { limits: { stringLength: 100 } });

  test.each([
    [{ function: 'concat', textA: long, textB: long }, 'x'.repeat(100)],
    [{ function: 'numberToString', value: { function: 'concat', textA: long, textB: 'y' } }, `${long}y`],
    [{ function: 'replaceValuesInString', sourceString: long, matchString: 'x', newString: 'ab' }, 'ab'.repeat(50)],
    [{ function: 'toUpperCase', string: 'ß'.repeat(60) }, 'S'.repeat(100)],
  ])('%j stops at the limit', (node, expected) => {
    const { value, faults } = scene().ask(node);
    expect(value).toBe(expected);
    expect(faults).toEqual(expected.length === 100 ? ['limit-string'] : []);
  });

  test('does not take the time of its full length', () => {
    const huge = 'x'.repeat(1_000_000);
    const { value } = new Scene().ask({
      function: 'replaceValuesInString',
      sourceString: huge,
      matchString: 'x',
      newString: huge,
    });
    expect((value as string).length).toBe(1_000_000);
  });
});

test('a cyclic list prints in finite length', () => {
  const list: unknown[] = ['a'];
  list.push(list);
  const { value } = new Scene().compile({ function: 'concat', textA: '', textB: { function: 'selectedElement' } }).ask({
    selectedElement: list,
  });
  expect(value).toMatch(/^a,a,a/);
});
