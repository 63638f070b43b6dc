import { type DelayedUse, DelayedUses } from '../../components/delayed-uses.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { changesIn, rule } from '../effects.ts';
import type { Game } from '../game.ts';
import { buffedField } from '../types/buff-catalogue.ts';
import { carrierOf } from './item-state.ts';

/**
 * Ammunition (specification, Limits: `maxQuantity` is the capacity, `reloadRate` a time in ms). A gun uses up its
 * quantity; a reload refills the quantity `reloadRate` after the reload began. Guns do not reload automatically,
 * because games sell ammunition. No reference engine reloads.
 */

export const reloading = rule('reloading', ['tick'], changesIn('item', 'use', 'quantity'));

/**
 * Delays one part of a use. The parts can have different delays; parts due at the same time keep their order. Does
 * nothing if the item no longer exists.
 */
export function delayUse(world: World, item: Entity, part: DelayedUse['part'], delayMs: number): void {
  if (!world.exists(item)) return;
  const uses = world.ensure(item, DelayedUses);
  uses.push({ part, dueMs: world.clock.nowMs + delayMs });
  uses.sort((a, b) => a.dueMs - b.dueMs);
  world.wake(item);
}

/** Starts to reload a held gun. Does nothing if the item cannot be reloaded, is full, or is already reloading. */
export function startReload({ world }: Game, item: Entity): void {
  if (isReloading(world, item) || !isReloadable(world, item)) return;
  const { definition } = itemTypeOf(world, item);
  const delayMs = Math.max(0, buffedField(world, item, 'reloadRate'));
  delayUse(world, item, 'reload', delayMs);
  if (definition.effects.has('reload')) world.post('effect', { entityId: world.ref(item)?.id, effect: 'reload' });
}

/**
 * Whether the item is a gun in a unit's hand with a reload time and a capacity. An item that is removed when empty
 * cannot be reloaded.
 */
function isReloadable(world: World, item: Entity) {
  const { definition } = itemTypeOf(world, item);
  if (definition.type !== 'weapon' || !definition.isGun || definition.reloadRate === undefined) return false;
  if (definition.removeWhenEmpty) return false;
  const c = world.components;
  const row = rowOf(item);
  const unit = carrierOf(world, item);
  if (c.inventory[rowOf(unit)]?.heldItem !== item) return false;
  return Number.isFinite(c.stack.maxQuantity[row]!) && c.stack.quantity[row]! < c.stack.maxQuantity[row]!;
}

export function isReloading(world: World, item: Entity): boolean {
  for (const { part } of world.components.delayedUses[rowOf(item)] ?? []) if (part === 'reload') return true;
  return false;
}

/** Cancels a reload in progress; the gun keeps the quantity it had. */
export function cancelReload(world: World, item: Entity): void {
  const uses = world.components.delayedUses[rowOf(item)];
  if (uses === undefined) return;
  const others = uses.filter(({ part }) => part !== 'reload');
  if (others.length === 0) world.remove(item, DelayedUses);
  else world.components.delayedUses[rowOf(item)] = others;
}

/** Fills an item up to its maximum quantity; an unlimited quantity stays unlimited. */
export function fillUp(world: World, item: Entity): void {
  const row = rowOf(item);
  const { quantity, maxQuantity } = world.components.stack;
  if (Number.isFinite(maxQuantity[row]!))
    world.components.stack.quantity[row] = Math.max(quantity[row]!, maxQuantity[row]!);
}
