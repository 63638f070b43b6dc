import { DelayedUses } from '../../components/delayed-uses.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { itemTypeOf, type RuntimeItemType } from '../../world/types.ts';
import { changes, changesIn, creates, destroys, fires, only, rule, tells } from '../effects.ts';
import { destroyEntity } from '../entities/destroy.ts';
import type { Game } from '../game.ts';
import { giveConsumableBonus, mayUse } from './bonus.ts';
import { canAfford, payCost } from './cost.ts';
import { carrierOf } from './item-state.ts';
import { fireForItem } from './item-triggers.ts';
import { delayUse, fillUp, isReloading } from './reload.ts';
import { stopUsing } from './use.ts';
import { fireGun, strikeMelee } from './weapon.ts';

/** The effects include paying the cost of a use, and the bonuses of consumables. */
export const itemUse = rule(
  'uses of items',
  ['tick'],
  changesIn('item', 'use', 'quantity', 'velocity'),
  changesIn('unit', 'attribute', 'velocity', 'items', 'slot'),
  changesIn('player', 'attribute'),
  only('standard', changes('account', 'player')),
  changes('last'),
  creates('projectile'),
  destroys('item'),
  fires('itemIsUsed', 'thisUnitUsesItem', 'unitUsesItem', 'raycastItemFired', 'ThisItemsQuantityBecomesZero'),
  tells('effect'),
);

/**
 * Attempts to use an item once (reference: items-projectiles#use). The triggers of a use fire before its effect,
 * because games use them to change the effect.
 */
export function attemptUse(game: Game, item: Entity): void {
  const { world } = game;
  const unit = carrierOf(world, item);
  if (unit === noEntity) return;
  const row = rowOf(item);
  const c = world.components;
  const type = itemTypeOf(world, item);
  const { definition } = type;
  if (definition.type === 'unusable') return;
  if (!mayUse(world, unit, definition.canBeUsedBy)) return;
  // An item that is being reloaded stays in use, and fires again as soon as it is loaded.
  if (isReloading(world, item)) return;
  if (c.stack.quantity[row]! < quantityPerUse(type.definition)) {
    if (definition.effects.has('empty')) world.post('effect', { entityId: world.ref(item)?.id, effect: 'empty' });
    stopUsing(game, item);
    return;
  }
  world.memory.last.usedItem = item;
  // Without a fire rate, the sum is NaN and the comparison is false, so the item is never ready.
  if (!(c.itemUse.usedAtMs[row]! + c.itemUse.fireRateMs[row]! < world.clock.loopMs)) return;
  if (!canAfford(game, unit, definition.cost)) return;
  payCost(game, unit, definition.cost);
  c.itemUse.usedAtMs[row] = world.clock.loopMs;
  fireForItem(game, item, unit, 'itemIsUsed', 'thisUnitUsesItem', 'unitUsesItem');
  // Dropping or destroying the item in these scripts does not prevent the effect of the use (reference:
  // items-projectiles#use).
  const isThere = game.rules.usersMustSurvive ? world.exists(unit) : world.remembers(unit);
  if (!isThere || !world.remembers(item)) return;
  // The script of this effect never runs on a server (reference: units#effects), because the triggers of a use take its
  // place.
  if (definition.effects.has('use')) world.post('effect', { entityId: world.handle(item)?.id, effect: 'use' });
  const delayMs = definition.delayBeforeUse ?? 0;
  if (delayMs > 0) delayUse(world, item, 'effect', delayMs);
  else takeEffect(game, item, unit);
}

/** Carries out delayed uses that are due. Uses of an item that has lost its carrier are discarded. */
export function finishDelayedUses(game: Game, item: Entity): void {
  const { world } = game;
  const { delayedUses } = world.components;
  const row = rowOf(item);
  for (
    let uses = delayedUses[row];
    uses !== undefined && uses[0]!.dueMs <= world.clock.nowMs;
    uses = delayedUses[row]
  ) {
    const { part } = uses.shift()!;
    if (uses.length === 0) world.remove(item, DelayedUses);
    const unit = carrierOf(world, item);
    if (unit === noEntity) world.remove(item, DelayedUses);
    else if (part === 'reload') fillUp(world, item);
    else if (part === 'strike') strikeMelee(game, item, unit);
    else if (world.components.stack.quantity[rowOf(item)]! >= quantityPerUse(itemTypeOf(world, item).definition))
      takeEffect(game, item, unit);
    if (!world.exists(item)) return;
  }
}

function takeEffect(game: Game, item: Entity, unit: Entity) {
  const { world } = game;
  const { definition } = itemTypeOf(world, item);
  if (definition.type === 'weapon' && definition.isGun) {
    fireGun(game, item, unit);
  } else if (definition.type === 'weapon') {
    const delayMs = definition.damageDelay ?? 0;
    if (delayMs > 0) delayUse(world, item, 'strike', delayMs);
    else strikeMelee(game, item, unit);
  } else if (definition.type === 'consumable') {
    giveConsumableBonus(game, item, unit);
    // Each start of a use consumes the item only once, however long the use lasts.
    if (world.exists(item)) stopUsing(game, item);
  }
  if (world.exists(item)) spend(game, item);
}

/** The quantity that one use takes: 1 by default, and 1 instead of 0 for a consumable. */
export function quantityPerUse(definition: RuntimeItemType['definition']): number {
  const { quantity } = definition.cost;
  if (quantity === undefined) return 1;
  return quantity === 0 && definition.type === 'consumable' ? 1 : quantity;
}

function spend(game: Game, item: Entity) {
  const c = game.world.components;
  const row = rowOf(item);
  const before = c.stack.quantity[row]!;
  const cost = quantityPerUse(itemTypeOf(game.world, item).definition);
  if (before === Infinity || !(before > 0) || !(cost > 0)) return;
  c.stack.quantity[row] = before - cost;
  game.rules.spent(game, item, before - cost <= 0);
}

/** The scripts for an empty item run before the item is removed, so that they find it and its carrier. */
export function fireThenRemove(game: Game, item: Entity, isZero: boolean): void {
  if (isZero) game.world.triggers.fireEntity('ThisItemsQuantityBecomesZero', item, payloadOf.nothing);
  if (game.world.exists(item)) removeWhenEmpty(game, item);
}

/** As in the reference, the scripts for an empty item run after the item's removal, if the item is removed. */
export function removeThenFire(game: Game, item: Entity, isZero: boolean): void {
  removeWhenEmpty(game, item);
  if (isZero) game.world.triggers.fireEntity('ThisItemsQuantityBecomesZero', item, payloadOf.nothing);
}

/**
 * Sets an item's quantity, without clamping it to the maximum; Infinity for unlimited. An item that is removed when
 * empty is removed at exactly 0.
 */
export function setQuantity(game: Game, item: Entity, quantity: number): void {
  game.world.components.stack.quantity[rowOf(item)] = quantity;
  removeWhenEmpty(game, item);
}

function removeWhenEmpty(game: Game, item: Entity) {
  if (
    game.world.components.stack.quantity[rowOf(item)] === 0 &&
    itemTypeOf(game.world, item).definition.removeWhenEmpty
  )
    destroyEntity(game, item);
}
