import { describe, expect, test } from 'vitest';
import { destroyEntity } from '../../../engine/rules/entities/destroy.ts';
import { dropItem, dropSlot, selectSlot, swapSlots } from '../../../engine/rules/items/inventory.ts';
import { giveItem, hasRoomFor, pickUpItem } from '../../../engine/rules/items/pick-up.ts';
import { changeUnitType } from '../../../engine/rules/lifecycle/unit-type.ts';
import { rowOf } from '../../../engine/world/entity.ts';
import { setVariable } from '../../support/actions.ts';
import { attribute, itemType, type Play, play, script, unitType } from '../../support/play.ts';

const roomy = { inventorySize: 2, backpackSize: 2 };

/** The triggers fired since some point, as words: scope or entity, then type. */
function said(game: Play, from: number): string[] {
  return game.announced.slice(from).map(({ entity, type }) => `${entity ?? 'world'} ${type}`);
}

describe('a new item goes to', () => {
  const needs = (attribute: string, type: string, value: number) => ({
    equipRequirement: { unitAttributes: { [attribute]: { type, value } } },
  });
  const cases: readonly [about: string, controls: Record<string, unknown>, before: number, slots: string][] = [
    ['the first empty slot of the inventory', {}, 0, 'i1 . . .'],
    ['the next empty slot', {}, 1, 'f1 i2 . .'],
    ['the backpack when the inventory is full', {}, 2, 'f1 f2 i3 .'],
    ['nowhere when everything is full', {}, 4, 'f1 f2 f3 f4'],
    ['its permitted slot', { permittedInventorySlots: [2] }, 0, '. i1 . .'],
    ['its permitted slots in their order', { permittedInventorySlots: [4, 1] }, 0, '. . . i1'],
    ['the backpack when its permitted slot is taken', { permittedInventorySlots: [1] }, 1, 'f1 . i2 .'],
    [
      'nowhere if its only permitted slot is taken',
      { permittedInventorySlots: [1], backpackAllowed: false },
      1,
      'f1 . . .',
    ],
    [
      'the backpack if its type names the backpack first',
      { permittedInventorySlots: ['backpack-slots', 1] },
      0,
      '. . i1 .',
    ],
    ['never a slot that does not exist', { permittedInventorySlots: [0, 9, 2] }, 0, '. i1 . .'],
    ['not the backpack if its type forbids it', { backpackAllowed: false }, 2, 'f1 f2 . .'],
    [
      'the backpack if the unit does not meet the requirement of the hand',
      needs('speed', 'atleast', 11),
      0,
      '. . i1 .',
    ],
    ['the hand if the unit meets the requirement', needs('speed', 'atmost', 10), 0, 'i1 . . .'],
    ['the hand if the requirement names an attribute that the unit lacks', needs('mana', 'exactly', 3), 0, 'i1 . . .'],
    ['its designated slot', { designatedInventorySlot: 2 }, 0, '. i1 . .'],
    ['another slot when the designated one is taken', { designatedInventorySlot: 1 }, 1, 'f1 i2 . .'],
    ['another slot when the designated one does not exist', { designatedInventorySlot: 9 }, 0, 'i1 . . .'],
    [
      'a permitted slot rather than a designated one',
      { designatedInventorySlot: 1, permittedInventorySlots: [2] },
      0,
      '. i1 . .',
    ],
    [
      'not a designated slot in a forbidden backpack',
      { designatedInventorySlot: 3, backpackAllowed: false },
      0,
      'i1 . . .',
    ],
  ];

  test.each(cases)('%s', (_about, controls, filled, expected) => {
    const game = play({
      unitTypes: { unit: unitType(roomy) },
      itemTypes: { filler: itemType({ controls: { canMerge: false } }), thing: itemType({ controls }) },
    });
    const unit = game.unit();
    for (let i = 0; i < filled; i++) game.give(unit, 'filler');
    const given = giveItem(game.game, unit, { type: game.world.types.item.get('thing')! });
    const slots = expected.replaceAll('f', 'i');
    expect(game.slots(unit)).toBe(slots);
    expect(given).toBe(slots.includes(`i${filled + 1}`));
    // An item for which there is no slot is not created.
    expect(game.world.lists[2]!.entries.length).toBe(given ? filled + 1 : filled);
  });

  test.each([
    ['nowhere if the unit may not carry it', ['other'], '. . .'],
    ['the first slot if the unit may carry it', ['unit'], 'i1 . .'],
  ])('%s', (_about, carriedBy, slots) => {
    const game = play({ itemTypes: { thing: itemType({ carriedBy }) } });
    const unit = game.unit();
    game.give(unit, 'thing');
    expect(game.slots(unit)).toBe(slots);
  });

  test('a requested slot that is taken refuses the item', () => {
    const game = play({
      unitTypes: { unit: unitType(roomy) },
      itemTypes: { thing: itemType({ controls: { canMerge: false } }) },
    });
    const unit = game.unit();
    game.give(unit, 'thing');
    const other = game.item('thing');
    expect(pickUpItem(game.game, unit, other, 0)).toBe(false);
    expect(game.slots(unit)).toBe('i1 . . .');
    expect(pickUpItem(game.game, unit, other, 3)).toBe(true);
    expect(game.slots(unit)).toBe('i1 . . i2');
  });

  test('a carried item cannot be picked up by another unit', () => {
    const game = play({ itemTypes: { thing: itemType() } });
    const item = game.give(game.unit(), 'thing');
    const thief = game.unit({ x: 100 });
    expect(pickUpItem(game.game, thief, item)).toBe(false);
    expect(game.slots(thief)).toBe('. . .');
  });
});

describe('stacks', () => {
  const stack = (more: Record<string, unknown> = {}) => itemType({ quantity: 3, maxQuantity: 10, ...more });
  const never = Number.POSITIVE_INFINITY;

  const cases: readonly [about: string, has: readonly number[], given: number, then: readonly number[]][] = [
    ['a stack fills up', [4], 6, [10]],
    ['the excess goes to a new slot', [4], 8, [10, 2]],
    ['two stacks are filled one after the other', [8, 5], 6, [10, 9]],
    ['an excess without a slot is refused, and the rest stays', [8, 5, 10], 8, [10, 10, 10]],
    ['an endless stack absorbs a finite one', [never], 6, [never]],
    ['a finite stack does not absorb an endless one', [4], never, [4, never]],
    ['two endless stacks stay separate', [never], never, [never, never]],
    ['a quantity of 0 joins a stack', [4], 0, [4]],
    ['a quantity of 0 without a stack is an empty item', [], 0, [0]],
    ['a full stack accepts nothing', [10], 1, [10, 1]],
    ['a stack above its maximum loses nothing', [14], 1, [14, 1]],
  ];

  test.each(cases)('%s', (_about, has, given, then) => {
    const game = play({ itemTypes: { thing: stack() } });
    const unit = game.unit();
    const items = has.map((quantity, slot) => {
      const item = game.item('thing', { quantity });
      // Directly into its slot, without merging.
      expect(pickUpItem(game.game, unit, item, slot)).toBe(true);
      return item;
    });
    expect(items.length).toBe(has.length);
    giveItem(game.game, unit, { type: game.world.types.item.get('thing')!, quantity: given });
    const carried = game.world.components.inventory[rowOf(unit)]!.slots.filter((item) => item !== 0);
    expect(carried.map(game.quantity)).toEqual(then);
  });

  test('items of a type that cannot merge stay separate', () => {
    const game = play({ itemTypes: { thing: stack({ controls: { canMerge: false } }) } });
    const unit = game.unit();
    game.give(unit, 'thing');
    game.give(unit, 'thing');
    expect(game.slots(unit)).toBe('i1 i2 .');
  });

  test('items merge by default', () => {
    const game = play({ itemTypes: { thing: stack({ controls: {} }) } });
    const unit = game.unit();
    const first = game.give(unit, 'thing');
    game.give(unit, 'thing');
    expect(game.slots(unit)).toBe('i1 . .');
    expect(game.quantity(first)).toBe(6);
  });

  test('picking up a stack takes what fits and leaves the rest', () => {
    const game = play({ unitTypes: { unit: unitType({ inventorySize: 1 }) }, itemTypes: { thing: stack() } });
    const unit = game.unit();
    const carried = game.give(unit, 'thing', 8);
    const lying = game.item('thing', { quantity: 5 });
    const from = game.announced.length;
    expect(pickUpItem(game.game, unit, lying)).toBe(false);
    expect([game.quantity(carried), game.quantity(lying)]).toEqual([10, 3]);
    expect(said(game, from)).toEqual(['i2 thisItemIsPickedUp', 'world unitPicksUpItem']);
  });

  test('scripts of an item that merges see its former quantity', () => {
    const seen = script('thisItemIsPickedUp', [
      setVariable('seen', { function: 'getItemQuantity', item: { function: 'thisEntity' } }),
    ]);
    const game = play({
      variables: { seen: { dataType: 'number', default: 0 } },
      itemTypes: { thing: stack({ scripts: { seen } }) },
    });
    const unit = game.unit();
    game.give(unit, 'thing', 4);
    const lying = game.item('thing', { quantity: 5 });
    expect(pickUpItem(game.game, unit, lying)).toBe(true);
    expect(game.variable('seen')).toBe(5);
    expect(game.world.exists(lying)).toBe(false);
  });

  test("a slot that a purchase frees counts as room only if the new item's type names it", () => {
    const game = play({
      unitTypes: { unit: unitType({ inventorySize: 1 }) },
      itemTypes: {
        thing: stack(),
        ring: stack({ controls: { canMerge: true, permittedInventorySlots: [1] } }),
        coin: stack(),
      },
    });
    const unit = game.unit();
    const thing = game.world.types.item.get('thing')!;
    const coin = game.give(unit, 'coin', 9);
    expect(hasRoomFor(game.game, unit, thing, 1)).toBe(false);
    // A slot that is about to become free counts as free only if the type names it (reference: creation#giving-items,
    // step 3a).
    expect(hasRoomFor(game.game, unit, thing, 1, [coin])).toBe(false);
    const ring = game.world.types.item.get('ring')!;
    expect(hasRoomFor(game.game, unit, ring, 1)).toBe(false);
    expect(hasRoomFor(game.game, unit, ring, 1, [coin])).toBe(true);
    const more = game.world.types.item.get('coin')!;
    expect(hasRoomFor(game.game, unit, more, 1)).toBe(true);
    expect(hasRoomFor(game.game, unit, more, 2)).toBe(false);
  });
});

describe('triggers fire', () => {
  const types = { itemTypes: { thing: itemType({ controls: { canMerge: false } }) } };

  test('when an item is given', () => {
    const game = play(types);
    const unit = game.unit();
    const from = game.announced.length;
    game.give(unit, 'thing');
    expect(said(game, from)).toEqual([
      'i1 entityStateChanged',
      'world entityCreatedGlobal',
      'i1 entityCreated',
      'i1 thisItemChangesInventorySlot',
      'u1 thisUnitMovesItemInInventory',
      'i1 entityStateChanged',
      'i1 thisItemIsPickedUp',
      'u1 thisUnitPicksUpItem',
      'world unitPicksUpItem',
    ]);
    expect(game.of('unitPicksUpItem').at(-1)!.payload).toEqual({ unit: 'u1', item: 'i1' });
  });

  test('when another slot is selected', () => {
    const game = play(types);
    const unit = game.unit();
    game.give(unit, 'thing');
    game.give(unit, 'thing');
    const from = game.announced.length;
    selectSlot(game.game, unit, 1);
    selectSlot(game.game, unit, 1);
    selectSlot(game.game, unit, 2);
    expect(said(game, from)).toEqual([
      'i1 entityStateChanged',
      'i2 entityStateChanged',
      'i2 thisItemIsSelected',
      'u1 thisUnitSelectsItem',
      'world unitSelectsItem',
      'u1 unitSelectsInventorySlot',
      // Selecting the held item does nothing; selecting an empty slot only empties the hand.
      'i2 entityStateChanged',
      'u1 unitSelectsInventorySlot',
    ]);
  });

  test('when an item is dropped, after it has lost its owner', () => {
    const owner = script('thisItemIsDropped', [
      setVariable('owner', { function: 'getOwnerOfItem', entity: { function: 'thisEntity' } }),
    ]);
    const game = play({
      variables: { owner: { dataType: 'unit' } },
      itemTypes: { thing: itemType({ scripts: { owner } }) },
    });
    const unit = game.unit();
    const item = game.give(unit, 'thing');
    const from = game.announced.length;
    expect(dropSlot(game.game, unit, 0)).toBe(true);
    expect(said(game, from)).toEqual([
      'i1 entityStateChanged',
      'i1 thisItemIsDropped',
      'u1 thisUnitDroppedAnItem',
      'world unitDroppedAnItem',
    ]);
    expect(game.variable('owner')).toBeUndefined();
    expect(game.world.components.carried.slot[rowOf(item)]).toBe(-1);
    expect(dropItem(game.game, item)).toBe(false);
  });
});

describe('selecting a slot', () => {
  test('selects its item and unselects all others', () => {
    const game = play({ itemTypes: { thing: itemType({ controls: { canMerge: false } }) } });
    const unit = game.unit();
    const [first, second] = [game.give(unit, 'thing'), game.give(unit, 'thing')];
    expect([game.stateKey(first), game.stateKey(second)]).toEqual(['selected', 'unselected']);
    selectSlot(game.game, unit, 1);
    expect([game.stateKey(first), game.stateKey(second)]).toEqual(['unselected', 'selected']);
    expect(game.world.components.inventory[rowOf(unit)]!.heldItem).toBe(second);
  });

  test('stops the use of the item that was selected', () => {
    const game = play({ itemTypes: { thing: itemType({ controls: { canMerge: false } }) } });
    const unit = game.unit();
    const first = game.give(unit, 'thing');
    game.world.components.itemUse.beingUsed[rowOf(first)] = 1;
    selectSlot(game.game, unit, 1);
    expect(game.world.components.itemUse.beingUsed[rowOf(first)]).toBe(0);
    expect(game.of('thisItemStopsBeingUsed').length).toBe(1);
  });

  test.each([-1, 0.5, 99, Number.NaN])('ignores slot %s', (slot) => {
    const game = play({ itemTypes: { thing: itemType() } });
    const unit = game.unit();
    const item = game.give(unit, 'thing');
    selectSlot(game.game, unit, slot);
    expect(game.world.components.inventory[rowOf(unit)]!.heldItem).toBe(item);
  });

  test('an item without states for hand and bag is carried hidden and without a body', () => {
    const game = play({
      itemTypes: { thing: itemType({ states: { dropped: { name: 'dropped', body: 'dropped' } } }) },
    });
    const item = game.give(game.unit(), 'thing');
    game.ticks(2);
    expect(game.stateKey(item)).toBeUndefined();
    expect(game.world.components.visibility.hidden[rowOf(item)]).toBe(1);
    expect(game.game.physics.hasBody(item)).toBe(false);
  });
});

describe('dropping', () => {
  test('an undroppable item stays', () => {
    const game = play({ itemTypes: { thing: itemType({ controls: { undroppable: true } }) } });
    const unit = game.unit();
    game.give(unit, 'thing');
    expect(dropSlot(game.game, unit, 0)).toBe(false);
    expect(game.slots(unit)).toBe('i1 . .');
  });

  test('a dropped item lies where it was held, or at a given position', () => {
    const game = play({ itemTypes: { thing: itemType({ controls: { canMerge: false } }) } });
    const unit = game.unit();
    const [first, second] = [game.give(unit, 'thing'), game.give(unit, 'thing')];
    game.ticks(1);
    dropSlot(game.game, unit, 0);
    dropSlot(game.game, unit, 1, { x: 100, y: 120 });
    game.ticks(1);
    const { x, y } = game.world.components.transform;
    // The unit is at 640, 640; the anchor is 20 px ahead, which is up.
    expect([x[rowOf(first)], y[rowOf(first)]]).toEqual([640, 620]);
    expect([x[rowOf(second)], y[rowOf(second)]]).toEqual([100, 120]);
    expect(game.game.physics.hasBody(first)).toBe(true);
  });
});

describe('moving items between slots', () => {
  const game = () =>
    play({
      unitTypes: { unit: unitType(roomy) },
      itemTypes: {
        thing: itemType({ controls: { canMerge: false } }),
        hat: itemType({ controls: { canMerge: false, permittedInventorySlots: [1] } }),
        ring: itemType({ controls: { canMerge: false, permittedInventorySlots: [1], backpackAllowed: false } }),
        curse: itemType({ controls: { canMerge: false, undroppable: true } }),
        crown: itemType({
          controls: { canMerge: false, equipRequirement: { unitAttributes: { speed: { type: 'exactly', value: 1 } } } },
        }),
      },
    });

  const cases: readonly [about: string, items: string, from: number, to: number, slots: string, works: boolean][] = [
    ['moves an item to an empty slot', 'thing', 0, 3, '. . . i1', true],
    ['swaps two items', 'thing thing', 0, 1, 'i2 i1 . .', true],
    ['refuses an empty slot', 'thing', 1, 0, 'i1 . . .', false],
    ['refuses a slot that is not permitted', 'hat', 0, 1, 'i1 . . .', false],
    ['allows the backpack, which is permitted', 'hat', 0, 2, '. . i1 .', true],
    ['refuses a forbidden backpack', 'ring', 0, 2, 'i1 . . .', false],
    ['refuses if the other item may not take the slot', 'ring thing', 1, 0, 'i1 i2 . .', false],
    ['allows a trade slot', 'thing', 0, 4, '. . . .', true],
    ['refuses a trade slot for an undroppable item', 'curse', 0, 4, 'i1 . . .', false],
    ['refuses the hand without the requirement', 'crown', 2, 0, '. . i1 .', false],
    ['refuses slots that do not exist', 'thing', 0, 9, 'i1 . . .', false],
    ['refuses fractional slots', 'thing', 0, 0.5, 'i1 . . .', false],
    ['refuses the same slot', 'thing', 0, 0, 'i1 . . .', false],
  ];
  test.each(cases)('%s', (_about, items, from, to, slots, works) => {
    const played = game();
    const unit = played.unit();
    for (const item of items.split(' ')) played.give(unit, item);
    const before = played.announced.length;
    expect(swapSlots(played.game, unit, from, to)).toBe(works);
    expect(played.slots(unit)).toBe(slots);
    // A rejected drag changes nothing.
    if (!works) expect(played.announced.length).toBe(before);
  });

  test('updates the held item', () => {
    const played = game();
    const unit = played.unit();
    const [first, second] = [played.give(unit, 'thing'), played.give(unit, 'thing')];
    swapSlots(played.game, unit, 0, 1);
    expect([played.stateKey(first), played.stateKey(second)]).toEqual(['unselected', 'selected']);
    expect(played.world.components.inventory[rowOf(unit)]!.heldItem).toBe(second);
    swapSlots(played.game, unit, 0, 3);
    expect(played.stateKey(second)).toBe('unselected');
    expect(played.world.components.inventory[rowOf(unit)]!.heldItem).toBe(0);
  });
});

describe('a unit that changes its type', () => {
  const types = {
    unitTypes: {
      unit: unitType({ inventorySize: 3, backpackSize: 1 }),
      dwarf: unitType({ inventorySize: 1, backpackSize: 1, attributes: { health: attribute(100, { max: 100 }) } }),
    },
    itemTypes: {
      thing: itemType({ controls: { canMerge: false } }),
      bow: itemType({ controls: { canMerge: false }, carriedBy: ['unit'] }),
      staff: itemType({ controls: { canMerge: false }, canBeUsedBy: ['unit'] }),
    },
  };

  test('loses what it may not carry, and drops what has no slot any more', () => {
    const game = play(types);
    const unit = game.unit();
    const [bow, first, second, third] = ['bow', 'thing', 'thing', 'thing'].map((type) => game.give(unit, type));
    changeUnitType(game.game, unit, game.world.types.unit.get('dwarf')!);
    expect(game.world.exists(bow!)).toBe(false);
    expect(game.slots(unit)).toBe('i3 i2');
    expect(game.id(third!)).toBe('i4');
    expect([first, second, third].map((item) => game.world.components.identity.owner[rowOf(item!)] === unit)).toEqual([
      true,
      true,
      false,
    ]);
    expect(game.stateKey(third!)).toBe('dropped');
  });

  test('does not hold what it may not use', () => {
    const game = play(types);
    const unit = game.unit();
    const staff = game.give(unit, 'staff');
    changeUnitType(game.game, unit, game.world.types.unit.get('dwarf')!);
    expect(game.slots(unit)).toBe('i1 .');
    expect(game.stateKey(staff)).toBe('unselected');
  });
});

test('carried items are destroyed with their unit', () => {
  const game = play({ itemTypes: { thing: itemType({ controls: { canMerge: false } }) } });
  const unit = game.unit();
  const items = [game.give(unit, 'thing'), game.give(unit, 'thing')];
  destroyEntity(game.game, unit);
  expect(items.map((item) => game.world.exists(item))).toEqual([false, false]);
});

test('a destroyed item leaves its slot', () => {
  const game = play({ itemTypes: { thing: itemType() } });
  const unit = game.unit();
  destroyEntity(game.game, game.give(unit, 'thing'));
  expect(game.slots(unit)).toBe('. . .');
  expect(game.world.components.inventory[rowOf(unit)]!.heldItem).toBe(0);
});

describe('scripts that select a slot during a selection', () => {
  const unit = { function: 'getTriggeringUnit' };
  const to = (slotIndex: number) => ({ type: 'makeUnitSelectItemAtSlot', unit, slotIndex });
  const carrying = (scripts: Record<string, unknown>) => {
    const game = play({
      unitTypes: { unit: unitType({ scripts }) },
      itemTypes: { stone: itemType(), hat: itemType() },
    });
    const holder = game.unit();
    const items = ['stone', 'hat', 'stone'].map((type) => game.give(holder, type));
    return { game, holder, states: () => items.map((item) => game.stateKey(item)) };
  };

  test('change the selection again', () => {
    const scripts = { third: script('thisUnitSelectsItem', [to(3)]) };
    const { game, holder, states } = carrying({ ...scripts });
    selectSlot(game.game, holder, 1);
    expect(states()).toEqual(['unselected', 'unselected', 'selected']);
    expect(game.world.components.inventory[rowOf(holder)]!.currentSlot).toBe(2);
    expect(game.of('unitSelectsItem').map(({ payload }) => payload['item'])).toEqual(['i2', 'i3']);
    expect(game.faults()).toEqual([]);
  });

  test('may revert the selection', () => {
    const { game, holder, states } = carrying({ back: script('thisUnitSelectsItem', [to(1)]) });
    selectSlot(game.game, holder, 2);
    expect(states()).toEqual(['selected', 'unselected', 'unselected']);
    expect(game.world.components.inventory[rowOf(holder)]!.currentSlot).toBe(0);
  });

  test('are stopped by the depth limit if they never agree', () => {
    // While the triggers of the new slot run, `selectedInventorySlot` is still the old one, so each script switches
    // back.
    const back = { ...to(1), slotIndex: { function: 'selectedInventorySlot', unit } };
    const { game, holder, states } = carrying({ back: script('thisUnitSelectsItem', [back]) });
    selectSlot(game.game, holder, 1);
    expect(states().filter((state) => state === 'selected')).toHaveLength(1);
    expect(game.faults().map(({ code }) => code)).toEqual(['limit-depth']);
  });

  test('cannot leave the hand empty by giving and dropping items', () => {
    const scripts = {
      swap: script('thisUnitSelectsItem', [
        { type: 'dropItemInInventorySlot', unit, slotIndex: 2 },
        { type: 'giveNewItemToUnit', itemType: 'hat', unit },
      ]),
    };
    const { game, holder } = carrying(scripts);
    selectSlot(game.game, holder, 1);
    const { slots, currentSlot, heldItem } = game.world.components.inventory[rowOf(holder)]!;
    expect(currentSlot).toBe(1);
    expect([heldItem, game.stateKey(heldItem)]).toEqual([slots[1], 'selected']);
  });

  test('may change the type of the unit, after which exactly one item is selected', () => {
    const becomes = script('thisItemIsSelected', [{ type: 'changeUnitType', entity: unit, unitType: 'unit' }]);
    const game = play({
      unitTypes: { unit: unitType() },
      itemTypes: { changeling: itemType({ scripts: { becomes } }) },
    });
    const holder = game.unit();
    const items = ['changeling', 'changeling'].map((type) => game.give(holder, type));
    selectSlot(game.game, holder, 1);
    // A type change selects the first slot, whose item changes the type again.
    expect(game.world.components.inventory[rowOf(holder)]!.currentSlot).toBe(0);
    expect(items.map((item) => game.stateKey(item))).toEqual(['selected', 'unselected']);
    expect(game.of('unitSelectsItem').map(({ payload }) => payload['item'])).toEqual(['i2', 'i1']);
  });
});
