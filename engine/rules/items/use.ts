import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { Game } from '../game.ts';
import { carrierOf } from './item-state.ts';

/**
 * Starts to use an item: it is used in its next turn, and in every tick until it is stopped (reference:
 * items-projectiles#use).
 */
export function startUsing(game: Game, item: Entity): void {
  const { world } = game;
  const row = rowOf(item);
  const c = world.components;
  if (c.itemUse.beingUsed[row] === 1) return;
  const use = c.itemUse;
  use.beingUsed[row] = 1;
  // Starting and stopping within one tick still gives one use.
  use.usePending[row] = 1;
  world.wake(item);
  const unit = carrierOf(world, item);
  if (unit === noEntity) return;
  world.triggers.fireEntity('thisItemStartsBeingUsed', item, payloadOf.unitAndItem, unit, item);
  if (world.exists(unit))
    world.triggers.fireEntity('thisUnitStartsUsingAnItem', unit, payloadOf.unitAndItem, unit, item);
  world.triggers.fireGlobal('unitStartsUsingAnItem', payloadOf.unitAndItem, unit, item);
}

export function stopUsing(game: Game, item: Entity): void {
  const { world } = game;
  const row = rowOf(item);
  const c = world.components;
  if (c.itemUse.beingUsed[row] === 0) return;
  c.itemUse.beingUsed[row] = 0;
  const unit = carrierOf(world, item);
  if (unit === noEntity) return;
  world.triggers.fireEntity('thisItemStopsBeingUsed', item, payloadOf.unitAndItem, unit, item);
  if (world.exists(unit))
    world.triggers.fireEntity('thisUnitStopsUsingAnItem', unit, payloadOf.unitAndItem, unit, item);
  world.triggers.fireGlobal('unitStopsUsingAnItem', payloadOf.unitAndItem, unit, item);
}

/** Stops the use of a unit's held item, for example because the unit was stunned. */
export function stopUsingHeldItem(game: Game, unit: Entity): void {
  const { heldItem } = game.world.components.inventory[rowOf(unit)]!;
  if (game.world.exists(heldItem)) stopUsing(game, heldItem);
}

/** Uses the item once in its next tick, without the triggers for a start of use. */
export function useOnce(game: Game, item: Entity): void {
  game.world.components.itemUse.usePending[rowOf(item)] = 1;
  game.world.wake(item);
}
