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

test('a loop over events gets those since it began, in order, and removes its listener when it is left', async () => {
  const { sim } = play();
  sim.step();
  const loop = (async () => {
    const ticks: number[] = [];
    for await (const tick of sim.events('tick')) {
      ticks.push(tick);
      if (ticks.length === 5) return ticks;
    }
    return ticks;
  })();
  sim.run({ ticks: 3 });
  await null;
  sim.run({ ticks: 4 });
  expect(await loop).toEqual([2, 3, 4, 5, 6]);
});

test.skipIf(!('dispose' in Symbol))('the end of a block with `using` removes a listener', () => {
  const { sim } = play();
  const ticks: number[] = [];
  const stop = sim.on('tick', (tick) => ticks.push(tick));
  sim.step();
  (stop as unknown as Record<symbol, () => void>)[(Symbol as unknown as { readonly dispose: symbol }).dispose]!();
  sim.step();
  expect(ticks).toEqual([1]);
});
