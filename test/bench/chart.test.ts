import { expect, test } from 'vitest';
import { type ChartPoint, chart } from '../../bench/chart.ts';

const points = [100, 300, 1000, 3000].flatMap((units): ChartPoint[] => [
  { units, pairs: 'grid', 'tick ms': units / 1000, 'planck ms': units / 250 },
  { units, pairs: 'tree', 'tick ms': units / 500, 'planck ms': units / 250 },
]);

test.each(['light', 'dark'] as const)('a line for planck and for either way to find pairs: %s', (theme) => {
  const svg = chart(points, theme);
  const heights = [...svg.matchAll(/stroke-width="2.5"/g)];
  expect(heights).toHaveLength(3);
  // 12 ms at the top, 0 at the bottom: of the largest world planck takes 12, the tree 6, the grid 3.
  const ends = [...svg.matchAll(/L700 ([\d.]+)" fill="none"/g)].map(([, y]) => Number(y));
  expect(ends).toEqual([56, 183, 246.5]);
  for (const text of ['a step of planck alone', 'dialect moddio', 'dialect standard', '>3000<', '>12<'])
    expect(svg).toContain(text);
});

test('the themes differ, and a missing measurement is an error', () => {
  expect(chart(points, 'light')).not.toBe(chart(points, 'dark'));
  expect(() => chart(points.slice(1), 'light')).toThrow('No tick of 100 units with the grid was measured.');
});
