import { type DelayedUse, DelayedUses } from '../../components/delayed-uses.ts';
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

/** Puts off a part of a use. Two parts of one item can have different delays; equal times keep their order. Nothing happens for an item that is gone. */
export function delayUse(world: World, item: Entity, part: DelayedUse['part'], delayMs: number): void {
  if (!world.exists(item)) return;
  const uses = world.ensure(item, DelayedUses);
  uses.push({ part, dueMs: world.clock.nowMs + delayMs });
  uses.sort((a, b) => a.dueMs - b.dueMs);
  world.wake(item);
}

/** Begins to reload what a unit holds. Nothing happens for what cannot be reloaded, is full, or is being reloaded. */
export function startReload(game: Game, item: Entity): void {
  const { world } = game;
  if (isReloading(world, item) || !isReloadable(world, item)) return;
  const { definition } = itemTypeOf(world, item);
  const delayMs = Math.max(0, buffedField(world, item, 'reloadRate'));
  delayUse(world, item, 'reload', delayMs);
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
  if (world.components.inventory[rowOf(unit)]?.heldItem !== item) return false;
  return Number.isFinite(c.stack.maxQuantity[row]!) && c.stack.quantity[row]! < c.stack.maxQuantity[row]!;
}

export function isReloading(world: World, item: Entity): boolean {
  for (const { part } of world.components.delayedUses[rowOf(item)] ?? []) if (part === 'reload') return true;
  return false;
}

/** Put away, a gun is as it was. */
export function cancelReload(world: World, item: Entity): void {
  const uses = world.components.delayedUses[rowOf(item)];
  if (uses === undefined) return;
  const others = uses.filter(({ part }) => part !== 'reload');
  if (others.length === 0) world.remove(item, DelayedUses);
  else world.components.delayedUses[rowOf(item)] = others;
}

/** As full as it can be; an endless supply stays endless. */
export function fillUp(world: World, item: Entity): void {
  const row = rowOf(item);
  const { quantity, maxQuantity } = world.components.stack;
  if (Number.isFinite(maxQuantity[row]!))
    world.components.stack.quantity[row] = Math.max(quantity[row]!, maxQuantity[row]!);
}
