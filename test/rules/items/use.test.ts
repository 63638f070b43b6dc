import { describe, expect, test } from 'vitest';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { dropSlot } from '../../../engine/rules/items/inventory.ts';
import { pickUpItem } from '../../../engine/rules/items/pick-up.ts';
import { startUsing, stopUsing, useOnce } from '../../../engine/rules/items/use.ts';
import { setQuantity } from '../../../engine/rules/items/use-attempt.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { setVariable } from '../../support/actions.ts';
import { attribute, body, itemType, type Play, play, projectileType, script, unitType } from '../../support/play.ts';

type Json = Record<string, unknown>;

/** A unit that has stood for half a second with an item in its hand. */
function armed(more: Json = {}, data: Json = {}): { game: Play; unit: number; item: number } {
  const game = play({ itemTypes: { thing: itemType(more) }, ...data });
  const unit = game.unit();
  const item = game.give(unit, 'thing');
  game.seconds(0.5);
  return { game, unit, item };
}

/** Ticks from the start of the use at which the item was used. */
function uses(game: Play, from: number): number[] {
  return game.of('itemIsUsed').map(({ tick }) => tick - from);
}

describe('using an item', () => {
  const cadences: readonly [fireRate: number, everyTicks: number][] = [
    [0, 1],
    [49, 1],
    // The time since the last use must exceed the rate: at 20 ticks per second, 50 ms means every second tick.
    [50, 2],
    [100, 3],
    [130, 3],
    [200, 5],
    [333, 7],
  ];
  test.each(cadences)('with a fire rate of %d ms repeats every %d ticks', (fireRate, every) => {
    const { game, item } = armed({ fireRate });
    const from = game.world.clock.tick;
    startUsing(game.game, item);
    game.ticks(22);
    expect(uses(game, from)).toEqual(Array.from({ length: Math.ceil(22 / every) }, (_, i) => 1 + i * every));
  });

  test('without a fire rate works for consumables only', () => {
    const plain = armed({ fireRate: undefined });
    startUsing(plain.game.game, plain.item);
    plain.game.ticks(3);
    expect(plain.game.of('itemIsUsed').length).toBe(0);
    const bread = armed({ fireRate: undefined, type: 'consumable' });
    startUsing(bread.game.game, bread.item);
    bread.game.ticks(3);
    expect(bread.game.of('itemIsUsed').length).toBe(1);
  });

  test.each([0, 1, 2, 3, 4, 5])('counts a click within one tick as a use, %d ticks after scripts ran', (after) => {
    // Its scripts run in one of three ticks.
    const rates = { frameRate: 60, engineTickRate: 20 };
    const game = play({ defaultData: rates, itemTypes: { thing: itemType({ fireRate: 0 }) } }, { dialect: 'moddio' });
    const item = game.give(game.unit(), 'thing');
    game.ticks(30 + after);
    startUsing(game.game, item);
    stopUsing(game.game, item);
    game.ticks(6);
    expect(game.of('itemIsUsed').length).toBe(1);
    useOnce(game.game, item);
    game.ticks(6);
    expect(game.of('itemIsUsed').length).toBe(2);
  });

  test('fires start and stop once each, to item, unit and world', () => {
    const { game, item } = armed();
    const from = game.announced.length;
    startUsing(game.game, item);
    startUsing(game.game, item);
    stopUsing(game.game, item);
    stopUsing(game.game, item);
    expect(game.announced.slice(from).map(({ entity, type }) => `${entity ?? 'world'} ${type}`)).toEqual([
      'i1 thisItemStartsBeingUsed',
      'u1 thisUnitStartsUsingAnItem',
      'world unitStartsUsingAnItem',
      'i1 thisItemStopsBeingUsed',
      'u1 thisUnitStopsUsingAnItem',
      'world unitStopsUsingAnItem',
    ]);
    // A click shorter than a tick still counts as one use.
    game.ticks(3);
    expect(game.of('itemIsUsed').length).toBe(1);
  });

  test('once is tried once, even if the item is not ready', () => {
    const { game, item } = armed({ fireRate: 200 });
    useOnce(game.game, item);
    game.ticks(1);
    useOnce(game.game, item);
    game.ticks(10);
    expect(game.of('itemIsUsed').length).toBe(1);
    expect(game.of('thisItemStartsBeingUsed').length).toBe(0);
  });
});

describe('a use', () => {
  test('fires for item, unit and world before its effect', () => {
    const { game, item } = armed(
      { type: 'consumable', bonus: { consume: { unitAttribute: { health: 5 } } } },
      {
        unitTypes: { unit: unitType({ attributes: { health: attribute(50) } }) },
        variables: { before: { dataType: 'number' } },
        scripts: {
          s: script('unitUsesItem', [
            setVariable('before', {
              function: 'getEntityAttribute',
              attribute: 'health',
              entity: { function: 'getTriggeringUnit' },
            }),
          ]),
        },
      },
    );
    useOnce(game.game, item);
    const from = game.announced.length;
    game.ticks(1);
    expect(
      game.announced
        .slice(from)
        .map(({ entity, type }) => `${entity ?? 'world'} ${type}`)
        .filter((line) => line.includes('Use')),
    ).toEqual(['i1 itemIsUsed', 'u1 thisUnitUsesItem', 'world unitUsesItem']);
    expect([game.variable('before'), game.attribute('u1', 'health')]).toEqual([50, 55]);
  });

  const refused: readonly [about: string, item: Json, data?: Json][] = [
    ['a use of an unusable item', { type: 'unusable' }],
    ['a use by a unit that may not use the item', { canBeUsedBy: ['other'] }],
    ['a use that costs more than the unit has', { cost: { unitAttributes: { health: 101 } } }],
    ['a use that costs an attribute that the unit lacks', { cost: { unitAttributes: { luck: 1 } } }],
    ['a use that costs an attribute that the player lacks', { cost: { playerAttributes: { gold: 1 } } }],
    ['a use that costs more than the quantity', { quantity: 2, cost: { quantity: 3 } }],
    ['a use of an empty item', { quantity: 0 }],
  ];
  test.each(refused)('%s is refused', (_about, more, data) => {
    const { game, item } = armed(more, data);
    startUsing(game.game, item);
    game.ticks(3);
    expect(game.of('itemIsUsed').length).toBe(0);
  });

  const allowed: readonly [about: string, item: Json, quantity: number][] = [
    ['of an endless item', {}, Number.POSITIVE_INFINITY],
    ['takes a quantity of 1 by default', { quantity: 5 }, 4],
    ['takes the quantity that it costs', { quantity: 5, cost: { quantity: 3 } }, 2],
    ['may cost no quantity', { quantity: 5, cost: { quantity: 0 } }, 5],
    ['of a consumable takes at least 1', { quantity: 5, type: 'consumable', cost: { quantity: 0 } }, 4],
    ['by a unit that may use the item', { canBeUsedBy: ['unit'] }, Number.POSITIVE_INFINITY],
    ['of an empty item, if it costs no quantity', { quantity: 0, cost: { quantity: 0 } }, 0],
  ];
  test.each(allowed)('%s', (_about, more, quantity) => {
    const { game, item } = armed(more);
    useOnce(game.game, item);
    game.ticks(1);
    expect(game.of('itemIsUsed').length).toBe(1);
    expect(game.quantity(item)).toBe(quantity);
  });

  test('takes its cost from attributes of the unit', () => {
    const { game, item } = armed({ cost: { unitAttributes: { health: 30 } } });
    startUsing(game.game, item);
    game.ticks(5);
    expect(game.attribute('u1', 'health')).toBe(10);
    expect(game.of('itemIsUsed').length).toBe(3);
  });

  test('ends when the quantity is used up', () => {
    const { game, item } = armed({ quantity: 2 });
    startUsing(game.game, item);
    game.ticks(4);
    expect(game.of('itemIsUsed').length).toBe(2);
    expect(game.of('ThisItemsQuantityBecomesZero').length).toBe(1);
    expect(game.of('thisItemStopsBeingUsed').length).toBe(1);
    expect(game.world.exists(item)).toBe(true);
  });

  test('of the last one removes the item if its type says so, and its scripts still know the owner', () => {
    const { game, item, unit } = armed(
      {
        quantity: 1,
        removeWhenEmpty: true,
        scripts: {
          s: script('ThisItemsQuantityBecomesZero', [
            setVariable('owner', { function: 'getOwnerOfItem', entity: { function: 'thisEntity' } }),
          ]),
        },
      },
      { variables: { owner: { dataType: 'unit' } } },
    );
    useOnce(game.game, item);
    game.ticks(1);
    expect(game.variable('owner')).toBe('@u1');
    expect(game.world.exists(item)).toBe(false);
    expect(game.slots(unit)).toBe('. . .');
  });

  test('by nobody has no effect', () => {
    const game = play({ itemTypes: { thing: itemType() } });
    const item = game.item('thing');
    startUsing(game.game, item);
    game.ticks(3);
    expect(game.of('itemIsUsed').length).toBe(0);
    expect(game.world.components.itemUse.beingUsed[rowOf(item)]).toBe(1);
  });

  test('sets the last used item even if the item is not ready', () => {
    const { game, item } = armed({ fireRate: 10_000 });
    useOnce(game.game, item);
    game.ticks(1);
    game.world.memory.last.usedItem = 0;
    useOnce(game.game, item);
    game.ticks(1);
    expect(game.of('itemIsUsed').length).toBe(1);
    expect(game.world.memory.last.usedItem).toBe(item);
  });

  test('publishes its effect, but does not run the script of the effect', () => {
    const game = play({
      variables: { ran: { dataType: 'boolean', default: false } },
      itemTypes: {
        thing: itemType({
          effects: { use: { runScript: 's' } },
          scripts: { s: script([], [setVariable('ran', true)]) },
        }),
      },
    });
    const shown: unknown[] = [];
    game.sim.on('output', (event) => shown.push(event));
    const item = game.give(game.unit(), 'thing');
    useOnce(game.game, item);
    game.ticks(1);
    expect(shown).toContainEqual(expect.objectContaining({ kind: 'effect', entityId: 'i1', effect: 'use' }));
    expect(game.variable('ran')).toBe(false);
  });

  const partings: readonly [about: string, action: Json][] = [
    ['destroys the item', { type: 'destroyEntity', entity: { function: 'thisEntity' } }],
    [
      'drops the item',
      { type: 'dropItem', entity: { function: 'getOwnerOfItem', entity: { function: 'thisEntity' } } },
    ],
  ];
  test.each(partings)('has its effect even if its trigger %s', (_about, action) => {
    const { game, unit, item } = armed({
      type: 'consumable',
      quantity: 2,
      bonus: { consume: { unitAttribute: { health: -10 } } },
      scripts: { s: script('itemIsUsed', [action]) },
    });
    useOnce(game.game, item);
    game.ticks(1);
    expect(game.attribute('u1', 'health')).toBe(90);
    expect(game.slots(unit)).toBe('. . .');
    if (game.world.exists(item)) expect(game.quantity(item)).toBe(1);
    game.ticks(5);
    expect(game.attribute('u1', 'health')).toBe(90);
  });

  test.each(partings)('of a gun fires even if its trigger %s', (_about, action) => {
    const gun = {
      type: 'weapon',
      isGun: true,
      projectileType: 'ball',
      bulletForce: 3,
      bulletStartPosition: { x: 0, y: 30 },
    };
    const { game, item } = armed(
      {
        ...gun,
        recoilForce: 1,
        damage: { unitAttributes: { health: 5 } },
        scripts: { s: script('itemIsUsed', [action]) },
      },
      {
        projectileTypes: {
          ball: projectileType({ bodies: { default: body({ width: 10, height: 10, collidesWith: {} }) } }),
        },
      },
    );
    useOnce(game.game, item);
    game.ticks(1);
    const ball = game.entity('b1');
    expect(game.world.components.identity.owner[rowOf(ball)]).toBe(game.entity('u1'));
    expect(game.world.components.transform.y[rowOf(ball)]).toBe(640 - 20 - 30);
    expect(game.world.components.projectile[rowOf(ball)]!.damage?.sourceItem).toBe(item);
    game.ticks(3);
    expect(game.faults()).toEqual([]);
  });

  test('has no effect if its trigger destroys the unit', () => {
    const { game, item } = armed({
      type: 'weapon',
      damage: { unitAttributes: { health: 10 } },
      damageHitBox: { width: 500, offsetX: 0, offsetY: 0 },
      scripts: {
        s: script('itemIsUsed', [
          { type: 'destroyEntity', entity: { function: 'getOwnerOfItem', entity: { function: 'thisEntity' } } },
        ]),
      },
    });
    game.unit({ owner: game.player(2, 'foe') });
    useOnce(game.game, item);
    game.ticks(1);
    expect(game.of('itemIsUsed').length).toBe(1);
    expect(game.of('unitAttacksUnit').length).toBe(0);
    expect(game.world.exists(item)).toBe(false);
  });
});

describe('a consumable', () => {
  const human = { name: 'human', attributes: { gold: attribute(4, { max: 5 }) } };
  const bread = {
    type: 'consumable',
    bonus: { consume: { unitAttribute: { health: -15, luck: 4 }, playerAttribute: { gold: 2 }, coin: 7 } },
  };

  test('changes attributes of unit and player within bounds, and skips those that they lack', () => {
    const { game, item } = armed(bread, { playerTypes: { human } });
    useOnce(game.game, item);
    game.ticks(1);
    expect([game.attribute('u1', 'health'), game.attribute('c1', 'gold')]).toEqual([85, 5]);
    expect(game.world.components.wallet[rowOf(game.player(1))]!.coins).toBe(7);
  });

  test('is consumed once per key press', () => {
    const { game, item } = armed(bread, { playerTypes: { human } });
    startUsing(game.game, item);
    game.ticks(5);
    expect(game.attribute('u1', 'health')).toBe(85);
    expect(game.world.components.itemUse.beingUsed[rowOf(item)]).toBe(0);
  });
});

describe('an item with `isUsedOnPickup`', () => {
  const coin = {
    type: 'consumable',
    isUsedOnPickup: true,
    quantity: 1,
    removeWhenEmpty: true,
    bonus: { consume: { unitAttribute: { health: -1 } } },
  };

  test('is used at once and needs no slot', () => {
    const game = play({ itemTypes: { thing: itemType(coin) } });
    const unit = game.unit();
    const item = game.item('thing');
    game.ticks(1);
    expect(pickUpItem(game.game, unit, item)).toBe(true);
    expect(game.attribute('u1', 'health')).toBe(99);
    expect(game.world.exists(item)).toBe(false);
    expect(game.of('unitPicksUpItem').length).toBe(0);
  });

  test('becomes the last created item after the scripts of the use', () => {
    const game = play({ itemTypes: { thing: itemType({ ...coin, removeWhenEmpty: false }), other: itemType() } });
    const unit = game.unit();
    const item = game.item('thing');
    const other = game.item('other');
    const seen: unknown[] = [];
    game.sim.observe((type) => {
      if (type === 'unitUsesItem') seen.push(game.world.memory.last.createdItem);
    });
    pickUpItem(game.game, unit, item);
    expect([...seen, game.world.memory.last.createdItem]).toEqual([other, item]);
  });

  test('may be declared by `isConsumedImmediately` of its bonus, in standard only', () => {
    const { isUsedOnPickup: _, bonus, ...rest } = coin;
    const thing = itemType({ ...rest, bonus: { ...bonus, isConsumedImmediately: true } });
    for (const [dialect, slots] of [
      ['standard', '. . .'],
      ['moddio', 'i1 . .'],
    ] as const) {
      const game = play({ itemTypes: { thing } }, { dialect });
      const unit = game.unit();
      expect(pickUpItem(game.game, unit, game.item('thing'))).toBe(true);
      expect([game.slots(unit), game.attribute('u1', 'health')]).toEqual([slots, dialect === 'standard' ? 99 : 100]);
    }
  });

  test('stays with the unit that used it, if it is not removed when empty', () => {
    const game = play({ itemTypes: { thing: itemType({ ...coin, removeWhenEmpty: false }) } });
    const unit = game.unit();
    const item = game.give(unit, 'thing');
    expect(game.slots(unit)).toBe('. . .');
    expect([game.world.exists(item), game.quantity(item)]).toEqual([true, 0]);
    const other = game.unit({ x: 100 });
    expect(pickUpItem(game.game, other, item)).toBe(false);
    // Until that one is destroyed.
    destroyEntity(game.game, unit);
    expect(pickUpItem(game.game, other, item)).toBe(true);
  });

  test('goes into a slot of a unit that may not use it', () => {
    const game = play({ itemTypes: { thing: itemType({ ...coin, canBeUsedBy: ['other'] }) } });
    const unit = game.unit();
    game.give(unit, 'thing');
    expect(game.slots(unit)).toBe('i1 . .');
  });
});

describe('a delay before the effect', () => {
  const bread = {
    type: 'consumable',
    delayBeforeUse: 120,
    quantity: 2,
    removeWhenEmpty: true,
    bonus: { consume: { unitAttribute: { health: -10 } } },
  };

  test('fires the triggers of the use at once, and applies effect and cost when it has passed', () => {
    const { game, item } = armed(bread);
    useOnce(game.game, item);
    game.ticks(1);
    expect(game.of('itemIsUsed').length).toBe(1);
    game.ticks(2);
    expect([game.attribute('u1', 'health'), game.quantity(item)]).toEqual([100, 2]);
    game.ticks(1);
    expect([game.attribute('u1', 'health'), game.quantity(item)]).toEqual([90, 1]);
  });

  test('cancels the effect of an item that was dropped meanwhile', () => {
    const { game, item, unit } = armed(bread);
    useOnce(game.game, item);
    game.ticks(1);
    dropSlot(game.game, unit, 0);
    pickUpItem(game.game, unit, item);
    game.ticks(10);
    expect(game.attribute('u1', 'health')).toBe(100);
  });

  test('has no more effects than there is quantity', () => {
    const { game, item } = armed(bread);
    for (let i = 0; i < 3; i++) {
      useOnce(game.game, item);
      game.ticks(1);
    }
    game.ticks(10);
    expect(game.of('itemIsUsed').length).toBe(3);
    expect(game.attribute('u1', 'health')).toBe(80);
    expect(game.world.exists(item)).toBe(false);
  });
});

test('setting the quantity to 0 removes an item with `removeWhenEmpty`, without a trigger', () => {
  const game = play({ itemTypes: { thing: itemType({ quantity: 3, removeWhenEmpty: true }) } });
  const item = game.give(game.unit(), 'thing');
  setQuantity(game.game, item, -1);
  expect(game.world.exists(item)).toBe(true);
  setQuantity(game.game, item, 0);
  expect(game.world.exists(item)).toBe(false);
  expect(game.of('ThisItemsQuantityBecomesZero').length).toBe(0);
});

test('an item in use is destroyed with its unit', () => {
  const { game, unit, item } = armed();
  startUsing(game.game, item);
  destroyEntity(game.game, unit);
  game.ticks(3);
  expect(game.of('itemIsUsed').length).toBe(0);
});
