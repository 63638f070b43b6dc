import { expect, test } from 'vitest';
import { play, script } from '../../support/play.ts';

test.each([
  { case: 'plain values', data: { a: 1, b: 'x', c: true }, kept: { a: 1, b: 'x', c: true } },
  {
    case: 'markup',
    data: { a: '<b onclick="x()">y</b><script>z</script>' },
    kept: { a: '<b onclick="x()">y</b><script>z</script>' },
  },
  { case: 'values that are not flat', data: { a: { b: 1 }, c: [1], d: null, e: 2 }, kept: { e: 2 } },
  { case: 'numbers that are not finite', data: { a: Number.NaN, b: Number.POSITIVE_INFINITY, c: 0 }, kept: { c: 0 } },
])('of data that a client sends, $case: $kept reaches scripts', ({ data, kept }) => {
  const value = { function: 'getClientReceivedData', player: { function: 'getTriggeringPlayer' } };
  const game = play({
    variables: { got: { dataType: 'object' } },
    scripts: { go: script('whenDataReceivedFromClient', [{ type: 'setVariable', variableName: 'got', value }]) },
  });
  game.sim.join();
  game.sim.input({ kind: 'data', player: 'p1', data });
  game.ticks(1);
  expect(game.variable('got')).toEqual(kept);
});

test.each([[null], ['text'], [7], [[1, 2]], [undefined]])('data %j from a client fires no trigger', (data) => {
  const game = play();
  game.sim.join();
  game.sim.input({ kind: 'data', player: 'p1', data });
  game.ticks(1);
  expect(game.of('whenDataReceivedFromClient')).toEqual([]);
});
