import { DelayedUses } from '../../components/delayed-uses.ts';
import type { InventoryState } from '../../components/inventory.ts';
import type { Point } from '../../components/point.ts';
import type { Requirement } from '../../definition/price.ts';
import { hasForm } from '../../physics/body.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { itemTypeOf, type RuntimeItemType } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { changes, changesIn, fires, only, rule } from '../effects.ts';
import { attributeValue } from '../entities/attribute.ts';
import { destroyEntity } from '../entities/destroy.ts';
import { rebuildBody, requestBody, setState } from '../entities/state.ts';
import type { Game, Selection } from '../game.ts';
import { takeBonus, updatePassiveBonus } from './bonus.ts';
import { carrierOf, restartLifeSpan, settleItem } from './item-state.ts';
import { fireForItem } from './item-triggers.ts';
import { cancelReload } from './reload.ts';
import { stopUsing } from './use.ts';

/**
 * A unit's slots: its inventory, then its backpack, then the trade slots. An item is in at most one slot, and a slot
 * holds at most one item. Every function here preserves that, whatever scripts do in between. Slots count from 0;
 * definitions and scripts count from 1.
 */

export const slotChange = rule(
  'items change slots',
  ['swapItems'],
  changesIn('unit', 'items', 'slot'),
  changesIn('item', 'carrier', 'state', 'visibility'),
  only('standard', changes('size', 'item')),
);
/** The rule only fires triggers: scripts decide what happens to the dragged item. */
export const itemDrag = rule(
  'an item is dragged onto the map',
  ['dropItemOnCanvas'],
  fires('whenPlayerDropsItemToCanvas'),
);

/** Number of trade slots, which follow the backpack (reference: items-projectiles#slots). */
export const tradeSlots = 5;

/** Number of slots in which items are carried, excluding the trade slots, which follow them. */
export function carryingSlots(state: InventoryState): number {
  return state.inventorySize + state.backpackSize;
}

/** The item in a slot; 0 if the slot is empty or does not exist. */
export function itemInSlot(world: World, unit: Entity, slot: number): Entity {
  const item = world.components.inventory[rowOf(unit)]?.slots[slot] ?? noEntity;
  return world.exists(item) ? item : noEntity;
}

function refreshHeld(world: World, unit: Entity) {
  const state = world.inventoryOf(unit);
  state.heldItem = state.slots[state.currentSlot] ?? noEntity;
}

/**
 * Whether an item is in a slot of a unit. Check this after each call that runs scripts, because scripts may have
 * removed the item.
 */
export function isInSlot(world: World, item: Entity, unit: Entity, slot: number): boolean {
  return world.exists(item) && world.exists(unit) && world.inventoryOf(unit).slots[slot] === item;
}

/**
 * Whether the unit meets the requirements for wearing items of a type. Requirements on attributes that the unit lacks
 * are ignored.
 */
export function meetsEquipRequirement(game: Game, unit: Entity, type: RuntimeItemType): boolean {
  const asked = type.definition.controls?.equipRequirement;
  if (asked === undefined) return true;
  const { world } = game;
  return meets(world, unit, asked.unitAttributes) && meets(world, world.ownerOf(unit), asked.playerAttributes);
}

export function meets(world: World, entity: Entity, requirements: ReadonlyMap<string, Requirement>): boolean {
  for (const [key, { type, value }] of requirements) {
    const has = attributeValue(world, entity, key);
    if (has === undefined || type === 'none') continue;
    const met = type === 'atmost' ? has <= value : type === 'exactly' ? has === value : has >= value;
    if (!met) return false;
  }
  return true;
}

/**
 * The first empty slot for an item of the type; -1 for none. Tries its permitted slots in their order, then the
 * backpack. For a type without permitted slots it first tries the designated slot and the inventory (reference:
 * items-projectiles#slots). Permitted slots that hold items in `leaving` count as empty, other slots do not.
 */
export function emptySlotFor(game: Game, unit: Entity, type: RuntimeItemType, leaving: readonly Entity[] = []): number {
  const state = game.world.inventoryOf(unit);
  const { inventorySize } = state;
  const end = carryingSlots(state);
  const { controls } = type.definition;
  const permitted = controls?.permittedInventorySlots ?? [];
  const canWear = meetsEquipRequirement(game, unit, type);
  const isFree = (slot: number) => itemInSlot(game.world, unit, slot) === noEntity;
  const willBeFree = (slot: number) => isFree(slot) || leaving.includes(itemInSlot(game.world, unit, slot));
  // The designated slot is ignored for types with permitted slots, in which editors left it at 1 or 2.
  const designated = (controls?.designatedInventorySlot ?? 0) - 1;
  if (permitted.length === 0 && designated >= 0 && designated < end && isFree(designated)) {
    if (designated >= inventorySize ? controls?.backpackAllowed !== false : canWear) return designated;
  }
  for (const entry of permitted) {
    if (entry === 'backpack-slots') {
      for (let slot = inventorySize; slot < end; slot++) if (willBeFree(slot)) return slot;
      continue;
    }
    const slot = entry - 1;
    if (slot < 0 || slot >= end || (slot < inventorySize && !canWear)) continue;
    if (willBeFree(slot)) return slot;
  }
  if (permitted.length === 0 && canWear) {
    for (let slot = 0; slot < inventorySize; slot++) if (isFree(slot)) return slot;
  }
  if (controls?.backpackAllowed !== false) {
    for (let slot = inventorySize; slot < end; slot++) if (isFree(slot)) return slot;
  }
  return -1;
}

/**
 * Puts an item without a carrier into an empty slot and fires the triggers for a changed slot. The item gets the state
 * of the slot and gives its bonuses.
 */
export function putInSlot(game: Game, item: Entity, unit: Entity, slot: number): void {
  const { world } = game;
  const row = rowOf(item);
  world.components.identity.owner[row] = unit;
  world.wake(item);
  world.components.carried.slot[row] = slot;
  world.inventoryOf(unit).slots[slot] = item;
  refreshHeld(world, unit);
  announceMove(game, item, unit);
  if (!isInSlot(world, item, unit, slot)) return;
  if (!game.rules.bodiesAreBuiltOnce) show(game, item);
  setStateOfSlot(game, item, unit, slot);
  if (isInSlot(world, item, unit, slot)) updatePassiveBonus(game, item);
}

function announceMove(game: Game, item: Entity, unit: Entity) {
  fireForItem(game, item, unit, 'thisItemChangesInventorySlot', 'thisUnitMovesItemInInventory');
}

/**
 * Puts a carried item into the state for the hand (`isSelected`) or for the bag. In dialects with
 * `itemsFallBackToNearestState`, a type that lacks one of the two states uses the other, and an item whose type lacks
 * both has no state and no body.
 */
function setCarriedState(game: Game, item: Entity, isSelected: boolean) {
  const { world } = game;
  if (!isSelected) cancelReload(world, item);
  const { stateIndex } = itemTypeOf(world, item);
  const wanted = isSelected ? 'selected' : 'unselected';
  if (!game.rules.itemsFallBackToNearestState) {
    setState(game, item, wanted);
    return;
  }
  const other = isSelected ? 'unselected' : 'selected';
  const key = stateIndex.has(wanted) ? wanted : stateIndex.has(other) ? other : undefined;
  if (key !== undefined) {
    setState(game, item, key);
    return;
  }
  const row = rowOf(item);
  world.components.identity.state[row] = -1;
  world.components.bodyType[row] = undefined;
  world.wake(item);
  settleItem(world, item);
  restartLifeSpan(game, item, false);
  world.triggers.fireEntity('entityStateChanged', item, payloadOf.nothing);
  if (world.exists(item)) rebuildBody(game, item);
}

/**
 * Puts an item into the state for its slot: `selected` only if `isUsable` and its slot is selected. During a selection,
 * the old slot still counts as selected here; the end of the selection corrects the states.
 */
export function setStateOfSlot(game: Game, item: Entity, unit: Entity, slot: number, isUsable = true): void {
  const state = game.world.inventoryOf(unit);
  markOutdated(game, unit);
  setCarriedState(game, item, isUsable && slot === state.currentSlot);
}

/** Marks a slot selection in progress as outdated. Returns false if there is none. */
function markOutdated({ running }: Game, unit: Entity) {
  const selection = running.selections.get(unit);
  if (selection === undefined) return false;
  selection.isOutdated = true;
  return true;
}

/**
 * Selects a slot: the item that the unit held gets the state for the bag, the item in the slot the state for the hand
 * (reference: items-projectiles#selecting). Does nothing if the unit already holds that item. While the scripts of the
 * change run, the old slot still counts as selected; selections that these scripts make are carried out afterwards, so
 * that exactly one slot is selected in the end.
 */
export function selectSlot(game: Game, unit: Entity, slot: number): void {
  const { world } = game;
  const { selections } = game.running;
  const state = world.components.inventory[rowOf(unit)];
  if (state === undefined || !Number.isInteger(slot) || slot < 0 || slot >= state.slots.length) return;
  const present = selections.get(unit);
  if (present !== undefined) {
    present.next = slot;
    return;
  }
  const selection: Selection = { next: slot, isOutdated: false };
  selections.set(unit, selection);
  try {
    for (let round = 0; selection.next !== undefined && world.exists(unit); round++) {
      const chosen = selection.next;
      selection.next = undefined;
      if (round === world.limits.scriptDepth) {
        world.fault('limit-depth', 'Scripts that run when an item is selected select another item each time.');
        break;
      }
      changeSelection(game, unit, state, chosen);
      if (!selection.isOutdated || !world.exists(unit)) continue;
      selection.isOutdated = false;
      settleCarriedStates(game, unit, state);
    }
  } finally {
    selections.delete(unit);
  }
}

/** Selects the first slot of a unit that changed its type. */
export function selectFirstSlot(game: Game, unit: Entity): void {
  game.world.inventoryOf(unit).currentSlot = 0;
  selectSlot(game, unit, 0);
}

function changeSelection(game: Game, unit: Entity, state: InventoryState, slot: number) {
  const { world } = game;
  const held = world.exists(state.heldItem) ? state.heldItem : noEntity;
  const chosen = itemInSlot(world, unit, slot);
  if (chosen !== noEntity && chosen === held && state.currentSlot === slot) return;
  if (held !== noEntity && held !== chosen) {
    stopUsing(game, held);
    if (carrierOf(world, held) === unit && world.exists(held)) setCarriedState(game, held, false);
  }
  if (isInSlot(world, chosen, unit, slot)) {
    setCarriedState(game, chosen, true);
    fireForItem(game, chosen, unit, 'thisItemIsSelected', 'thisUnitSelectsItem', 'unitSelectsItem');
  }
  if (world.exists(unit)) world.triggers.fireEntity('unitSelectsInventorySlot', unit, payloadOf.nothing);
  if (!world.exists(unit)) return;
  world.inventoryOf(unit).currentSlot = slot;
  refreshHeld(world, unit);
}

/** Corrects the states of items that scripts moved during a selection. */
function settleCarriedStates(game: Game, unit: Entity, state: InventoryState) {
  const { world } = game;
  for (const [slot, item] of [...state.slots].entries()) {
    if (!isInSlot(world, item, unit, slot)) continue;
    const { stateIndex, states } = itemTypeOf(world, item);
    if (!stateIndex.has('selected') || !stateIndex.has('unselected')) continue;
    const isSelected = slot === state.currentSlot;
    if (states[world.components.identity.state[rowOf(item)]!]?.key === (isSelected ? 'unselected' : 'selected'))
      setCarriedState(game, item, isSelected);
  }
}

/**
 * Drops the item in a slot next to the unit, or at `position` (px). Returns false if the slot is empty or its item may
 * not be dropped. When the triggers fire, the item has no carrier.
 */
export function dropSlot(game: Game, unit: Entity, slot: number, position?: Point): boolean {
  const item = itemInSlot(game.world, unit, slot);
  if (item === noEntity || itemTypeOf(game.world, item).definition.controls?.undroppable) return false;
  return releaseToWorld(game, item, unit, slot, position);
}

/** Drops a carried item from its slot. Returns false if the item is in no slot. */
export function dropItem(game: Game, item: Entity, position?: Point): boolean {
  const unit = carrierOf(game.world, item);
  return unit !== noEntity && dropSlot(game, unit, game.world.components.carried.slot[rowOf(item)]!, position);
}

/** Like `dropSlot`, even if the item may not be dropped: for items that a unit no longer has a slot for. */
export function releaseToWorld(game: Game, item: Entity, unit: Entity, slot: number, position?: Point): boolean {
  const { world, physics } = game;
  stopUsing(game, item);
  if (!isInSlot(world, item, unit, slot)) return false;
  const c = world.components;
  const row = rowOf(item);
  const beside = {
    x: c.transform.x[rowOf(unit)]! + c.hold.anchorX[row]!,
    y: c.transform.y[rowOf(unit)]! + c.hold.anchorY[row]!,
    angle: c.hold.dropAngle[row]!,
  };
  const isHeldWithBody = hasForm(c.bodyType[row]);
  leaveSlot(game, item, unit);
  c.identity.owner[row] = noEntity;
  world.wake(item);
  world.remove(item, DelayedUses);
  setState(game, item, 'dropped', beside);
  // The item is first shown in the state in which it was held, which requests the body of that state as well.
  if (isHeldWithBody && world.exists(item)) physics.requestAgain(item);
  if (position !== undefined && world.exists(item)) physics.teleportTo(item, position.x, position.y);
  takeBonus(game, item, unit, slot);
  fireForItem(game, item, unit, 'thisItemIsDropped', 'thisUnitDroppedAnItem', 'unitDroppedAnItem');
  return true;
}

/** Maximum force along each axis, N; drawn separately for each item. */
const scatterForce = 50;

/** Drops all items that may be dropped, in slot order, and scatters them. */
export function dropAllItems(game: Game, unit: Entity): void {
  const { world, physics } = game;
  const random = world.random.stream('item');
  for (const [slot, item] of [...world.inventoryOf(unit).slots].entries()) {
    if (!isInSlot(world, item, unit, slot) || !dropSlot(game, unit, slot)) continue;
    const x = random.integer(-scatterForce, scatterForce);
    const y = random.integer(-scatterForce, scatterForce);
    if (world.exists(item)) physics.applyForce(item, x, y);
  }
}

function leaveSlot({ world }: Game, item: Entity, unit: Entity) {
  const state = world.inventoryOf(unit);
  // The slot is searched for, because a refused swap may have changed the slot number stored with the item.
  const slot = state.slots.indexOf(item);
  if (slot >= 0) state.slots[slot] = noEntity;
  world.components.carried.slot[rowOf(item)] = -1;
  if (state.heldItem === item) state.heldItem = noEntity;
}

/** Destroys all items that a unit carries. */
export function destroyCarriedItems(game: Game, entity: Entity): void {
  const unit = game.world.components.inventory[rowOf(entity)];
  if (unit === undefined) return;
  for (const item of [...unit.slots]) if (item !== noEntity) destroyEntity(game, item);
}

/**
 * Removes an item that is being destroyed from its slot, along with its bonuses. `Identity.owner` of the item still
 * names its carrier.
 */
export function detachItem(game: Game, item: Entity): void {
  const { world } = game;
  const row = rowOf(item);
  const unit = world.components.identity.owner[row]!;
  if (world.components.identity.kind[row] !== Kind.item || !world.is(unit, Kind.unit)) return;
  takeBonus(game, item, unit, undefined);
  leaveSlot(game, item, unit);
}

/**
 * Swaps the contents of two slots, as when a player drags an item (reference: players#swapping-slots). Both items must
 * be allowed in their new slot; equal items swap, too. If one of them is not allowed there, if the slot `from` is
 * empty, or if the slots are not two different slots of the unit, the swap is refused as the dialect does
 * (`refuseSwap`), and the function returns false.
 */
export function swapSlots(game: Game, unit: Entity, from: number, to: number): boolean {
  const { world } = game;
  const state = world.components.inventory[rowOf(unit)];
  if (state === undefined) return false;
  if (from === to || !isSlot(state, from) || !isSlot(state, to)) {
    game.rules.refuseSwap(game, unit, from, to);
    return false;
  }
  const moved = itemInSlot(world, unit, from);
  const met = itemInSlot(world, unit, to);
  const mayChange =
    moved !== noEntity && mayBeIn(game, moved, unit, to) && (met === noEntity || mayBeIn(game, met, unit, from));
  if (!mayChange) {
    game.rules.refuseSwap(game, unit, from, to);
    return false;
  }
  const { slots } = world.inventoryOf(unit);
  slots[from] = met;
  slots[to] = moved;
  world.components.carried.slot[rowOf(moved)] = to;
  if (met !== noEntity) world.components.carried.slot[rowOf(met)] = from;
  resettle(game, moved);
  if (met !== noEntity) resettle(game, met);
  announceMove(game, moved, unit);
  if (met !== noEntity) announceMove(game, met, unit);
  if (!markOutdated(game, unit) && world.exists(unit)) selectSlot(game, unit, state.currentSlot);
  return true;
}

/**
 * Handles a refused swap as the reference does: the items keep their slots, but each gets the slot number of the other
 * and is visible or hidden as it would be in the other slot (reference: players#swapping-slots). Then the current slot
 * is selected again, even if no item was there to move. Bonuses follow the true slot, so that a client cannot keep
 * bonuses that it should lose.
 */
export function renumberSwapped(game: Game, unit: Entity, from: number, to: number): void {
  const { world } = game;
  const state = world.inventoryOf(unit);
  const areSlots = isSlot(state, from) && isSlot(state, to);
  const pair = [from, to].map((slot) => (areSlots ? itemInSlot(world, unit, slot) : noEntity));
  for (const [i, slot] of [to, from].entries()) {
    const item = pair[i]!;
    if (!world.exists(item) || !world.exists(unit)) continue;
    world.components.carried.slot[rowOf(item)] = slot;
    announceMove(game, item, unit);
    show(game, item);
  }
  if (world.exists(unit) && !markOutdated(game, unit)) selectSlot(game, unit, state.currentSlot);
}

function isSlot(state: InventoryState, slot: number) {
  return Number.isInteger(slot) && slot >= 0 && slot < state.slots.length;
}

/** Updates visibility and bonuses of an item for its new slot. */
function resettle(game: Game, item: Entity) {
  if (!game.world.exists(item)) return;
  show(game, item);
  updatePassiveBonus(game, item);
}

function show(game: Game, item: Entity) {
  const { world } = game;
  if (!world.exists(item)) return;
  const { hidden } = world.components.visibility;
  const before = hidden[rowOf(item)];
  settleItem(world, item);
  if (!game.rules.bodiesAreBuiltOnce || hidden[rowOf(item)] !== before) requestBody(game, item);
}

function mayBeIn(game: Game, item: Entity, unit: Entity, slot: number) {
  const state = game.world.inventoryOf(unit);
  const type = itemTypeOf(game.world, item);
  const { controls } = type.definition;
  if (slot >= carryingSlots(state)) return !controls?.undroppable && !controls?.untradable;
  if (slot < state.inventorySize && !meetsEquipRequirement(game, unit, type)) return false;
  const permitted = controls?.permittedInventorySlots ?? [];
  if (permitted.length === 0 || permitted.includes(slot + 1)) return true;
  if (slot < state.inventorySize) return false;
  return permitted.includes('backpack-slots') || controls?.backpackAllowed !== false;
}
