import { announceCreated } from '../../game/announce.ts';
import type { Game } from '../../game/game.ts';
import { dropItem, dropSlot, isInSlot } from '../../game/inventory.ts';
import { createItem } from '../../game/item.ts';
import { carrierOf, itemType } from '../../game/item-state.ts';
import { giveItem, pickUpItem } from '../../game/pick-up.ts';
import { cancelReload, fillUp } from '../../game/reload.ts';
import { startUsing, stopUsing, useOnce } from '../../game/use.ts';
import { setQuantity } from '../../game/use-attempt.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { ItemState, Point } from '../../world/state.ts';
import type { RuntimeItemType } from '../../world/types.ts';
import type { Evaluate, Frame } from '../frame.ts';
import { type ActionRow, action, family } from '../op.ts';
import * as P from '../params.ts';
import { toNumber } from '../values.ts';

const endless = Number.POSITIVE_INFINITY;

/**
 * A quantity; no value, also a literal null or "", is an endless supply. What is neither a number nor nothing is a fault and NaN, with which
 * nothing is done.
 */
const quantity: P.ParamKind<number> = P.optional({
  ...P.any,
  name: 'quantity',
  literals: ['number', 'string'],
  compile: (compiler, node, place) => {
    if (node === null || node === '') return () => endless;
    const evaluate = compiler.value(node);
    return (frame) => {
      const value = evaluate(frame);
      if (value === undefined || value === null || value === '') return endless;
      const number = toNumber(value) ?? Number.NaN;
      if (Number.isNaN(number)) frame.fault('wrong-value', `${place.operation}: \`${place.key}\` gave no number.`);
      return number;
    };
  },
});

/** The type that a key names; a fault where there is none. */
function typeNamed(frame: Frame, key: string | undefined): RuntimeItemType | undefined {
  if (key === undefined) return undefined;
  const type = frame.game.world.types.item.get(key);
  if (type === undefined) frame.fault('no-such-type', `No item type is called "${key}".`);
  return type;
}

/** Items that scripts make lie a little askew: less than this many radians. */
const askewMost = 0.01;

/** Makes an item that lies in the world. `amount` undefined is the type's own. */
function spawn(amount: ((frame: Frame, type: RuntimeItemType) => number) | undefined) {
  return (itemTypeKey: Evaluate<string | undefined>, position: Evaluate<Point | undefined>) => (frame: Frame) => {
    const type = typeNamed(frame, itemTypeKey(frame));
    const at = position(frame);
    if (type === undefined || at === undefined) return;
    const { game } = frame;
    const made = amount?.(frame, type);
    if (Number.isNaN(made)) return;
    const angle = game.world.random.stream('item').between(0, askewMost);
    const item = createItem(game, { type, x: at.x, y: at.y, angle, quantity: made });
    if (game.world.exists(item)) announceCreated(game, item);
  };
}

function give(frame: Frame, key: string | undefined, unit: Entity, amount: number | undefined): void {
  const type = typeNamed(frame, key);
  if (type === undefined || unit === 0 || Number.isNaN(amount)) return;
  if (!giveItem(frame.game, unit, { type, quantity: amount })) {
    frame.game.world.skip('inventory-refused', `The unit may not carry ${type.name}, or has no room for it.`);
  }
}

function pickUp(frame: Frame, unit: Entity, item: Entity, slot: number | undefined): void {
  if (unit === 0 || item === 0) return;
  const { game } = frame;
  if (carrierOf(game.world, item) !== 0) return;
  if (!pickUpItem(game, unit, item, slot)) {
    frame.game.world.skip('inventory-refused', `The unit may not carry the item, or has no room for it.`);
  }
}

/** Something done to one item. */
function simple(verb: (game: Game, item: Entity) => void, key: 'entity' | 'item' = 'entity'): ActionRow {
  return action({
    params: { [key]: P.item },
    compile: (operands) => {
      const operand = operands[key]!;
      return (frame) => {
        const item = operand(frame);
        if (item !== 0) verb(frame.game, item);
      };
    },
  });
}

/** A text of the item that only clients show: kept, and they are told. An empty one changes nothing. */
function shownText(key: 'string' | 'url', shown: string, write: (state: ItemState, value: string) => void): ActionRow {
  return action({
    params: { item: P.item, [key]: P.text },
    compile: (operands) => {
      const item = operands['item'] as Evaluate<Entity>;
      const operand = operands[key] as Evaluate<string | undefined>;
      return (frame) => {
        const of = item(frame);
        const value = operand(frame);
        if (of === 0 || value === undefined || value === '') return;
        const { world } = frame.game;
        write(world.items[rowOf(of)]!, value);
        world.post('entity.style', { entityId: world.ref(of)?.id, [shown]: value, to: 'everyone' });
      };
    },
  });
}

/** Newtons along each axis, drawn for each item on its own. */
const scatterForce = 50;

/** Everything that may be dropped, in slot order, pushed apart. */
function dropAll(game: Game, unit: Entity): void {
  const { world, physics } = game;
  const random = world.random.stream('item');
  for (const [slot, item] of [...world.units[rowOf(unit)]!.slots].entries()) {
    if (!isInSlot(world, item, unit, slot) || !dropSlot(game, unit, slot)) continue;
    const x = random.integer(-scatterForce, scatterForce);
    const y = random.integer(-scatterForce, scatterForce);
    if (world.exists(item)) physics.applyForce(item, x, y);
  }
}

export const itemActions = family('item', {
  spawnItem: action({
    params: { itemType: P.itemType, position: P.position },
    compile: ({ itemType: type, position }) => spawn(undefined)(type, position),
  }),
  createItemWithMaxQuantityAtPosition: action({
    params: { itemType: P.itemType, position: P.position },
    compile: ({ itemType: type, position }) =>
      spawn((_frame, { definition }) => unlessMinusOne(definition.maxQuantity ?? endless))(type, position),
  }),
  /** 0 and -1 are endless as well. */
  createItemAtPositionWithQuantity: action({
    params: { itemType: P.itemType, position: P.position, quantity },
    compile: ({ itemType: type, position, quantity: amount }) =>
      spawn((frame) => {
        const asked = amount(frame);
        return asked === 0 ? endless : unlessMinusOne(asked);
      })(type, position),
  }),
  giveNewItemToUnit: action({
    params: { itemType: P.itemType, unit: P.unit },
    compile:
      ({ itemType: type, unit }) =>
      (frame) =>
        give(frame, type(frame), unit(frame), undefined),
  }),
  /** -1 is endless as well. The older form has `entity` and `quantity`. */
  giveNewItemWithQuantityToUnit: action({
    params: { itemType: P.itemType, number: P.alias(quantity, 'quantity'), unit: P.loud(P.alias(P.unit, 'entity')) },
    compile:
      ({ itemType: type, number, unit }) =>
      (frame) =>
        give(frame, type(frame), unit(frame), unlessMinusOne(number(frame))),
  }),
  makeUnitPickupItem: action({
    params: { unit: P.loud(P.unit), item: P.item },
    compile:
      ({ unit, item }) =>
      (frame) =>
        pickUp(frame, unit(frame), item(frame), undefined),
  }),
  makeUnitPickupItemAtSlot: action({
    params: { unit: P.unit, item: P.item, slotIndex: P.number },
    compile:
      ({ unit, item, slotIndex }) =>
      (frame) => {
        const slot = slotIndex(frame);
        if (slot !== undefined) pickUp(frame, unit(frame), item(frame), slot - 1);
      },
  }),
  dropItem: action({
    params: { entity: P.unit },
    compile:
      ({ entity }) =>
      (frame) => {
        const unit = entity(frame);
        if (unit !== 0) dropSlot(frame.game, unit, frame.game.world.units[rowOf(unit)]!.currentSlot);
      },
  }),
  dropItemInInventorySlot: action({
    params: { unit: P.unit, slotIndex: P.number },
    compile:
      ({ unit, slotIndex }) =>
      (frame) => {
        const of = unit(frame);
        const slot = slotIndex(frame);
        if (of !== 0 && slot !== undefined) dropSlot(frame.game, of, slot - 1);
      },
  }),
  /** An item that nobody carries stays where it is. */
  dropItemAtPosition: action({
    params: { item: P.item, position: P.optional(P.position) },
    compile:
      ({ item, position }) =>
      (frame) => {
        const of = item(frame);
        const at = position(frame);
        if (of !== 0) dropItem(frame.game, of, at);
      },
  }),
  dropAllItems: action({
    params: { entity: P.unit },
    compile:
      ({ entity }) =>
      (frame) => {
        const unit = entity(frame);
        if (unit !== 0) dropAll(frame.game, unit);
      },
  }),
  startUsingItem: simple(startUsing),
  stopUsingItem: simple(stopUsing),
  useItemOnce: simple(useOnce, 'item'),
  /** Not held to the maximum. */
  updateItemQuantity: action({
    params: { entity: P.item, quantity },
    compile:
      ({ entity, quantity: amount }) =>
      (frame) => {
        const item = entity(frame);
        const to = amount(frame);
        if (item !== 0 && !Number.isNaN(to)) setQuantity(frame.game, item, to);
      },
  }),
  /** Of weapons only, and one more than it says, as older games count on. */
  setItemAmmo: action({
    params: { item: P.item, ammo: P.number },
    compile:
      ({ item, ammo }) =>
      (frame) => {
        const of = item(frame);
        const amount = ammo(frame);
        if (of === 0 || amount === undefined) return;
        const { world } = frame.game;
        if (itemType(world, of).definition.type === 'weapon') setQuantity(frame.game, of, amount + 1);
      },
  }),
  /** Milliseconds between two uses. */
  setItemFireRate: action({
    params: { item: P.item, number: P.number },
    compile:
      ({ item, number }) =>
      (frame) => {
        const of = item(frame);
        const ms = number(frame);
        if (of !== 0 && ms !== undefined) frame.game.world.columns.fireRateMs[rowOf(of)] = ms;
      },
  }),
  setItemName: action({
    params: { item: P.item, name: P.text },
    compile:
      ({ item, name }) =>
      (frame) => {
        const of = item(frame);
        const to = name(frame);
        if (of !== 0 && to !== undefined) frame.game.world.items[rowOf(of)]!.name = to;
      },
  }),
  changeDescriptionOfItem: shownText('string', 'description', (state, description) => {
    state.description = description;
  }),
  changeInventorySlotColor: shownText('string', 'inventorySlotColor', (state, colour) => {
    state.slotColor = colour;
  }),
  changeItemInventoryImage: shownText('url', 'inventoryImage', (state, url) => {
    state.inventoryImage = url;
  }),
  /** The item turns to where its carrier aims. */
  enableRotateToFaceMouseCursor: simple((game, item) => {
    game.world.items[rowOf(item)]!.aims = true;
  }, 'item'),
  disableRotateToFaceMouseCursor: simple((game, item) => {
    game.world.items[rowOf(item)]!.aims = false;
  }, 'item'),
  /** To the capacity, at once. Where quantities are no ammunition it has nothing to do. */
  refillAmmo: simple(({ world }, item) => {
    if (!world.dialect.dormantFields) return;
    cancelReload(world, item);
    fillUp(world, item);
  }),
});

function unlessMinusOne(amount: number): number {
  return amount === -1 ? endless : amount;
}
