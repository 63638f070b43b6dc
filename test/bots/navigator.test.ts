import { expect, test } from 'vitest';
import { RandomStream } from '../../engine/core/random.ts';
import { hideEntity } from '../../engine/rules/entities/visibility.ts';
import { Navigator } from '../../src/bots/navigator.ts';
import type { PathFinder } from '../../src/bots/path-finder.ts';
import { SimulationSurroundings } from '../../src/bots/surroundings.ts';
import { itemType, play } from '../support/play.ts';

test('a bot walks to the nearest visible item on the ground', () => {
  const game = play({ itemTypes: { rock: itemType({}) } });
  const own = game.unit({ x: 100, y: 100 });
  const others = [130, 160, 400, 900].map((x) => game.unit({ x, y: 100 }));
  const rocks = [110, 140, 300, 800].map((x) => game.item('rock', { x, y: 100 }));
  hideEntity(game.game, others[0]!);
  hideEntity(game.game, others[1]!);
  hideEntity(game.game, rocks[0]!);
  const carried = game.give(others[2]!, 'rock');
  game.ticks(2);
  const surroundings = new SimulationSurroundings(game.sim);
  const way = { around: () => undefined } as unknown as PathFinder;
  const navigator = new Navigator(surroundings, new RandomStream('goals'), way);
  const chosen = { unit: new Map<number, number>(), item: new Map<number, number>() };
  for (let i = 0; i < 600; i++) {
    const { kind, entity } = navigator.choose(own);
    if (kind === 'unit' || kind === 'item') chosen[kind].set(entity, (chosen[kind].get(entity) ?? 0) + 1);
  }
  const count = (kind: 'unit' | 'item', entity: number): number => chosen[kind].get(entity) ?? 0;
  expect([...chosen.unit.keys()].sort()).toEqual([others[2], others[3]].sort());
  expect([...chosen.item.keys()].sort()).toEqual(rocks.slice(1).sort());
  expect(count('item', carried)).toBe(0);
  // It looks at eight random ones, so it sometimes misses the nearest.
  expect(count('unit', others[2]!)).toBeGreaterThan(5 * count('unit', others[3]!));
  expect(count('item', rocks[1]!)).toBeGreaterThan(3 * (count('item', rocks[2]!) + count('item', rocks[3]!)));
});
