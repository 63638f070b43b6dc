import { describe, expect, test } from 'vitest';
import { seedsOf, settingsOf, valuesOf } from '../../src/cli/sweep/values.ts';

describe('values of a setting', () => {
  test.each([
    ['5..9', [5, 6, 7, 8, 9]],
    ['0.5..1.5:0.25', [0.5, 0.75, 1, 1.25, 1.5]],
    ['0..0.3:0.1', [0, 0.1, 0.2, 0.3]],
    ['-2..0', [-2, -1, 0]],
    ['1,2.5,red,true,null,"7"', [1, 2.5, 'red', true, null, '7']],
    ['4', [4]],
  ])('%s', (text, values) => {
    expect(valuesOf(text)).toEqual(values);
  });

  test.each([
    ['9..5', 'ends before it starts'],
    ['1..2:0', 'a step of 0'],
    ['1,,2', 'is empty'],
    ['[1]', 'must be a number, text'],
    ['0..1:0.000001', 'the maximum is 100000'],
  ])('%s is refused', (text, why) => {
    expect(() => valuesOf(text)).toThrow(why);
  });
});

test.each([
  ['1..3', ['1', '2', '3']],
  ['3', ['1', '2', '3']],
  ['a,b,a', ['a', 'b']],
])('seeds %s', (text, seeds) => {
  expect(seedsOf(text)).toEqual(seeds);
});

test('settings are collected', () => {
  expect(settingsOf('/c/x~1y=red,blue', settingsOf('a.b=1..2'))).toEqual([
    { path: 'a.b', values: [1, 2] },
    { path: '/c/x~1y', values: ['red', 'blue'] },
  ]);
});

test('a setting without a path or without values is refused', () => {
  expect(() => settingsOf('=5')).toThrow('Expected the form path=values');
  expect(() => settingsOf('speed')).toThrow('Expected the form path=values');
});
