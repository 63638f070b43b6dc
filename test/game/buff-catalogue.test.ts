import { describe, expect, test } from 'vitest';
import { pickUpItem } from '../../engine/game/pick-up.ts';
import { useOnce } from '../../engine/game/use.ts';
import { type Entity, rowOf } from '../../engine/world/entity.ts';
import { type Arena, arena, itemType, projectileType } from '../support/arena.ts';
import type { PlayOptions } from '../support/play.ts';

type Json = Record<string, unknown>;

/** The specification's catalogue. */
const catalogue: Record<string, Json> = {
  reloadRate: { unit: 'percentage', minBonus: 0, maxBonus: -0.3, chance: 0.1 },
  fireRate: { unit: 'percentage', minBonus: 0, maxBonus: -0.3, chance: 0.15 },
  distanceEnd: { unit: 'integer', minBonus: 100, maxBonus: 500, chance: 0.3 },
  ammoSize: { unit: 'percentage', minBonus: 0, maxBonus: 0.3, chance: 0.1 },
  ammoTotal: { unit: 'percentage', minBonus: 0, maxBonus: 0.3, chance: 0.2 },
  bulletForce: { unit: 'percentage', minBonus: 0.1, maxBonus: 1, chance: 0.07 },
  recoilForce: { unit: 'integer', minBonus: 0, maxBonus: 8, chance: 0.04 },
  canPenetrate: { unit: 'boolean', chance: 0.05 },
};
const names = Object.keys(catalogue);
const sure = Object.fromEntries(Object.entries(catalogue).map(([name, buff]) => [name, { ...buff, chance: 1 }]));

/** `gun` lists all of the catalogue, `plain` nothing. */
function armoury(buffTypes: Json, options: PlayOptions = {}, more: Json = {}): Arena {
  const gun = itemType({
    type: 'weapon',
    isGun: true,
    bulletType: 'projectile',
    projectileType: 'ball',
    bulletStartPosition: { x: 0, y: 40, rotation: 0 },
    bulletForce: 100,
    bulletDistance: 1000,
    recoilForce: 10,
    fireRate: 1000,
    quantity: 100,
    maxQuantity: 200,
    damage: { unitAttributes: { health: 1 } },
    buffTypes: names,
    ...more,
  });
  const body = {
    linearDamping: 0,
    collidesWith: {},
    type: 'dynamic',
    width: 10,
    height: 10,
    fixtures: [{ density: 1 }],
  };
  return arena(
    {
      buffTypes,
      projectileTypes: { ball: projectileType({ bodies: { default: body } }) },
      itemTypes: { gun, plain: { ...gun, buffTypes: [] } },
    },
    options,
  );
}

const rolled = (it: Arena, item: Entity) =>
  Object.fromEntries(it.world.items[rowOf(item)]!.rolled.map(({ name, value }) => [name, value]));

describe('what a new item rolls', () => {
  test('lies within the bounds of the catalogue, each buff once', () => {
    const it = armoury(sure);
    for (let i = 0; i < 300; i++) {
      const item = it.item('gun');
      const list = it.world.items[rowOf(item)]!.rolled;
      expect(list.map(({ name }) => name)).toEqual(names);
      for (const { name, value } of list) {
        const {
          unit,
          minBonus = 1,
          maxBonus = 1,
        } = catalogue[name] as { unit: string; minBonus?: number; maxBonus?: number };
        expect(value).toBeGreaterThanOrEqual(Math.min(minBonus, maxBonus));
        expect(value).toBeLessThanOrEqual(Math.max(minBonus, maxBonus));
        if (unit === 'integer') expect(value).toBe(Math.trunc(value));
      }
    }
  });

  test('comes as often as the catalogue says', () => {
    const it = armoury(catalogue);
    const items = 4000;
    const found = new Map(names.map((name) => [name, 0]));
    for (let i = 0; i < items; i++) {
      for (const name of Object.keys(rolled(it, it.item('gun')))) found.set(name, found.get(name)! + 1);
    }
    for (const [name, count] of found) {
      const chance = catalogue[name]!['chance'] as number;
      // Five standard deviations: fixed by the seed, and a wrong chance would be far outside.
      expect(Math.abs(count / items - chance)).toBeLessThan(5 * Math.sqrt((chance * (1 - chance)) / items));
    }
  });

  test('reaches both ends of whole steps', () => {
    const it = armoury({ recoilForce: { ...sure['recoilForce']!, maxBonus: 2 } }, {}, { buffTypes: ['recoilForce'] });
    const seen = new Set(Array.from({ length: 100 }, () => rolled(it, it.item('gun'))['recoilForce']));
    expect([...seen].sort()).toEqual([0, 1, 2]);
  });

  test('is the same for the same seed and another for another', () => {
    const list = (seed: string) => {
      const it = armoury(sure, { seed });
      return Array.from({ length: 5 }, () => rolled(it, it.item('gun')));
    };
    expect(list('a')).toEqual(list('a'));
    expect(list('a')).not.toEqual(list('b'));
  });

  test.each([
    ['of a type that lists nothing', 'plain', {}],
    ['in moddio, which has no catalogue at run time', 'gun', { dialect: 'moddio' }],
  ] as const)('is nothing %s', (_, type, options) => {
    const it = armoury(sure, options);
    expect(rolled(it, it.item(type))).toEqual({});
    expect(it.world.random.save()).not.toHaveProperty('buffs');
  });

  test('is nothing for names that the catalogue does not have', () => {
    const it = armoury({}, {}, { buffTypes: ['nonsense', 'constructor'] });
    expect(rolled(it, it.item('gun'))).toEqual({});
  });
});

describe('what a buff does', () => {
  const only = (name: string, value: number): Json => ({
    [name]: { unit: 'percentage', chance: 1, minBonus: value, maxBonus: value },
  });
  const made = (name: string, value: number) => {
    const it = armoury(only(name, value));
    const unit = it.unit();
    return { it, unit, item: it.give(unit, 'gun') };
  };

  test.each([
    ['fireRate', -0.3, 'fireRateMs', 700],
    ['ammoTotal', 0.25, 'maxQuantity', 250],
    ['ammoSize', 0.25, 'quantity', 125],
    ['reloadRate', -0.3, 'fireRateMs', 1000],
  ] as const)('%s of %d makes %s %d', (name, value, column, expected) => {
    const { it, item } = made(name, value);
    expect(it.world.columns[column][rowOf(item)]).toBe(expected);
  });

  test('an item never has more than it can hold', () => {
    const { it, item } = made('ammoSize', 2);
    const { quantity, maxQuantity } = it.world.columns;
    expect([quantity[rowOf(item)], maxQuantity[rowOf(item)]]).toEqual([300, 300]);
  });

  const speedOfShot = (name: string, value: number): number => {
    const { it, item } = made(name, value);
    it.ticks(1);
    useOnce(it.game, item);
    it.ticks(3);
    return Math.round(-it.game.physics.velocityY(it.entity('b1')));
  };

  test('bulletForce is a share more', () => {
    expect(speedOfShot('bulletForce', 0.5)).toBe(150);
    expect(speedOfShot('recoilForce', 0.5)).toBe(100);
  });

  test('recoilForce is so much more', () => {
    const recoil = (name: string) => {
      const { it, unit, item } = made(name, 30);
      it.ticks(2);
      useOnce(it.game, item);
      it.ticks(2);
      return it.game.physics.velocityY(unit);
    };
    expect(recoil('recoilForce') / recoil('reloadRate')).toBeCloseTo(4, 6);
  });

  test('canPenetrate lets shots go on', () => {
    const it = armoury({ canPenetrate: { unit: 'boolean', chance: 1 } });
    const item = it.give(it.unit(), 'gun');
    it.ticks(1);
    useOnce(it.game, item);
    it.ticks(1);
    expect(it.world.projectiles[rowOf(it.entity('b1'))]!.penetrates).toBe(true);
  });
});

test('what has rolled something keeps it: it does not go into a stack', () => {
  const it = armoury(sure);
  const unit = it.unit();
  it.give(unit, 'gun', 1);
  const item = it.item('gun', { quantity: 1 });
  expect(pickUpItem(it.game, unit, item)).toBe(true);
  expect(it.slots(unit)).toBe('i1 i2 .');
});
