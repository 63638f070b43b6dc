import { Unmounted } from '../../components/unmounted.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';
import { lifeMs, setLifeSpan } from '../types/life-span.ts';

/**
 * Effects of an item's state beyond its body: whether it lies in the world, whether it is visible, and how long it
 * exists.
 */

/**
 * The unit that carries an item in a slot, or that uses the item without carrying it in a slot; 0 if there is none or
 * the unit no longer exists.
 */
export function carrierOf(world: World, item: Entity): Entity {
  const carrier = world.ownerOf(item);
  return world.is(carrier, Kind.unit) ? carrier : noEntity;
}

/**
 * Whether an item is in the state of items that lie in the world. Scripts can put a carried item into that state, too.
 */
export function isDropped({ world, rules }: Game, item: Entity): boolean {
  const index = world.components.identity.state[rowOf(item)]!;
  if (index < 0) return rules.itemsFallBackToNearestState && carrierOf(world, item) === noEntity;
  const type = itemTypeOf(world, item);
  return type.states[index]!.key === 'dropped' || (rules.itemsFallBackToNearestState && index === type.defaultState);
}

/**
 * Updates an item that has entered a state: its visibility, its life span and its place in the update order. Does
 * nothing for entities of other kinds.
 */
export function settleEnteredState(game: Game, entity: Entity, again: boolean): void {
  const { world } = game;
  if (world.kindOf(entity) !== Kind.item) return;
  settleItem(world, entity);
  restartLifeSpan(game, entity, again);
  if (world.has(entity, Unmounted) && isDropped(game, entity)) {
    world.remove(entity, Unmounted);
    world.order.moveToEnd(entity);
  }
}

/**
 * Updates whether an item is hidden. Call this after the item's state, slot or carrier has changed, and before its body
 * is rebuilt. An item is hidden if it has no body, is in the backpack, or is carried by a hidden unit (reference:
 * items-projectiles#item-states).
 */
export function settleItem(world: World, item: Entity): void {
  const row = rowOf(item);
  const c = world.components;
  const carrier = carrierOf(world, item);
  const body = c.bodyType[row];
  let hidden = body === undefined || body.type === 'none';
  if (carrier !== noEntity) {
    hidden ||=
      c.visibility.hidden[rowOf(carrier)] === 1 || c.carried.slot[row]! >= c.inventory[rowOf(carrier)]!.inventorySize;
  }
  c.visibility.hidden[row] = hidden ? 1 : 0;
}

/**
 * Must be called when an item has entered a state; `again` if the item was already in that state. Dropping an item
 * restarts the life span of its type, even if `again`, except in the reference. A carried item has no life span until a
 * script sets one (reference: items-projectiles#item-states).
 */
export function restartLifeSpan(game: Game, item: Entity, again: boolean): void {
  const lies = isDropped(game, item) ? lifeMs(itemTypeOf(game.world, item).definition) : undefined;
  // In the reference, entering the same state again changes nothing.
  if (again && (lies === undefined || !game.rules.itemsFallBackToNearestState)) return;
  setLifeSpan(game.world, item, lies ?? Infinity);
}
