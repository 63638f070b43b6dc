import { type Entity, rowOf } from '../../world/entity.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';
import { buffedField } from '../types/buff-catalogue.ts';
import { carrierOf } from './item-state.ts';

/**
 * Ammunition (specification, Limits: `maxQuantity` is the capacity, `reloadRate` a time in ms). A gun spends its quantity; reloading fills it
 * up again, `reloadRate` after it began. Nothing reloads by itself: games sell ammunition. No reference engine reloads.
 */

/** Begins to reload what a unit holds. Nothing happens for what cannot be reloaded, is full, or is being reloaded. */
export function startReload(game: Game, item: Entity): void {
  const { world } = game;
  if (isReloading(world, item) || !isReloadable(world, item)) return;
  const row = rowOf(item);
  const { definition } = itemTypeOf(world, item);
  const delayMs = Math.max(0, buffedField(world, item, 'reloadRate'));
  const { delayed } = world.components.item[row]!;
  delayed.push({ part: 'reload', dueMs: world.clock.nowMs + delayMs });
  world.wake(item);
  delayed.sort((a, b) => a.dueMs - b.dueMs);
  if (definition.effects.has('reload')) world.post('effect', { entityId: world.ref(item)?.id, effect: 'reload' });
}

/** A gun in a unit's hand that knows how long it takes and how much it holds. An item that is removed when empty is not reloaded. */
function isReloadable(world: World, item: Entity): boolean {
  const { definition } = itemTypeOf(world, item);
  if (definition.type !== 'weapon' || !definition.isGun || definition.reloadRate === undefined) return false;
  if (definition.removeWhenEmpty) return false;
  const c = world.components;
  const row = rowOf(item);
  const unit = carrierOf(world, item);
  if (world.components.unit[rowOf(unit)]?.heldItem !== item) return false;
  return Number.isFinite(c.stack.maxQuantity[row]!) && c.stack.quantity[row]! < c.stack.maxQuantity[row]!;
}

export function isReloading(world: World, item: Entity): boolean {
  for (const { part } of world.components.item[rowOf(item)]!.delayed) if (part === 'reload') return true;
  return false;
}

/** Put away, a gun is as it was. */
export function cancelReload(world: World, item: Entity): void {
  const state = world.components.item[rowOf(item)]!;
  if (state.delayed.length > 0) state.delayed = state.delayed.filter(({ part }) => part !== 'reload');
}

/** As full as it can be; an endless supply stays endless. */
export function fillUp({ components }: World, item: Entity): void {
  const row = rowOf(item);
  if (Number.isFinite(components.stack.maxQuantity[row]!))
    components.stack.quantity[row] = Math.max(components.stack.quantity[row]!, components.stack.maxQuantity[row]!);
}
