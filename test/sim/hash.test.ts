import { describe, expect, test } from 'vitest';
import { Simulation } from '../../engine/index.ts';
import {
  at,
  bodyFields,
  dynamicType,
  flagNames,
  stride,
  surfaceFields,
} from '../../engine/physics/flat/body-fields.ts';
import { stunUnit } from '../../engine/rules/combat/status-effect.ts';
import { changeLook } from '../../engine/rules/entities/appearance.ts';
import { json } from '../../engine/schema/index.ts';
import { internalsOf } from '../../engine/tools.ts';
import { worldState } from '../../engine/world/snapshot.ts';
import { Bots } from '../../src/bots/bots.ts';
import { sampleGame } from '../support/samples.ts';

const game = sampleGame('outbreak.json');

/** A simulation in which a little of everything has happened. */
function busy(): Simulation {
  const sim = new Simulation(game, { seed: 'hash' });
  const bots = new Bots(sim, { count: 6, seed: 'hash' });
  for (let i = 0; i < 300; i++) {
    bots.beforeStep();
    sim.step();
  }
  // Unused columns are not part of the hash.
  for (const unit of sim.entities('unit')) stunUnit(internalsOf(sim).game, unit, Number.POSITIVE_INFINITY);
  return sim;
}

describe('the state hash', () => {
  test('is the same for equal worlds, and changes with every tick', () => {
    const [one, two] = [busy(), busy()];
    expect(one.hash()).toBe(two.hash());
    expect(one.hash()).toBe(one.hash());
    const hashes = new Set<string>();
    for (let i = 0; i < 100; i++) {
      one.step();
      hashes.add(one.hash());
    }
    expect(hashes.size).toBe(100);
  });

  test('counts every number of a body', () => {
    const sim = busy();
    const { bodies } = internalsOf(sim).game.physics.parts.space;
    const body = bodies.newestFirst().find((row) => bodies.type[row] === dynamicType)!;
    const add = (field: number) => () => {
      bodies.numbers[body * stride + field]! += 1;
    };
    const changes: readonly (readonly [string, () => unknown])[] = [
      ...bodyFields.map((field) => [field, add(at[field])] as const),
      ...surfaceFields.map((field) => [field, () => (bodies[field][body]! += 1)] as const),
      ...([...flagNames, 'sensor'] as const).map((flag) => [flag, () => (bodies[flag][body]! ^= 1)] as const),
      ['entity', () => (bodies.entity[body]! += 1)],
    ];
    let before = sim.hash();
    for (const [name, change] of changes) {
      change();
      const after = sim.hash();
      expect(after, name).not.toBe(before);
      expect(sim.hash(), name).toBe(after);
      before = after;
    }
  });

  test('distinguishes two equal lists from one list that is referred to twice', () => {
    const sim = new Simulation(game, { seed: 1 });
    const { values } = internalsOf(sim).world.globals;
    const list = [1, 2];
    values[0] = list;
    values[1] = list;
    const shared = sim.hash();
    values[1] = [1, 2];
    expect(sim.hash()).not.toBe(shared);
  });

  test('changes with the look of an entity, and looks cannot be changed in place', () => {
    const sim = new Simulation(game, { seed: 1 });
    const { game: inside, world } = internalsOf(sim);
    const { looks } = world.shown;
    const entity = world.allocate('wall');
    const hashes = new Set([sim.hash()]);
    for (const scale of [2, 3]) {
      changeLook(inside, entity, { scale });
      hashes.add(sim.hash());
    }
    expect(() => Object.assign(looks.get(entity)!, { scale: 4 })).toThrow(TypeError);
    const copy = internalsOf(sim.fork()).world.shown.looks;
    expect(Object.isFrozen(copy.get(entity))).toBe(true);
    const loose = { ...looks.get(entity)! };
    looks.set(entity, loose);
    expect(hashes).toContain(sim.hash());
    loose.scale = 5;
    hashes.add(sim.hash());
    expect(hashes.size).toBe(4);
  });

  test('handles cycles and deeply nested lists', () => {
    const sim = new Simulation(game, { seed: 1 });
    const ring: unknown[] = [];
    ring.push(ring);
    let deep: unknown[] = [];
    for (let i = 0; i < 50_000; i++) deep = [deep];
    internalsOf(sim).world.globals.values[0] = ring;
    internalsOf(sim).world.globals.values[1] = deep;
    expect(sim.fork().hash()).toBe(sim.hash());
  });

  test('treats every NaN as the same, whatever its bits', () => {
    const sim = busy();
    const { angle } = internalsOf(sim).world.components.transform;
    angle[1] = Number.NaN;
    const before = sim.hash();
    new Uint32Array(angle.buffer, angle.byteOffset + 8, 2).set([1, 0xfff80000]);
    expect(sim.hash()).toBe(before);
  });
});

/** Members of a world that are not state: constants, or values that are only counted and published. */
const constantMembers = [
  'definition',
  'limits',
  'types',
  'outbox',
  'membership',
  'lists',
  'withSeen',
  'withStatusEffects',
  // The tables whose columns grow with those of the world.
  'rowTables',
] as const;

const declared = Object.keys(worldState(json()).fields);

test('every member of the world is declared as state or as constant', () => {
  const sim = new Simulation(game);
  const known = new Set<string>([...declared, ...constantMembers]);
  // A new member goes into `worldState` of engine/world/snapshot.ts, or to `constantMembers`.
  expect(Object.keys(internalsOf(sim).world).filter((member) => !known.has(member))).toEqual([]);
  expect([...known].filter((member) => !(member in internalsOf(sim).world))).toEqual([]);
});
