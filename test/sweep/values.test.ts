import { describe, expect, test } from 'vitest';
import { changesOf, playsOf, settingOf } from '../../src/sweep/plan.ts';
import { seedsOf, valuesOf } from '../../src/sweep/values.ts';

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
    ['1,,2', 'an empty value'],
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

test('plays are all combinations with all seeds, grouped by point', () => {
  const settings = [settingOf('a.b=1..2'), settingOf('/c/x~1y=red,blue')];
  const plays = playsOf(settings, ['s', 't']);
  expect(plays.map(({ point, seed }) => `${point.join(' ')} ${seed}`)).toEqual([
    '1 red s',
    '1 red t',
    '1 blue s',
    '1 blue t',
    '2 red s',
    '2 red t',
    '2 blue s',
    '2 blue t',
  ]);
  expect(changesOf(settings, [2, 'red'])).toEqual([
    { path: 'a.b', value: 2 },
    { path: '/c/x~1y', value: 'red' },
  ]);
});

test('a setting without a path or without values is refused, and so are too many plays', () => {
  expect(() => settingOf('=5')).toThrow('does not have the form path=values');
  expect(() => settingOf('speed')).toThrow('does not have the form path=values');
  expect(() => playsOf([settingOf('a=1..2000')], seedsOf('1..2000'))).toThrow('4000000 runs; the maximum is 1000000');
});
