import { describe, expect, test } from 'vitest';
import { createProjectile } from '../../../engine/rules/combat/projectile.ts';
import { itemDescription, setItemText } from '../../../engine/rules/items/item-settings.ts';
import { itemActions } from '../../../engine/script/actions/item.ts';
import { projectileActions } from '../../../engine/script/actions/projectile.ts';
import { type Entity, rowOf } from '../../../engine/world/entity.ts';
import { itemType, type Play, play, projectileType, script, unitType } from '../../support/play.ts';

type Json = Record<string, unknown>;

const unit = { function: 'getTriggeringUnit' };
const item = { function: 'getTriggeringItem' };
const projectile = { function: 'getTriggeringProjectile' };
const nothing = { function: 'undefinedValue' };
const endless = Number.POSITIVE_INFINITY;

const itemTypes = {
  thing: itemType({ quantity: 3, maxQuantity: 10, controls: { canMerge: false } }),
  gun: itemType({ type: 'weapon', quantity: 5 }),
  bread: itemType({ type: 'consumable', quantity: 1, removeWhenEmpty: true }),
  curse: itemType({ controls: { canMerge: false, undroppable: true } }),
  endless: itemType({ maxQuantity: -1 }),
};

/**
 * A unit with two items in three slots, one item on the ground, a projectile; and a script that applies `action` to
 * them.
 */
interface Scene extends Play {
  readonly me: Entity;
  readonly first: Entity;
  readonly second: Entity;
  readonly lying: Entity;
  readonly bullet: Entity;
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
  const [first = 0, second = 0] = carried.map((type) => game.give(me, type));
  const lying = game.item('thing');
  const bullet = createProjectile(game.game, { type: 'bullet', x: 1000, y: 100, angle: 0 });
  game.ticks(1);
  const run = (about: Entity = first) => {
    game.world.triggers.runScript('go', 0, { unit: me, item: about, projectile: bullet });
  };
  return { ...game, me, first, second, lying, bullet, run };
}

function skipped(game: Play): string[] {
  return game.world.skips.list().map(({ code }) => code);
}

const cases: Readonly<Record<string, () => void>> = {
  spawnItem: () => {
    const game = scene({ type: 'spawnItem', itemType: 'gun', position: { x: 50, y: 60 } });
    game.run();
    const made = game.entity('i4');
    const { x, y, angle } = game.world.components.transform;
    expect([x[rowOf(made)], y[rowOf(made)], game.quantity(made), game.stateKey(made)]).toEqual([50, 60, 5, 'dropped']);
    // Slightly rotated.
    expect(angle[rowOf(made)]).toBeGreaterThanOrEqual(0);
    expect(angle[rowOf(made)]).toBeLessThan(0.01);
    expect(game.announced.slice(-3).map(({ type }) => type)).toEqual([
      'entityStateChanged',
      'entityCreatedGlobal',
      'entityCreated',
    ]);
    expect(game.world.memory.last.createdItem).toBe(made);
  },
  createItemWithMaxQuantityAtPosition: () => {
    const game = scene({ type: 'createItemWithMaxQuantityAtPosition', itemType: 'thing', position: { x: 50, y: 60 } });
    game.run();
    expect(game.quantity(game.entity('i4'))).toBe(10);
    const other = scene({
      type: 'createItemWithMaxQuantityAtPosition',
      itemType: 'endless',
      position: { x: 50, y: 60 },
    });
    other.run();
    expect(other.quantity(other.entity('i4'))).toBe(endless);
  },
  createItemAtPositionWithQuantity: () => {
    for (const [quantity, made] of [
      [7, 7],
      ['12', 12],
      [-1, endless],
      [0, endless],
      [null, endless],
      [nothing, endless],
    ]) {
      const game = scene({
        type: 'createItemAtPositionWithQuantity',
        itemType: 'thing',
        position: { x: 50, y: 60 },
        quantity,
      });
      game.run();
      const item = game.entity('i4');
      expect(game.quantity(item)).toBe(made);
      expect(game.world.components.transform.x[rowOf(item)]).toBe(50);
    }
  },
  giveNewItemToUnit: () => {
    const game = scene({ type: 'giveNewItemToUnit', itemType: 'gun', unit });
    game.run();
    expect(game.slots(game.me)).toBe('i1 i2 i4');
    expect(game.quantity(game.entity('i4'))).toBe(5);
    game.run();
    expect(game.quantity(game.entity('i4'))).toBe(10);
  },
  giveNewItemWithQuantityToUnit: () => {
    const forms: readonly [action: Json, quantity: number][] = [
      [{ number: 7, unit }, 7],
      [{ number: '2', unit }, 2],
      [{ number: 99, unit }, 99],
      [{ number: -1, unit }, endless],
      [{ number: nothing, unit }, endless],
      [{ number: null, unit }, endless],
      [{ quantity: 4, entity: unit }, 4],
    ];
    for (const [form, quantity] of forms) {
      const game = scene({ type: 'giveNewItemWithQuantityToUnit', itemType: 'thing', ...form });
      game.run();
      expect(game.slots(game.me)).toBe('i1 i2 i4');
      expect(game.quantity(game.entity('i4'))).toBe(quantity);
    }
  },
  makeUnitPickupItem: () => {
    const game = scene({ type: 'makeUnitPickupItem', unit, item });
    game.run(game.lying);
    expect(game.slots(game.me)).toBe('i1 i2 i3');
    // An item carried by another unit cannot be taken, and that is not a fault.
    game.run(game.first);
    expect(game.slots(game.me)).toBe('i1 i2 i3');
    expect(skipped(game)).toEqual([]);
  },
  makeUnitPickupItemAtSlot: () => {
    const game = scene({ type: 'makeUnitPickupItemAtSlot', unit, item, slotIndex: 3 }, ['thing']);
    game.run(game.lying);
    expect(game.slots(game.me)).toBe('i1 . i2');
    const taken = scene({ type: 'makeUnitPickupItemAtSlot', unit, item, slotIndex: 1 });
    taken.run(taken.lying);
    expect(taken.slots(taken.me)).toBe('i1 i2 .');
    expect(skipped(taken)).toEqual(['inventory-refused']);
  },
  dropItem: () => {
    const game = scene({ type: 'dropItem', entity: unit });
    game.run();
    expect(game.slots(game.me)).toBe('. i2 .');
  },
  dropItemInInventorySlot: () => {
    const game = scene({ type: 'dropItemInInventorySlot', unit, slotIndex: 2 });
    game.run();
    expect(game.slots(game.me)).toBe('i1 . .');
    const cursed = scene({ type: 'dropItemInInventorySlot', unit, slotIndex: 1 }, ['curse']);
    cursed.run();
    expect(cursed.slots(cursed.me)).toBe('i1 . .');
  },
  dropItemAtPosition: () => {
    const game = scene({ type: 'dropItemAtPosition', item, position: { x: 50, y: 60 } });
    game.run();
    expect(game.slots(game.me)).toBe('. i2 .');
    expect(game.world.components.transform.x[rowOf(game.first)]).toBe(50);
    game.run(game.lying);
    expect(game.world.components.transform.x[rowOf(game.lying)]).toBe(300);
    const beside = scene({ type: 'dropItemAtPosition', item });
    beside.run();
    expect(beside.world.components.transform.y[rowOf(beside.first)]).toBe(620);
  },
  dropAllItems: () => {
    const game = scene({ type: 'dropAllItems', entity: unit }, ['thing', 'curse', 'thing']);
    game.run();
    expect(game.slots(game.me)).toBe('. i2 .');
    // Their bodies push each other apart.
    game.ticks(3);
    const { physics } = game.game;
    expect(Math.abs(physics.velocityX(game.first)) + Math.abs(physics.velocityY(game.first))).toBeGreaterThan(0);
  },
  startUsingItem: () => {
    const game = scene({ type: 'startUsingItem', entity: item });
    game.run();
    expect(game.world.components.itemUse.beingUsed[rowOf(game.first)]).toBe(1);
    expect(game.of('thisItemStartsBeingUsed').length).toBe(1);
  },
  stopUsingItem: () => {
    const game = scene({ type: 'stopUsingItem', entity: item });
    game.world.components.itemUse.beingUsed[rowOf(game.first)] = 1;
    game.run();
    expect(game.world.components.itemUse.beingUsed[rowOf(game.first)]).toBe(0);
    expect(game.of('unitStopsUsingAnItem').length).toBe(1);
  },
  useItemOnce: () => {
    const game = scene({ type: 'useItemOnce', item });
    game.run();
    expect(game.of('unitUsesItem').length).toBe(0);
    game.ticks(2);
    expect(game.of('unitUsesItem').length).toBe(1);
  },
  updateItemQuantity: () => {
    for (const [quantity, then] of [
      [7, 7],
      [99, 99],
      ['4', 4],
      [null, endless],
      [nothing, endless],
    ]) {
      const game = scene({ type: 'updateItemQuantity', entity: item, quantity });
      game.run();
      expect(game.quantity(game.first)).toBe(then);
    }
    const bread = scene({ type: 'updateItemQuantity', entity: item, quantity: 0 }, ['bread']);
    bread.run();
    expect(bread.world.exists(bread.first)).toBe(false);
    const thing = scene({ type: 'updateItemQuantity', entity: item, quantity: 0 });
    thing.run();
    expect(thing.world.exists(thing.first)).toBe(true);
  },
  setItemAmmo: () => {
    const game = scene({ type: 'setItemAmmo', item, ammo: 8, entity: unit }, ['gun']);
    game.run();
    expect(game.quantity(game.first)).toBe(9);
    // The unit keeps what it holds.
    expect(game.slots(game.me)).toBe('i1 . .');
    const thing = scene({ type: 'setItemAmmo', item, ammo: 8 });
    thing.run();
    expect(thing.quantity(thing.first)).toBe(3);
  },
  setItemFireRate: () => {
    const game = scene({ type: 'setItemFireRate', item, number: 400 });
    game.run();
    expect(game.world.components.itemUse.fireRateMs[rowOf(game.first)]).toBe(400);
    expect(game.world.components.itemUse.fireRateMs[rowOf(game.second)]).toBe(0);
  },
  setItemName: () => {
    const game = scene({ type: 'setItemName', item, name: 'Excalibur' });
    game.run();
    expect(game.world.components.name[rowOf(game.first)]).toBe('Excalibur');
  },
  changeDescriptionOfItem: () => {
    const game = scene({ type: 'changeDescriptionOfItem', item, string: 'sharp' });
    game.run();
    expect(itemDescription(game.world, game.first)).toBe('sharp');
    const empty = scene({ type: 'changeDescriptionOfItem', item, string: '' });
    setItemText(empty.game, empty.first, 'description', 'blunt');
    empty.run();
    expect(itemDescription(empty.world, empty.first)).toBe('blunt');
  },
  changeInventorySlotColor: () => {
    const game = scene({ type: 'changeInventorySlotColor', item, string: 'red' });
    game.run();
    expect(game.world.components.shownTexts[rowOf(game.first)]!.slotColor).toBe('red');
  },
  changeItemInventoryImage: () => {
    const game = scene({ type: 'changeItemInventoryImage', item, url: 'sword.png' });
    game.run();
    expect(game.world.components.shownTexts[rowOf(game.first)]!.inventoryImage).toBe('sword.png');
  },
  enableRotateToFaceMouseCursor: () => {
    const game = scene({ type: 'enableRotateToFaceMouseCursor', item });
    game.run();
    expect(game.world.components.hold.aims[rowOf(game.first)]).toBe(1);
  },
  disableRotateToFaceMouseCursor: () => {
    const game = scene({ type: 'disableRotateToFaceMouseCursor', item });
    game.world.components.hold.aims[rowOf(game.first)] = 1;
    game.run();
    expect(game.world.components.hold.aims[rowOf(game.first)]).toBe(0);
  },
  refillAmmo: () => {
    const game = scene({ type: 'refillAmmo', entity: item }, ['thing']);
    const row = rowOf(game.first);
    const { quantity, maxQuantity } = game.world.components.stack;
    maxQuantity[row] = 30;
    quantity[row] = 4;
    game.run();
    expect(quantity[row]).toBe(30);
    maxQuantity[row] = Number.POSITIVE_INFINITY;
    game.run();
    expect(quantity[row]).toBe(30);
  },

  createProjectileAtPosition: () => {
    const quarter = Math.PI / 2;
    const towards = { function: 'angleBetweenPositions', positionA: { x: 0, y: 0 }, positionB: { x: 10, y: 0 } };
    const wrapped = { function: 'calculate', items: [{ operator: '+' }, 0, towards] };
    // B is to the right of A: a quarter turn. If the function is the operand itself, the action adds another quarter turn.
    const angles: readonly [angle: unknown, facing: number][] = [
      [quarter, quarter],
      ['0', 0],
      [towards, 2 * quarter],
      [wrapped, quarter],
    ];
    for (const [angle, facing] of angles) {
      const game = scene({
        type: 'createProjectileAtPosition',
        projectileType: 'bullet',
        position: { x: 50, y: 60 },
        force: 4,
        angle,
        unit,
      });
      game.run();
      const bullet = game.entity('b2');
      expect(game.world.components.transform.angle[rowOf(bullet)]).toBeCloseTo(facing, 9);
      expect(game.world.components.identity.owner[rowOf(bullet)]).toBe(game.me);
      expect(game.world.components.projectile[rowOf(bullet)]!.damage).toBeUndefined();
      expect(game.world.memory.last.createdProjectile).toBe(bullet);
      game.ticks(2);
      expect(game.game.physics.velocityX(bullet)).toBeCloseTo(4 * Math.sin(facing), 6);
      expect(game.game.physics.velocityY(bullet)).toBeCloseTo(-4 * Math.cos(facing), 6);
    }
    const unknown = scene({
      type: 'createProjectileAtPosition',
      projectileType: 'arrow',
      position: { x: 50, y: 60 },
      force: 4,
      angle: 0,
    });
    unknown.run();
    expect(unknown.faults().map(({ code }) => code)).toEqual(['no-such-type']);
  },
  setOwnerUnitOfProjectile: () => {
    const game = scene({ type: 'setOwnerUnitOfProjectile', projectile, unit });
    game.run();
    expect(game.world.components.identity.owner[rowOf(game.bullet)]).toBe(game.me);
  },
  setSourceItemOfProjectile: () => {
    const game = scene({ type: 'setSourceItemOfProjectile', projectile, item });
    game.run();
    expect(game.world.components.projectile[rowOf(game.bullet)]!.sourceItem).toBe(game.first);
  },
};

const operations = { ...itemActions, ...projectileActions };

test('every action about items and projectiles has a case', () => {
  expect(Object.keys(operations).filter((type) => cases[type] === undefined)).toEqual([]);
  expect(Object.keys(cases).filter((type) => operations[type] === undefined)).toEqual([]);
});

describe('actions about items and projectiles', () => {
  test.each(Object.entries(cases))('%s', (_type, play) => play());
});

describe('what cannot be done is said', () => {
  const faults: readonly [action: Json, code: string][] = [
    [{ type: 'spawnItem', itemType: 'nothing', position: { x: 1, y: 1 } }, 'no-such-type'],
    [{ type: 'spawnItem', itemType: 'thing', position: nothing }, 'missing-value'],
    [{ type: 'giveNewItemToUnit', itemType: 'nothing', unit }, 'no-such-type'],
    [{ type: 'giveNewItemToUnit', itemType: 'thing', unit: nothing }, 'nothing-to-act-on'],
    [{ type: 'dropItem', entity: item }, 'nothing-to-act-on'],
    [{ type: 'startUsingItem', entity: unit }, 'nothing-to-act-on'],
    [{ type: 'updateItemQuantity', entity: nothing, quantity: 1 }, 'nothing-to-act-on'],
  ];
  test.each(faults)('%j: %s', (action, code) => {
    const game = scene(action);
    game.run();
    expect([...game.faults().map((fault) => fault.code), ...skipped(game)]).toEqual([code]);
    expect(game.slots(game.me)).toBe('i1 i2 .');
  });

  test('a unit without room is given nothing', () => {
    const game = scene({ type: 'giveNewItemToUnit', itemType: 'thing', unit }, ['thing', 'thing', 'thing']);
    game.run();
    expect(skipped(game)).toEqual(['inventory-refused']);
    expect(game.world.lists[2]!.entries.length).toBe(4);
  });
});
