import { expect, test } from 'vitest';
import { RandomStream } from '../../engine/core/random.ts';
import { destroyEntity } from '../../engine/rules/entities/destroy.ts';
import { hideEntity } from '../../engine/rules/entities/visibility.ts';
import { type Goal, Navigator } from '../../src/bots/navigator.ts';
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
  const way = { findPath: () => undefined } as unknown as PathFinder;
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

test('a bot goes for the units of other players, but not for hidden ones', () => {
  const game = play({});
  const [own, seen, hidden] = [1, 2, 3].map((number) =>
    game.unit({ owner: game.player(number), x: 300 * number, y: 100 }),
  );
  hideEntity(game.game, hidden!);
  game.ticks(1);
  const way = { findPath: () => undefined } as unknown as PathFinder;
  const navigator = new Navigator(new SimulationSurroundings(game.sim), new RandomStream('goals'), way);
  const goals = Array.from({ length: 400 }, () => navigator.choose(own!)).filter(({ kind }) => kind === 'unit');
  expect(new Set(goals.map(({ entity }) => entity))).toEqual(new Set([seen]));
  expect(goals.length).toBeGreaterThan(50);
});

test('a goal is followed until its time is over, it is gone, or somebody carries it', () => {
  const game = play({ itemTypes: { rock: itemType({}) } });
  const own = game.unit({ x: 100, y: 100 });
  const other = game.unit({ x: 400, y: 100 });
  const rock = game.item('rock', { x: 300, y: 300 });
  game.ticks(1);
  const surroundings = new SimulationSurroundings(game.sim);
  const navigator = new Navigator(surroundings, new RandomStream('g'), {} as PathFinder);
  const goal = (kind: 'unit' | 'item', entity: number, untilTick = 1000): Goal => ({
    kind,
    entity: entity as Goal['entity'],
    x: 0,
    y: 0,
    untilTick,
    path: [],
    plannedTick: -1,
    plannedX: 0,
    plannedY: 0,
  });
  const toOther = goal('unit', other);
  expect([navigator.follow(toOther), toOther.x, toOther.y]).toEqual([true, 400, 100]);
  expect(navigator.follow(goal('unit', other, game.sim.tick))).toBe(false);
  expect(navigator.follow(goal('unit', other, game.sim.tick + 1))).toBe(true);
  expect(navigator.follow(goal('item', rock))).toBe(true);
  expect(navigator.follow(goal('item', game.give(own, 'rock')))).toBe(false);
  destroyEntity(game.game, other);
  game.ticks(1);
  expect(navigator.follow(goal('unit', other))).toBe(false);
});

test('a way is planned anew when its goal has gone far, at most once a second, and followed from point to point', () => {
  const game = play({});
  const own = game.unit({ x: 100, y: 100 });
  game.ticks(1);
  const planned: (readonly number[])[] = [];
  const way = {
    findPath: (...numbers: readonly number[]) => {
      planned.push(numbers);
      return [100, 130, 100, 400, 500, 400];
    },
  } as unknown as PathFinder;
  const navigator = new Navigator(new SimulationSurroundings(game.sim), new RandomStream('g'), way);
  const goal: Goal = {
    kind: 'place',
    entity: 0 as Goal['entity'],
    x: 500,
    y: 400,
    untilTick: 9999,
    path: [],
    plannedTick: -1,
    plannedX: 0,
    plannedY: 0,
  };
  // The first point is near enough to count as passed.
  expect(navigator.next(own, goal)).toEqual({ x: 100, y: 400 });
  expect([planned, goal.plannedTick, goal.plannedX, goal.plannedY]).toEqual([[[100, 100, 500, 400]], 1, 500, 400]);
  goal.x = 700;
  navigator.next(own, goal);
  game.ticks(19);
  navigator.next(own, goal);
  expect(planned).toHaveLength(1);
  game.ticks(1);
  navigator.next(own, goal);
  expect(planned).toHaveLength(2);
  goal.x = 850;
  game.ticks(40);
  navigator.next(own, goal);
  // 150 px are not far.
  expect(planned).toHaveLength(2);
  // In the last cell it goes to the goal itself.
  goal.path = [500, 400];
  expect(navigator.next(own, goal)).toBe(goal);
});
