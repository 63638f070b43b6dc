import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { itemTypeOf, unitTypeOf } from '../../world/types.ts';
import { destroyEntity } from '../entities/destroy.ts';
import type { IsOver } from '../events.ts';
import type { Game } from '../game.ts';
import { mayUse } from './bonus.ts';
import {
  carryingSlots,
  emptySlotFor,
  isInSlot,
  itemInSlot,
  releaseToWorld,
  selectSlot,
  setStateOfSlot,
  tradeSlots,
} from './inventory.ts';

import { giveItem, mayCarry } from './pick-up.ts';

/** Items that a unit carries because of its type, when it is created and when its type changes. */

/** Gives a unit the default items of its type, in order, and selects its first slot. */
export function giveDefaultItems(game: Game, unit: Entity): void {
  const { world } = game;
  const { definition } = unitTypeOf(world, unit);
  for (const { key, quantity } of definition.defaultItems) {
    const type = key === undefined ? undefined : world.types.item.get(key);
    if (type !== undefined) giveItem(game, unit, { type, quantity, isUnplaced: true });
    if (!world.exists(unit)) return;
  }
  selectSlot(game, unit, 0);
}

/**
 * Adapts a unit's items to its new type, which has other slots and attributes. Items that the new type may not carry
 * are destroyed. Items left without a slot move to a free one or are dropped; in the reference, they stay. The
 * remaining items get the state of their slot and the bonuses that count there (reference: units#type-changes). Stops
 * as soon as `isOver` is true after scripts have run: the unit is gone, or its type has changed again.
 */
export function refreshItemsForType(game: Game, unit: Entity, isOver: IsOver): void {
  const { world } = game;
  const state = world.inventoryOf(unit);
  const end = carryingSlots(state);
  for (const [slot, item] of [...state.slots].entries()) {
    if (!isInSlot(world, item, unit, slot)) continue;
    const type = itemTypeOf(world, item);
    if (!mayCarry(game, unit, type)) {
      destroyEntity(game, item);
      if (isOver()) return;
      continue;
    }
    let place = slot;
    if (slot >= end && game.rules.typeChangesEmptyLostSlots) {
      place = emptySlotFor(game, unit, type);
      if (place < 0) {
        releaseToWorld(game, item, unit, slot);
        if (isOver()) return;
        continue;
      }
      state.slots[slot] = noEntity;
      state.slots[place] = item;
      world.components.carried.slot[rowOf(item)] = place;
    }
    setStateOfSlot(game, item, unit, place, mayUse(world, unit, type.definition.canBeUsedBy));
    if (isOver()) return;
    if (isInSlot(world, item, unit, place)) game.rules.typeChange.keepBonus(game, item);
    if (isOver()) return;
  }
  const last = state.slots.findLastIndex((item) => item !== noEntity);
  state.slots.length = Math.max(end + tradeSlots, last + 1);
  state.heldItem = itemInSlot(world, unit, state.currentSlot);
}
