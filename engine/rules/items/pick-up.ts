import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { itemTypeOf, type RuntimeItemType } from '../../world/types.ts';
import { announceCreated } from '../entities/announce.ts';
import { destroyEntity } from '../entities/destroy.ts';
import { type Pose, poseOf } from '../entities/place.ts';
import type { Game } from '../game.ts';
import { mayUse } from './bonus.ts';
import { carryingSlots, emptySlotFor, isInSlot, itemInSlot, meetsEquipRequirement, putInSlot } from './inventory.ts';
import { createItem } from './item.ts';
import { carrierOf } from './item-state.ts';
import { fireForItem } from './item-triggers.ts';
import { attemptUse } from './use-attempt.ts';

/**
 * How units get items: one routine for existing and for new items (reference: creation#giving-items). Distance does not
 * matter. The unit may use the item immediately, add it to its stacks, put it into a slot, or refuse it.
 */

interface Given {
  readonly type: RuntimeItemType;
  /** The quantity; Infinity if unlimited. Default: the quantity of the type. */
  readonly quantity?: number | undefined;
  /** The only slot that the item may go into, counted from 0. Default: any slot with room. */
  readonly slot?: number | undefined;
  /**
   * Whether the new item is created at 0, 0 and moves to its unit when the item is first carried. Default: the item is
   * created at the unit's position and angle.
   */
  readonly isUnplaced?: boolean;
}

/** Where a new item is created if its position does not matter (reference: creation#items). */
const nowhere: Pose = { x: 0, y: 0, angle: 0 };

/**
 * Gives a unit a new item. Returns true if the unit now has the whole quantity, or has used the item. If the unit
 * refuses the item, none is created.
 */
export function giveItem(game: Game, unit: Entity, { type, quantity, slot, isUnplaced = false }: Given): boolean {
  const { world } = game;
  const amount = quantity ?? type.definition.quantity ?? Infinity;
  const make = (made: number): Entity => {
    const place = isUnplaced ? nowhere : poseOf(world, unit);
    const item = createItem(game, { type, ...place, isUnplaced, quantity: made });
    if (world.exists(item)) announceCreated(game, item);
    return item;
  };
  if (!mayCarry(game, unit, type)) return false;
  if (isUsedAtOnce(game, unit, type)) return useAtOnce(game, unit, make(amount));
  const rest = stack(game, unit, type, amount);
  if (rest === nothingLeft) return true;
  if (roomFor(game, unit, type, slot, rest) < 0) return false;
  const item = make(rest);
  // Scripts that the creation ran may have used up the new item, given it away or filled the slot.
  if (!world.exists(item) || !world.exists(unit) || carrierOf(world, item) !== noEntity)
    return carrierOf(world, item) === unit;
  const target = roomFor(game, unit, type, slot, rest);
  if (target < 0) return false;
  carry(game, unit, item, target, false);
  return true;
}

/**
 * Makes a unit pick up an item without a carrier. Returns true if the unit now has the whole quantity, or has used the
 * item. If stacks have room for only a part of the quantity, the item keeps the rest and stays where it is.
 */
export function pickUpItem(game: Game, unit: Entity, item: Entity, slot?: number): boolean {
  const { world } = game;
  if (!world.exists(item) || carrierOf(world, item) !== noEntity) return false;
  const c = world.components;
  const row = rowOf(item);
  const type = itemTypeOf(world, item);
  if (!mayCarry(game, unit, type)) return false;
  if (isUsedAtOnce(game, unit, type)) return useAtOnce(game, unit, item);
  const before = c.stack.quantity[row]!;
  // An item with rolled buffs is not merged into a stack, because the buffs would be lost.
  const rest = c.rolledBuffs[row] !== undefined ? before : stack(game, unit, type, before);
  const gave = rest !== before;
  if (gave) {
    // The scripts see the item with its full quantity, as if it were picked up as a whole.
    world.triggers.fireEntity('thisItemIsPickedUp', item, payloadOf.unitAndItem, unit, item);
    world.triggers.fireGlobal('unitPicksUpItem', payloadOf.unitAndItem, unit, item);
    if (!world.exists(item)) return true;
    c.stack.quantity[row] = rest === nothingLeft ? 0 : rest;
    if (rest === nothingLeft) {
      destroyEntity(game, item);
      return true;
    }
    if (!world.exists(unit) || carrierOf(world, item) !== noEntity) return carrierOf(world, item) === unit;
  }
  const target = roomFor(game, unit, type, slot, rest);
  if (target < 0) return false;
  carry(game, unit, item, target, gave);
  return true;
}

/**
 * Whether the unit has room for the whole quantity; a shop asks before it takes the money. Items in `leaving` count as
 * gone.
 */
export function hasRoomFor(
  game: Game,
  unit: Entity,
  type: RuntimeItemType,
  quantity: number,
  leaving: readonly Entity[] = [],
): boolean {
  if (!mayCarry(game, unit, type)) return false;
  if (isUsedAtOnce(game, unit, type) || emptySlotFor(game, unit, type, leaving) >= 0) return true;
  let rest = quantity;
  for (const item of stacksOf(game, unit, type)) {
    if (leaving.includes(item)) continue;
    rest -= roomOn(game, item, rest);
    if (rest <= 0) return true;
  }
  return false;
}

export function mayCarry(game: Game, unit: Entity, type: RuntimeItemType): boolean {
  return mayUse(game.world, unit, type.definition.carriedBy);
}

function isUsedAtOnce(game: Game, unit: Entity, type: RuntimeItemType) {
  const { definition } = type;
  const atOnce = definition.isUsedOnPickup || definition.bonus?.isConsumedImmediately;
  if (!atOnce || !mayUse(game.world, unit, definition.canBeUsedBy)) return false;
  return meetsEquipRequirement(game, unit, type);
}

/**
 * Uses an item as soon as the unit gets it. The item then belongs to the unit without being in a slot; its quantity
 * decides whether it remains in the world (reference: creation#giving-items).
 */
function useAtOnce(game: Game, unit: Entity, item: Entity) {
  const { world } = game;
  if (!world.exists(item) || !world.exists(unit)) return false;
  world.components.identity.owner[rowOf(item)] = unit;
  world.wake(item);
  attemptUse(game, item);
  world.memory.last.createdItem = item;
  return true;
}

/**
 * The result of `stack` if the stacks took the whole quantity. Not 0, because 0 is a quantity that an item can have.
 */
const nothingLeft = -1;

/**
 * Fills up the unit's stacks of a type. Returns the quantity that did not fit, or `nothingLeft` if everything fitted.
 */
function stack(game: Game, unit: Entity, type: RuntimeItemType, quantity: number): number {
  const { world } = game;
  const c = world.components;
  let rest = quantity;
  for (const item of stacksOf(game, unit, type)) {
    world.memory.last.createdItem = item;
    const taken = roomOn(game, item, rest);
    if (rest !== Infinity && (taken > 0 || rest === 0)) {
      if (c.stack.quantity[rowOf(item)] !== Infinity) c.stack.quantity[rowOf(item)]! += taken;
      rest -= taken;
      if (rest === 0) return nothingLeft;
    }
  }
  return rest;
}

/** How much of a quantity fits on a stack. A stack of unlimited quantity takes any finite quantity. */
function roomOn({ world }: Game, item: Entity, quantity: number) {
  if (quantity === Infinity) return 0;
  const row = rowOf(item);
  const has = world.components.stack.quantity[row]!;
  if (has === Infinity) return quantity;
  return Math.max(0, Math.min(quantity, world.components.stack.maxQuantity[row]! - has));
}

/**
 * The unit's items of a type that can be merged with, in slot order. If the unit may not wear the type, only items in
 * its backpack are included.
 */
function stacksOf(game: Game, unit: Entity, type: RuntimeItemType): Entity[] {
  if (!(type.definition.controls?.canMerge ?? game.rules.stacksMergeByDefault)) return [];
  return itemsToMergeWith(game, unit, type);
}

function itemsToMergeWith(game: Game, unit: Entity, type: RuntimeItemType): Entity[] {
  const { world } = game;
  const found: Entity[] = [];
  const state = world.inventoryOf(unit);
  const end = carryingSlots(state);
  for (let slot = meetsEquipRequirement(game, unit, type) ? 0 : state.inventorySize; slot < end; slot++) {
    const item = itemInSlot(world, unit, slot);
    if (item !== noEntity && itemTypeOf(world, item) === type) found.push(item);
  }
  return found;
}

/** The slot that a new item goes into; -1 for none. A requested slot is only used if it is empty. */
function roomFor(game: Game, unit: Entity, type: RuntimeItemType, slot: number | undefined, quantity: number) {
  if (slot === undefined) {
    const found = emptySlotFor(game, unit, type);
    const isSilent = type.definition.controls?.canMerge === undefined && !game.rules.stacksMergeByDefault;
    if (!isSilent || isPermittedSlot(type, found)) return found;
    const taken = slotOfStack(game, unit, type, quantity);
    return taken >= 0 ? taken : found;
  }
  const state = game.world.inventoryOf(unit);
  const isThere = Number.isInteger(slot) && slot >= 0 && slot < carryingSlots(state);
  return isThere && itemInSlot(game.world, unit, slot) === noEntity ? slot : -1;
}

/**
 * Whether the slot is one of the type's permitted slots, which are preferred to stacks if empty (reference:
 * items-projectiles#slots).
 */
function isPermittedSlot(type: RuntimeItemType, slot: number) {
  return type.definition.controls?.permittedInventorySlots.includes(slot + 1) === true;
}

/**
 * The slot of the first stack with room for the quantity that the stacks before it leave over; -1 for none. The
 * quantities of the stacks do not change.
 */
function slotOfStack(game: Game, unit: Entity, type: RuntimeItemType, quantity: number) {
  const { stack } = game.world.components;
  let rest = quantity;
  const taker = itemsToMergeWith(game, unit, type).find((item) => {
    const has = stack.quantity[rowOf(item)]!;
    const most = stack.maxQuantity[rowOf(item)]! || Infinity;
    if (has === Infinity) return rest !== Infinity;
    // 0 counts as unlimited here, as in the reference.
    if (most - (has || Infinity) >= (rest || Infinity)) return true;
    rest -= most - has;
    return false;
  });
  return taker === undefined ? -1 : game.world.inventoryOf(unit).slots.indexOf(taker);
}

/** Puts an item into a slot. The triggers fire for the item, the unit and then globally. */
function carry(game: Game, unit: Entity, item: Entity, slot: number, isAnnounced: boolean) {
  putInSlot(game, item, unit, slot);
  if (!isInSlot(game.world, item, unit, slot)) return;
  game.world.memory.last.createdItem = item;
  const ofItem = isAnnounced || !game.rules.pickUpsFireOnItem ? undefined : 'thisItemIsPickedUp';
  fireForItem(game, item, unit, ofItem, 'thisUnitPicksUpItem', 'unitPicksUpItem');
}
