import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import type { Game } from '../game.ts';
import { carrierOf } from './item-state.ts';
import { fireForItem } from './item-triggers.ts';

/**
 * Starts to use an item: the item is used in its next turn, and in every tick until its use is stopped (reference:
 * items-projectiles#use).
 */
export function startUsing(game: Game, item: Entity): void {
  const { world } = game;
  const row = rowOf(item);
  const use = world.components.itemUse;
  if (use.beingUsed[row] === 1) return;
  use.beingUsed[row] = 1;
  // Starting and stopping within one tick still gives one use.
  use.usePending[row] = 1;
  world.wake(item);
  const unit = carrierOf(world, item);
  if (unit === noEntity) return;
  fireForItem(game, item, unit, 'thisItemStartsBeingUsed', 'thisUnitStartsUsingAnItem', 'unitStartsUsingAnItem');
}

export function stopUsing(game: Game, item: Entity): void {
  const { beingUsed } = game.world.components.itemUse;
  if (beingUsed[rowOf(item)] === 0) return;
  beingUsed[rowOf(item)] = 0;
  const unit = carrierOf(game.world, item);
  if (unit === noEntity) return;
  fireForItem(game, item, unit, 'thisItemStopsBeingUsed', 'thisUnitStopsUsingAnItem', 'unitStopsUsingAnItem');
}

/** Stops the use of a unit's held item, for example because the unit was stunned. */
export function stopUsingHeldItem(game: Game, unit: Entity): void {
  const { heldItem } = game.world.inventoryOf(unit);
  if (game.world.exists(heldItem)) stopUsing(game, heldItem);
}

/** Uses the item once in its next tick, without the triggers for a start of use. */
export function useOnce(game: Game, item: Entity): void {
  game.world.components.itemUse.usePending[rowOf(item)] = 1;
  game.world.wake(item);
}
