import { describe, expect, test } from 'vitest';
import { dropSlot, selectSlot } from '../../../engine/rules/items/inventory.ts';
import { pickUpItem } from '../../../engine/rules/items/pick-up.ts';
import { startUsing } from '../../../engine/rules/items/use.ts';
import { type Entity, rowOf } from '../../../engine/world/entity.ts';
import { itemType, type Play, type PlayOptions, play, projectileType, unitType } from '../../support/play.ts';

type Json = Record<string, unknown>;

const pistol: Json = {
  type: 'weapon',
  isGun: true,
  bulletType: 'projectile',
  projectileType: 'bullet',
  bulletStartPosition: { x: 0, y: 40 },
  bulletForce: 10,
  fireRate: 0,
  reloadRate: 200,
  quantity: 2,
  maxQuantity: 2,
  cost: { quantity: 1 },
  effects: { reload: { sound: {} }, empty: { sound: {} } },
};

interface Range extends Play {
  readonly gun: Entity;
  readonly shooter: Entity;
  press(key: string): void;
  effects(): string[];
}

/** Ann's unit holds a pistol of two shots that takes 0.2 s (4 ticks) to reload; `r` reloads it. */
function range(more: Json = {}, options: PlayOptions = {}): Range {
  const abilities = { r: { keyDown: 'reload', keyUp: '' } };
  const it = play(
    {
      unitTypes: { unit: unitType({ abilities }) },
      itemTypes: { pistol: itemType({ ...pistol, ...more }), knife: itemType() },
      projectileTypes: { bullet: projectileType({ bodies: {}, lifeSpan: 100 }) },
    },
    options,
  );
  const ann = it.sim.join({ clientId: 'ann', userId: 'ann' });
  it.ticks(1);
  const effects: string[] = [];
  it.sim.on('output', ({ kind, ...details }) => {
    if (kind === 'effect') effects.push(String((details as Json)['effect']));
  });
  const shooter = it.unit({ owner: ann.entity });
  const gun = it.give(shooter, 'pistol');
  it.ticks(2);
  const press = (key: string): void => {
    it.sim.input({ kind: 'keyDown', player: 'ann', key });
    it.sim.input({ kind: 'keyUp', player: 'ann', key });
    it.ticks(1);
  };
  return { ...it, gun, shooter, press, effects: () => effects };
}

function emptied(more: Json = {}, options: PlayOptions = {}): Range {
  const it = range(more, options);
  it.world.components.stack.quantity[rowOf(it.gun)] = 0;
  return it;
}

describe('reloading', () => {
  test('fills the held gun once the reload rate has passed', () => {
    const it = emptied();
    it.press('r');
    it.ticks(3);
    expect(it.quantity(it.gun)).toBe(0);
    it.ticks(1);
    expect(it.quantity(it.gun)).toBe(2);
    expect(it.effects()).toEqual(['reload']);
  });

  test('requested twice takes the same time', () => {
    const it = emptied();
    it.press('r');
    it.ticks(1);
    it.press('r');
    it.ticks(1);
    expect(it.quantity(it.gun)).toBe(0);
    it.ticks(1);
    expect(it.quantity(it.gun)).toBe(2);
    expect(it.effects()).toEqual(['reload']);
  });

  test('suspends firing, which continues afterwards', () => {
    const it = range();
    it.world.components.stack.quantity[rowOf(it.gun)] = 1;
    it.press('r');
    startUsing(it.game, it.gun);
    it.ticks(3);
    expect(it.of('unitUsesItem')).toHaveLength(0);
    it.ticks(1);
    expect(it.of('unitUsesItem')).toHaveLength(1);
    expect(it.quantity(it.gun)).toBe(1);
  });

  const unable: readonly [about: string, more: Json, quantity: number][] = [
    ['a full gun', {}, 2],
    ['a gun without a reload rate', { reloadRate: undefined }, 0],
    ['a gun without a maximum quantity', { maxQuantity: null }, 0],
    ['an item that is removed when empty', { removeWhenEmpty: true }, 1],
    ['an item that is not a gun', { isGun: false }, 0],
  ];
  test.each(unable)('does nothing for %s', (_about, more, quantity) => {
    const it = range(more);
    it.world.components.stack.quantity[rowOf(it.gun)] = quantity;
    it.press('r');
    it.ticks(20);
    expect(it.quantity(it.gun)).toBe(quantity);
    expect(it.effects()).toEqual([]);
    expect(it.faults()).toEqual([]);
  });

  const givenUp: readonly [about: string, leave: (it: Range) => void][] = [
    [
      'another slot is selected',
      (it) => {
        selectSlot(it.game, it.shooter, 1);
        selectSlot(it.game, it.shooter, 0);
      },
    ],
    [
      'it is dropped and picked up again',
      (it) => {
        dropSlot(it.game, it.shooter, 0);
        pickUpItem(it.game, it.shooter, it.gun);
      },
    ],
  ];
  test.each(givenUp)('is cancelled when %s', (_about, leave) => {
    const it = emptied();
    it.press('r');
    leave(it);
    it.ticks(20);
    expect(it.quantity(it.gun)).toBe(0);
  });

  test('is faster with a rolled `reloadRate` buff', () => {
    const buffTypes = { reloadRate: { unit: 'percentage', chance: 1, minBonus: -0.5, maxBonus: -0.5 } };
    const it = play({
      buffTypes,
      unitTypes: { unit: unitType({ abilities: { r: { keyDown: 'reloadItem', keyUp: '' } } }) },
      itemTypes: { pistol: itemType({ ...pistol, buffTypes: ['reloadRate'] }) },
    });
    const ann = it.sim.join({ clientId: 'ann', userId: 'ann' });
    it.ticks(1);
    const gun = it.give(it.unit({ owner: ann.entity }), 'pistol', 1);
    it.ticks(1);
    it.sim.input({ kind: 'keyDown', player: 'ann', key: 'r' });
    it.ticks(2);
    expect(it.quantity(gun)).toBe(1);
    it.ticks(1);
    expect(it.quantity(gun)).toBe(2);
  });

  test('does not exist in moddio', () => {
    const it = emptied({}, { dialect: 'moddio' });
    it.press('r');
    it.ticks(20);
    expect(it.quantity(it.gun)).toBe(0);
  });
});

test('using an empty gun plays its `empty` effect and stops', () => {
  const it = emptied();
  startUsing(it.game, it.gun);
  it.ticks(3);
  expect(it.effects()).toEqual(['empty']);
  expect(it.of('unitUsesItem')).toEqual([]);
  expect(it.of('unitStopsUsingAnItem')).toHaveLength(1);
});
