import { expect, test } from 'vitest';
import { playsOf } from '../../src/sweep/plan.ts';

test('plays are all combinations with all seeds, grouped by point', () => {
  const settings = [
    { path: 'a.b', values: [1, 2] },
    { path: 'c', values: ['red', 'blue'] },
  ];
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
});
