import { describe, expect, test } from 'vitest';
import { StatusEffects } from '../../../engine/components/status-effects.ts';
import { dropSlot } from '../../../engine/rules/items/inventory.ts';
import { pickUpItem } from '../../../engine/rules/items/pick-up.ts';
import { useOnce } from '../../../engine/rules/items/use.ts';
import { changeUnitType } from '../../../engine/rules/lifecycle/unit-type.ts';
import { type Entity, rowOf } from '../../../engine/world/entity.ts';
import {
  attribute,
  itemType,
  type Play,
  type PlayOptions,
  play,
  projectileType,
  unitType,
} from '../../support/play.ts';

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

/** `gun` lists the whole catalogue, `plain` nothing. */
function armoury(buffTypes: Json, options: PlayOptions = {}, more: Json = {}): Play {
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
  return play(
    {
      buffTypes,
      projectileTypes: { ball: projectileType({ bodies: { default: body } }) },
      itemTypes: { gun, plain: { ...gun, buffTypes: [] } },
    },
    options,
  );
}

const rolled = (it: Play, item: Entity) =>
  Object.fromEntries((it.world.components.rolledBuffs[rowOf(item)] ?? []).map(({ name, value }) => [name, value]));

describe('the buffs that a new item rolls', () => {
  test('lie within the bounds of the catalogue, each buff once', () => {
    const it = armoury(sure);
    for (let i = 0; i < 300; i++) {
      const item = it.item('gun');
      const list = it.world.components.rolledBuffs[rowOf(item)] ?? [];
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

  test('occur as often as the catalogue says', () => {
    const items = 4000;
    const it = armoury(catalogue, { limits: { entities: items + 100 } });
    const found = new Map(names.map((name) => [name, 0]));
    for (let i = 0; i < items; i++) {
      for (const name of Object.keys(rolled(it, it.item('gun')))) found.set(name, found.get(name)! + 1);
    }
    for (const [name, count] of found) {
      const chance = catalogue[name]!['chance'] as number;
      // Five standard deviations: the seed is fixed, and a wrong probability would be far outside.
      expect(Math.abs(count / items - chance)).toBeLessThan(5 * Math.sqrt((chance * (1 - chance)) / items));
    }
  });

  test('reach both bounds of whole numbers', () => {
    const it = armoury({ recoilForce: { ...sure['recoilForce']!, maxBonus: 2 } }, {}, { buffTypes: ['recoilForce'] });
    const seen = new Set(Array.from({ length: 100 }, () => rolled(it, it.item('gun'))['recoilForce']));
    expect([...seen].sort()).toEqual([0, 1, 2]);
  });

  test('depend on the seed', () => {
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
  ] as const)('are none %s', (_, type, options) => {
    const it = armoury(sure, options);
    expect(rolled(it, it.item(type))).toEqual({});
    expect([...it.world.random.save().keys()]).not.toContain('buffs');
  });

  test('are none for names that the catalogue lacks', () => {
    const it = armoury({}, {}, { buffTypes: ['nonsense', 'constructor'] });
    expect(rolled(it, it.item('gun'))).toEqual({});
  });
});

describe('the effect of a buff', () => {
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
    const { stack, itemUse } = it.world.components;
    expect({ ...stack, ...itemUse }[column][rowOf(item)]).toBe(expected);
  });

  test('ammoSize never exceeds the maximum quantity', () => {
    const { it, item } = made('ammoSize', 2);
    const { quantity, maxQuantity } = it.world.components.stack;
    expect([quantity[rowOf(item)], maxQuantity[rowOf(item)]]).toEqual([300, 300]);
  });

  const speedOfShot = (name: string, value: number): number => {
    const { it, item } = made(name, value);
    it.ticks(1);
    useOnce(it.game, item);
    it.ticks(3);
    return Math.round(-it.game.physics.velocityY(it.entity('b1')));
  };

  test('bulletForce is a percentage', () => {
    expect(speedOfShot('bulletForce', 0.5)).toBe(150);
    expect(speedOfShot('recoilForce', 0.5)).toBe(100);
  });

  test('recoilForce is added', () => {
    const recoil = (name: string) => {
      const { it, unit, item } = made(name, 30);
      it.ticks(2);
      useOnce(it.game, item);
      it.ticks(2);
      return it.game.physics.velocityY(unit);
    };
    expect(recoil('recoilForce') / recoil('reloadRate')).toBeCloseTo(4, 6);
  });

  test('canPenetrate makes projectiles penetrate', () => {
    const it = armoury({ canPenetrate: { unit: 'boolean', chance: 1 } });
    const item = it.give(it.unit(), 'gun');
    it.ticks(1);
    useOnce(it.game, item);
    it.ticks(1);
    expect(it.world.components.projectile[rowOf(it.entity('b1'))]!.penetrates).toBe(true);
  });
});

test('an item with rolled buffs does not merge into a stack', () => {
  const it = armoury(sure);
  const unit = it.unit();
  it.give(unit, 'gun', 1);
  const item = it.item('gun', { quantity: 1 });
  expect(pickUpItem(it.game, unit, item)).toBe(true);
  expect(it.slots(unit)).toBe('i1 i2 .');
});

describe('buffs of carried items', () => {
  /** Every item of type `charm` rolls `value` of the buff; `plain` rolls nothing. */
  function carrying(name: string, value: number, more: Json = {}, options: PlayOptions = {}) {
    const charm = itemType({ buffTypes: [name], ...more });
    const it = play(
      {
        buffTypes: { [name]: { unit: 'integer', chance: 1, minBonus: value, maxBonus: value } },
        unitTypes: {
          unit: unitType({
            inventorySize: 2,
            backpackSize: 1,
            attributes: {
              speed: attribute(10),
              stamina: attribute(50, { max: 100 }),
              health: attribute(100, { max: 100 }),
            },
          }),
        },
        itemTypes: { charm, plain: { ...charm, buffTypes: [] } },
      },
      options,
    );
    const ann = it.sim.join({ clientId: 'ann', userId: 'ann' });
    it.ticks(1);
    const unit = it.unit({ owner: ann.entity });
    const walk = (): number => {
      it.sim.input({ kind: 'keyDown', player: 'ann', key: 'd' });
      it.ticks(2);
      return it.game.physics.velocityX(unit);
    };
    return { it, unit, walk };
  }

  test('movementSpeed is added for each carried item', () => {
    const { it, unit, walk } = carrying('movementSpeed', 3);
    it.give(unit, 'charm');
    it.give(unit, 'charm');
    expect(walk()).toBeCloseTo(16, 6);
    dropSlot(it.game, unit, 0);
    it.ticks(2);
    expect(it.game.physics.velocityX(unit)).toBeCloseTo(13, 6);
  });

  test('movementSpeed of an item disabled in the backpack, or that the unit may not use, is ignored', () => {
    const bag = { isDisabledInBackpack: true, unitAttribute: {}, playerAttribute: {} };
    const inBag = carrying('movementSpeed', 3, {
      bonus: { passive: bag },
      controls: { permittedInventorySlots: [3], backpackAllowed: true },
    });
    inBag.it.give(inBag.unit, 'charm');
    expect(inBag.it.slots(inBag.unit)).toBe('. . i1');
    expect(inBag.walk()).toBeCloseTo(10, 6);
    const unfit = carrying('movementSpeed', 3, { canBeUsedBy: ['somebody'] });
    unfit.it.give(unfit.unit, 'charm');
    expect(unfit.walk()).toBeCloseTo(10, 6);
  });

  test.each([1, 40])('maxStamina of %i raises the maximum while the item is carried', (rolled) => {
    const { it, unit } = carrying('maxStamina', rolled);
    it.give(unit, 'charm');
    const max = () => it.world.attributes.max[it.world.components.attributes.start[rowOf(unit)]! + 1];
    expect([max(), it.attribute('u1', 'stamina')]).toEqual([100 + rolled, 50]);
    changeUnitType(it.game, unit, it.world.types.unit.get('unit')!);
    expect(max()).toBe(100 + rolled);
    dropSlot(it.game, unit, 0);
    expect([max(), it.attribute('u1', 'stamina')]).toEqual([100, 50]);
  });
});

describe('buffs of a weapon', () => {
  const club = {
    type: 'weapon',
    damage: { unitAttributes: { health: 1 } },
    damageHitBox: { width: 60, height: 60, offsetX: 0, offsetY: 0 },
  };
  function duel(weapon: readonly string[], charm: readonly string[], values: Record<string, number>) {
    const it = play({
      buffTypes: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          { unit: 'percentage', chance: 1, minBonus: value, maxBonus: value },
        ]),
      ),
      itemTypes: { club: itemType({ ...club, buffTypes: weapon }), charm: itemType({ buffTypes: charm }) },
    });
    const bob = it.sim.join({ clientId: 'bob', userId: 'bob' });
    it.ticks(1);
    const attacker = it.unit();
    const target = it.unit({ owner: bob.entity, x: 690 });
    const weaponItem = it.give(attacker, 'club');
    it.give(target, 'charm');
    it.ticks(1);
    const strike = () => {
      useOnce(it.game, weaponItem);
      it.ticks(1);
    };
    return { it, target, strike };
  }
  const speed = (it: Play, unit: Entity) => {
    it.sim.input({ kind: 'keyDown', player: 'bob', key: 'd' });
    it.ticks(2);
    return it.game.physics.velocityX(unit);
  };

  test('stunChance stuns for a second', () => {
    const { it, target, strike } = duel(['stunChance'], [], { stunChance: 1 });
    strike();
    expect(speed(it, target)).toBe(0);
    it.sim.input({ kind: 'keyDown', player: 'bob', key: '2' });
    it.ticks(1);
    expect(it.world.components.inventory[rowOf(target)]!.currentSlot).toBe(0);
    it.ticks(18);
    expect(it.game.physics.velocityX(target)).toBeCloseTo(10, 6);
  });

  test('slowChance halves the speed for a second', () => {
    const { it, target, strike } = duel(['slowChance'], [], { slowChance: 1 });
    strike();
    expect(speed(it, target)).toBeCloseTo(5, 6);
    it.ticks(20);
    expect(it.game.physics.velocityX(target)).toBeCloseTo(10, 6);
  });

  test('stunChance of a held weapon counts three times', () => {
    const { it, target, strike } = duel(['stunChance'], [], { stunChance: 0.1 });
    let stunned = 0;
    for (let i = 0; i < 300; i++) {
      const before = it.world.clock.nowMs;
      strike();
      if (it.world.components.statusEffects.stunEndsAtMs[rowOf(target)]! > before + 1000) stunned++;
    }
    expect(stunned / 300).toBeGreaterThan(0.2);
    expect(stunned / 300).toBeLessThan(0.4);
  });

  test('immunity prevents stun and slow', () => {
    const { it, target, strike } = duel(['stunChance', 'slowChance'], ['immunity'], {
      stunChance: 1,
      slowChance: 1,
      immunity: 1,
    });
    strike();
    expect(it.attribute(it.id(target)!, 'health')).toBe(99);
    expect(speed(it, target)).toBeCloseTo(10, 6);
  });

  test('an attack that the relationship forbids neither stuns nor slows', () => {
    const { it, target, strike } = duel(['stunChance'], [], { stunChance: 1 });
    it.world.components.identity.owner[rowOf(target)] = it.player(1);
    strike();
    expect(it.world.has(target, StatusEffects)).toBe(false);
  });

  test('height makes an item longer, on the ground and in the hand', () => {
    const sword = itemType({ buffTypes: ['height'] });
    const it = play({
      buffTypes: { height: { unit: 'percentage', chance: 1, minBonus: 0.5, maxBonus: 0.5 } },
      itemTypes: { sword, plain: { ...sword, buffTypes: [] } },
    });
    const [long, short] = [it.item('sword'), it.item('plain', { x: 100 })];
    const { height, y } = it.world.components.transform;
    expect([height[rowOf(long)], height[rowOf(short)]]).toEqual([30, 20]);
    it.ticks(1);
    const found: Entity[] = [];
    it.game.physics.queryArea(295, 312, 10, 1, found);
    expect(found).toEqual([long]);
    found.length = 0;
    it.game.physics.queryArea(95, 312, 10, 1, found);
    expect(found).toEqual([]);
    const unit = it.unit();
    pickUpItem(it.game, unit, long);
    it.ticks(2);
    expect(y[rowOf(long)]).toBeCloseTo(640 - 30, 6);
    expect(it.sim.fork().hash()).toBe(it.sim.hash());
  });
});
