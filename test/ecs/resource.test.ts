import { expect, test } from 'vitest';
import { ResourceSet, type ResourcesOf, resource } from '../../engine/ecs/resource.ts';
import { count, f64, record } from '../../engine/schema/index.ts';

const clock = resource('clock', record({ tick: count(), nowMs: f64(5) }));
const names = resource<Map<string, number>>('names');
const set = new ResourceSet({ clock, names });

test('a resource with a kind is state of its holder, one without is not', () => {
  expect(Object.keys(set.states)).toEqual(['clock']);
  expect(set.states.clock.first()).toEqual({ tick: 0, nowMs: 5 });
});

test('what holds resources has a member for each, of its type', () => {
  const world: ResourcesOf<typeof set.all> = { clock: { tick: 1, nowMs: 2 }, names: new Map([['a', 1]]) };
  expect(Object.keys(world)).toEqual(Object.keys(set.all));
  // @ts-expect-error: the tick is a number.
  world.clock.tick = 'late';
});

test('a resource stands in the list under its own name', () => {
  expect(() => new ResourceSet({ time: clock })).toThrow('clock');
});
