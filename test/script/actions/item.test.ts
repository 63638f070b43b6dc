import { describe, expect, test } from 'vitest';
import { createProjectile } from '../../../engine/rules/combat/projectile.ts';
import { itemDescription, setItemText } from '../../../engine/rules/items/item-settings.ts';
import { type Entity, rowOf } from '../../../engine/world/entity.ts';
import { itemType, type Play, play, projectileType, script, unitType } from '../../support/play.ts';

/** What `cases/item.ts` leaves out: further forms of operands, and effects that need several steps. */

type Json = Record<string, unknown>;

const unit = { function: 'getTriggeringUnit' };
const item = { function: 'getTriggeringItem' };
const nothing = { function: 'undefinedValue' };
const position = { x: 50, y: 60 };
const endless = Number.POSITIVE_INFINITY;

const itemTypes = {
  thing: itemType({ quantity: 3, maxQuantity: 10, controls: { canMerge: false } }),
  gun: itemType({ type: 'weapon', quantity: 5 }),
  bread: itemType({ type: 'consumable', quantity: 1, removeWhenEmpty: true }),
  curse: itemType({ controls: { canMerge: false, undroppable: true } }),
  endless: itemType({ maxQuantity: -1 }),
};

/** A unit with two items in three slots, one item on the ground, a projectile; and a script with one action. */
interface Scene extends Play {
  readonly me: Entity;
  readonly first: Entity;
  readonly lying: Entity;
  /** Runs the action; `about` is what `getTriggeringItem` gives. */
  run(about?: Entity): void;
}

function scene(action: Json, carried: readonly string[] = ['thing', 'thing']): Scene {
  const game = play({
    unitTypes: { unit: unitType({ inventorySize: 3 }) },
    itemTypes,
    projectileTypes: { bullet: projectileType({ lifeSpan: 10_000 }) },
    scripts: { go: script([], [action]) },
  });
  const me = game.unit();
  const [first = 0] = carried.map((type) => game.give(me, type));
  const lying = game.item('thing');
  const bullet = createProjectile(game.game, { type: 'bullet', x: 1000, y: 100, angle: 0 });
  game.ticks(1);
  const run = (about: Entity = first) => {
    game.world.triggers.runScript('go', 0, { unit: me, item: about, projectile: bullet });
  };
  return { ...game, me, first, lying, run };
}

function ran(action: Json, carried?: readonly string[]): Scene {
  const game = scene(action, carried);
  game.run();
  return game;
}

test('a spawned item lies in the world, slightly rotated, and is announced in its state', () => {
  const game = ran({ type: 'spawnItem', itemType: 'gun', position });
  const made = game.entity('i4');
  const angle = game.world.components.transform.angle[rowOf(made)];
  expect(game.stateKey(made)).toBe('dropped');
  expect(angle).toBeGreaterThanOrEqual(0);
  expect(angle).toBeLessThan(0.01);
  const last = game.announced.slice(-3).map(({ type }) => type);
  expect(last).toEqual(['entityStateChanged', 'entityCreatedGlobal', 'entityCreated']);
});

test('an item of a type without a maximum is made endless by its maximum', () => {
  const game = ran({ type: 'createItemWithMaxQuantityAtPosition', itemType: 'endless', position });
  expect(game.quantity(game.entity('i4'))).toBe(endless);
});

test.each([
  ['createItemAtPositionWithQuantity', { position, quantity: '12' }, 12],
  ['createItemAtPositionWithQuantity', { position, quantity: null }, endless],
  ['giveNewItemWithQuantityToUnit', { unit, number: '2' }, 2],
  ['giveNewItemWithQuantityToUnit', { unit, number: 99 }, 99],
  ['giveNewItemWithQuantityToUnit', { unit, number: nothing }, endless],
  ['giveNewItemWithQuantityToUnit', { unit, number: null }, endless],
])('%s with %j makes an item of quantity %d', (type, operands, quantity) => {
  const game = ran({ type, itemType: 'thing', ...operands });
  expect(game.quantity(game.entity('i4'))).toBe(quantity);
});

test.each([
  ['4', 4],
  [null, endless],
])('the quantity %j of an item is %d', (quantity, expected) => {
  const game = ran({ type: 'updateItemQuantity', entity: item, quantity });
  expect(game.quantity(game.first)).toBe(expected);
});

test('at a quantity of 0 an item without `removeWhenEmpty` stays', () => {
  const game = ran({ type: 'updateItemQuantity', entity: item, quantity: 0 });
  expect(game.world.exists(game.first)).toBe(true);
});

test('an item given again joins the stack that the unit has', () => {
  const game = ran({ type: 'giveNewItemToUnit', itemType: 'gun', unit });
  game.run();
  expect(game.slots(game.me)).toBe('i1 i2 i4');
  expect(game.quantity(game.entity('i4'))).toBe(10);
});

test('an item dropped without a position lies beside its unit', () => {
  const game = ran({ type: 'dropItemAtPosition', item });
  expect(game.world.components.transform.y[rowOf(game.first)]).toBe(620);
});

test('an undroppable item is not dropped by its slot', () => {
  const game = ran({ type: 'dropItemInInventorySlot', unit, slotIndex: 1 }, ['curse']);
  expect(game.slots(game.me)).toBe('i1 . .');
});

test('of all items the undroppable one stays, and the bodies of the others push each other apart', () => {
  const game = ran({ type: 'dropAllItems', entity: unit }, ['thing', 'curse', 'thing']);
  expect(game.slots(game.me)).toBe('. i2 .');
  game.ticks(3);
  const { physics } = game.game;
  expect(Math.abs(physics.velocityX(game.first)) + Math.abs(physics.velocityY(game.first))).toBeGreaterThan(0);
});

test('the start and the stop of a use fire their triggers', () => {
  const game = ran({ type: 'startUsingItem', entity: item });
  expect(game.of('thisItemStartsBeingUsed').length).toBe(1);
  const other = scene({ type: 'stopUsingItem', entity: item });
  other.world.components.itemUse.beingUsed[rowOf(other.first)] = 1;
  other.run();
  expect(other.of('unitStopsUsingAnItem').length).toBe(1);
});

test('an empty description leaves the one that the item has', () => {
  const game = scene({ type: 'changeDescriptionOfItem', item, string: '' });
  setItemText(game.game, game.first, 'description', 'blunt');
  game.run();
  expect(itemDescription(game.world, game.first)).toBe('blunt');
});

test('ammunition is refilled up to the maximum, and stays as it is without one', () => {
  const game = scene({ type: 'refillAmmo', entity: item }, ['thing']);
  const { quantity, maxQuantity } = game.world.components.stack;
  const row = rowOf(game.first);
  quantity[row] = 4;
  maxQuantity[row] = 30;
  game.run();
  expect(quantity[row]).toBe(30);
  maxQuantity[row] = endless;
  game.run();
  expect(quantity[row]).toBe(30);
});

describe('the angle of a projectile', () => {
  const quarter = Math.PI / 2;
  // B is to the right of A, which is a quarter turn.
  const towards = { function: 'angleBetweenPositions', positionA: { x: 0, y: 0 }, positionB: { x: 10, y: 0 } };
  test.each([
    ['a text is read as a number', '0', 0],
    ['`angleBetweenPositions` as the operand itself is turned by another quarter', towards, 2 * quarter],
    [
      '`angleBetweenPositions` in a calculation is not',
      { function: 'calculate', items: [{ operator: '+' }, 0, towards] },
      quarter,
    ],
  ])('%s', (_rule, angle, facing) => {
    const game = ran({ type: 'createProjectileAtPosition', projectileType: 'bullet', position, force: 4, angle, unit });
    const bullet = game.entity('b2');
    expect(game.world.components.transform.angle[rowOf(bullet)]).toBeCloseTo(facing, 9);
    expect(game.world.components.projectile[rowOf(bullet)]!.damage).toBeUndefined();
    game.ticks(2);
    expect(game.game.physics.velocityX(bullet)).toBeCloseTo(4 * Math.sin(facing), 6);
    expect(game.game.physics.velocityY(bullet)).toBeCloseTo(-4 * Math.cos(facing), 6);
  });
});

test.each([
  ['spawnItem', { itemType: 'thing', position: nothing }, 'missing-value'],
  ['giveNewItemToUnit', { itemType: 'thing', unit: nothing }, 'nothing-to-act-on'],
  ['dropItem', { entity: item }, 'nothing-to-act-on'],
  ['startUsingItem', { entity: unit }, 'nothing-to-act-on'],
  ['updateItemQuantity', { entity: nothing, quantity: 1 }, 'nothing-to-act-on'],
])('%s with %j changes nothing and reports %s', (type, operands, code) => {
  const game = ran({ type, ...operands });
  const skips = game.world.skips.list();
  expect([...game.faults(), ...skips].map((each) => each.code)).toEqual([code]);
  expect(game.slots(game.me)).toBe('i1 i2 .');
});
