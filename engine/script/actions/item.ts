import type { Point } from '../../components/point.ts';
import { changes, creates, draws, may, only, tells } from '../../rules/effects.ts';
import { announceCreated } from '../../rules/entities/announce.ts';
import { nameEntity } from '../../rules/entities/appearance.ts';
import { dropAllItems, dropItem, dropSlot } from '../../rules/items/inventory.ts';
import { createItem } from '../../rules/items/item.ts';
import { type ItemText, setAims, setFireRate, setItemText } from '../../rules/items/item-settings.ts';
import { carrierOf } from '../../rules/items/item-state.ts';
import { giveItem, pickUpItem } from '../../rules/items/pick-up.ts';
import { cancelReload, fillUp } from '../../rules/items/reload.ts';
import { startUsing, stopUsing, useOnce } from '../../rules/items/use.ts';
import { setQuantity } from '../../rules/items/use-attempt.ts';
import type { Entity } from '../../world/entity.ts';
import { itemTypeOf, type RuntimeItemType } from '../../world/types.ts';
import { type About, type ActionRow, action, acts, compiledAction, family, nonReference } from '../op.ts';
import * as P from '../params.ts';
import type { Evaluate, ScriptContext } from '../running/context.ts';
import { toNumber } from '../running/value.ts';

const endless = Infinity;

/**
 * A quantity. A missing value, null or "" means an unlimited quantity. Any other value that is not a number is a fault
 * and NaN, and the action does nothing.
 */
const quantity: P.ParamKind<number> = P.optional({
  ...P.any,
  name: 'quantity',
  literals: ['number', 'string'],
  compile: (compiler, node, place) => {
    if (node.json === null || node.json === '') return () => endless;
    const evaluate = compiler.value(node);
    return (context) => {
      const value = evaluate(context);
      if (value === undefined || value === null || value === '') return endless;
      const number = toNumber(value) ?? NaN;
      if (Number.isNaN(number))
        context.world.fault('wrong-value', `${place.operation}: \`${place.key}\` is not a number.`);
      return number;
    };
  },
});

/** The item type with a key; undefined, with a fault, if there is none. */
function typeNamed(context: ScriptContext, key: string | undefined): RuntimeItemType | undefined {
  if (key === undefined) return undefined;
  const type = context.world.types.item.get(key);
  if (type === undefined) context.world.fault('no-such-type', `There is no item type "${key}".`);
  return type;
}

/** Maximum random rotation of items that scripts create, radians. */
const askewMax = 0.01;

/** In the reference, an item that is created with a quantity appears at the origin: its position and angle are lost. */
const atOrigin = (): Point => ({ x: 0, y: 0 });

/** Creates an item on the ground. Without `amount`, it has the default quantity of its type. */
function spawn(amount?: (context: ScriptContext, type: RuntimeItemType) => number) {
  return (itemTypeKey: Evaluate<string | undefined>, position: Evaluate<Point | undefined>) =>
    (context: ScriptContext) => {
      const type = typeNamed(context, itemTypeKey(context));
      const at = position(context);
      if (type === undefined || at === undefined) return;
      const { game } = context;
      const made = amount?.(context, type);
      if (Number.isNaN(made)) return;
      const angle = position === atOrigin ? 0 : game.world.random.stream('item').between(0, askewMax);
      const item = createItem(game, { type, x: at.x, y: at.y, angle, quantity: made, liesInWorld: true });
      if (game.world.exists(item)) announceCreated(game, item);
    };
}

function give(context: ScriptContext, key: string | undefined, unit: Entity, amount: number | undefined) {
  const type = typeNamed(context, key);
  if (type === undefined || unit === 0 || Number.isNaN(amount)) return;
  if (!giveItem(context.game, unit, { type, quantity: amount })) {
    context.world.skip('inventory-refused', `The unit is not allowed to carry ${type.name}, or has no room for it.`);
  }
}

function pickUp(context: ScriptContext, unit: Entity, item: Entity, slot: number | undefined) {
  if (unit === 0 || item === 0) return;
  if (carrierOf(context.game.world, item) !== 0) return;
  if (!pickUpItem(context.game, unit, item, slot)) {
    context.world.skip('inventory-refused', `The unit is not allowed to carry the item, or has no room for it.`);
  }
}

/** Sets whether an item turns towards the point that its carrier aims at. */
function aiming(about: About, aims: boolean): ActionRow {
  return nonReference(
    acts(about, { item: P.item }, ({ world }, item) => setAims(world, item, aims), changes('itemSettings', 'item')),
  );
}

/** Sets a text of the item that only clients show. An empty text changes nothing. */
function shownText(about: About, key: 'string' | 'url', text: ItemText): ActionRow {
  return action(
    about,
    { item: P.item, [key]: P.text } as { readonly item: typeof P.item; readonly string: typeof P.text },
    ({ game }, { item, [key as 'string']: value }) => {
      if (value !== '') setItemText(game, item, text, value);
    },
    changes('look', 'item', { to: key as 'string' }),
    tells('entity.style'),
  );
}

export const itemActions = family('item', {
  spawnItem: compiledAction(
    'Creates an item of a type at a position, with the default quantity of its type.',
    { itemType: P.itemType, position: P.itemPlace },
    ({ itemType: type, position }) => spawn()(type, position),
    creates('item', { type: 'itemType', at: 'position' }),
    draws,
  ),
  createItemWithMaxQuantityAtPosition: compiledAction(
    'Creates an item of a type at a position, with the maximum quantity of its type.',
    { itemType: P.itemType, position: P.itemPlace },
    ({ itemType: type, position }) =>
      spawn((_frame, { definition }) => unlessMinusOne(definition.maxQuantity ?? endless))(type, position),
    creates('item', { type: 'itemType', at: 'position' }),
    draws,
  ),
  /** A quantity of 0 or -1 means unlimited, too. */
  createItemAtPositionWithQuantity: compiledAction(
    'Creates an item of a type at a position, with a quantity. Without `quantity`, the quantity is unlimited.',
    { itemType: P.itemType, position: P.creationPosition, quantity },
    ({ itemType: type, position, quantity: amount }, { dialect }) =>
      spawn((context) => {
        const asked = amount(context);
        return asked === 0 ? endless : unlessMinusOne(asked);
      })(type, dialect.quantityItemsHavePosition ? position : atOrigin),
    only('standard', creates('item', { type: 'itemType', at: 'position' })),
    only('moddio', creates('item', { type: 'itemType' })),
    only('standard', draws),
  ),
  giveNewItemToUnit: compiledAction(
    'Creates an item of a type and gives it to a unit. If the unit cannot take the item, the item lies on the ground.',
    { itemType: P.itemType, unit: P.unit },
    ({ itemType: type, unit }) =>
      (context) =>
        give(context, type(context), unit(context), undefined),
    creates('item', { type: 'itemType', of: 'unit' }),
    may(changes('items', 'unit')),
  ),
  /** A quantity of -1 means unlimited, too. The older form uses the keys `entity` and `quantity`. */
  giveNewItemWithQuantityToUnit: compiledAction(
    {
      sentence: 'Creates an item of a type with a quantity and gives it to a unit.',
      operands: { number: 'The quantity of the item.' },
    },
    {
      itemType: P.itemType,
      number: P.alias(quantity, 'quantity'),
      unit: P.faultIfMissing(P.alias(P.unit, 'entity')),
    },
    ({ itemType: type, number, unit }) =>
      (context) =>
        give(context, type(context), unit(context), unlessMinusOne(number(context))),
    creates('item', { type: 'itemType', of: 'unit' }),
    may(changes('items', 'unit')),
  ),
  makeUnitPickupItem: action(
    'Makes a unit pick up an item, if the unit is allowed to carry the item and has a free slot.',
    { unit: P.faultIfMissing(P.unit), item: P.item },
    (context, { unit, item }) => pickUp(context, unit, item, undefined),
    changes('items', 'unit', { to: 'item' }),
  ),
  makeUnitPickupItemAtSlot: nonReference(
    compiledAction(
      'Makes a unit pick up an item into a slot, counted from 1.',
      { unit: P.unit, item: P.item, slotIndex: P.number },
      ({ unit, item, slotIndex }) =>
        (context) => {
          const slot = slotIndex(context);
          if (slot !== undefined) pickUp(context, unit(context), item(context), slot - 1);
        },
      changes('items', 'unit', { to: 'item' }),
    ),
  ),
  dropItem: acts(
    'Makes a unit drop the item that it holds.',
    { entity: P.unit },
    (game, unit) => dropSlot(game, unit, game.world.inventoryOf(unit).currentSlot),
    changes('items', 'entity'),
  ),
  dropItemInInventorySlot: action(
    'Makes a unit drop the item in a slot, counted from 1.',
    { unit: P.unit, slotIndex: P.number },
    ({ game }, { unit, slotIndex }) => dropSlot(game, unit, slotIndex - 1),
    changes('items', 'unit'),
  ),
  dropItemAtPosition: action(
    'Makes the unit that carries an item drop the item at a position. An item without a carrier stays where it is.',
    { item: P.item, position: P.optional(P.position) },
    ({ game, world }, { item, position }) => {
      if (game.rules.dropNeedsNoControls || itemTypeOf(world, item).definition.controls !== undefined)
        dropItem(game, item, position);
    },
    changes('carrier', 'item'),
    may(changes('position', 'item', { to: 'position' })),
  ),
  dropAllItems: acts(
    'Makes a unit drop all items that can be dropped.',
    { entity: P.unit },
    dropAllItems,
    changes('items', 'entity'),
    may(draws),
  ),
  startUsingItem: acts(
    'Starts using an item. The use continues until `stopUsingItem`.',
    { entity: P.item },
    startUsing,
    changes('use', 'entity'),
  ),
  stopUsingItem: acts(
    'Stops using an item.',
    { entity: P.item },
    stopUsing,
    changes('use', 'entity', { constant: false }),
  ),
  useItemOnce: acts('Uses an item once.', { item: P.item }, useOnce, changes('use', 'item')),
  /** The quantity is not clamped to the item's maximum. */
  updateItemQuantity: action(
    'Sets the quantity of an item. Without `quantity`, the quantity is unlimited.',
    { entity: P.item, quantity },
    ({ game }, { entity, quantity: to }) => {
      if (!Number.isNaN(to)) setQuantity(game, entity, to);
    },
    changes('quantity', 'entity', { to: 'quantity' }),
  ),
  /**
   * Works only for weapons. The quantity becomes one more than `ammo`, because games for older engines rely on that.
   */
  setItemAmmo: action(
    'Sets the ammunition of a weapon: its quantity becomes `ammo` + 1.',
    { item: P.item, ammo: P.number },
    (context, { item, ammo }) => {
      if (itemTypeOf(context.world, item).definition.type === 'weapon') setQuantity(context.game, item, ammo + 1);
    },
    changes('quantity', 'item', { to: 'ammo' }),
  ),
  setItemFireRate: action(
    { sentence: 'Sets the time between two uses of an item, ms.', example: { number: 500 } },
    { item: P.item, number: P.ms },
    ({ world }, { item, number }) => setFireRate(world, item, number),
    changes('itemSettings', 'item', { to: 'number' }),
  ),
  setItemName: compiledAction(
    'Sets the name that players see for an item.',
    { item: P.item, name: P.name },
    ({ item, name }) =>
      (context) => {
        const named = item(context);
        const text = name(context);
        if (named !== 0 && text !== null) nameEntity(context.world, named, text);
      },
    changes('name', 'item', { to: 'name' }),
  ),
  changeDescriptionOfItem: shownText(
    {
      sentence: 'Sets the description that players see for an item.',
      operands: { string: 'The new description.' },
    },
    'string',
    'description',
  ),
  changeInventorySlotColor: shownText(
    {
      sentence: 'Sets the colour of the inventory slot that contains an item.',
      operands: { string: 'The colour of the slot, as in CSS.' },
    },
    'string',
    'slotColor',
  ),
  changeItemInventoryImage: shownText('Sets the inventory image of an item.', 'url', 'inventoryImage'),
  enableRotateToFaceMouseCursor: aiming("Makes an item turn towards its player's mouse.", true),
  disableRotateToFaceMouseCursor: aiming("Stops an item from turning towards its player's mouse.", false),
  /**
   * Refills a weapon up to its capacity immediately. Does nothing in dialects in which the quantity of a weapon is not
   * its ammunition.
   */
  refillAmmo: action(
    'Refills the ammunition of a weapon to the capacity of its type.',
    { entity: P.item },
    ({ game, world }, { entity }) => {
      if (!game.rules.unreadFieldsTakeEffect) return;
      cancelReload(world, entity);
      fillUp(world, entity);
    },
    only('standard', changes('quantity', 'entity')),
  ),
});

function unlessMinusOne(amount: number) {
  return amount === -1 ? endless : amount;
}
