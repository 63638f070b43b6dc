import { expect, test } from 'vitest';
import { play } from '../support/play.ts';

test('a listener that is called once hears the next event only', () => {
  const { sim } = play();
  const ticks: number[] = [];
  const stop = sim.once('tick', (tick) => ticks.push(tick));
  sim.once('tick', () => ticks.push(0))();
  sim.run({ ticks: 3 });
  stop();
  expect(ticks).toEqual([1]);
});
