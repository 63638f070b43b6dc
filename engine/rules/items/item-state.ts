import { Unmounted } from '../../components/unmounted.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';
import { lifeMs, setLifeSpan } from '../types/life-span.ts';

/** Effects of an item's state other than its body: whether it lies in the world, is visible, and how long it stays. */

/** The unit that carries an item, whether in a slot or as its user without one; 0 for none, or one that is gone. */
export function carrierOf(world: World, item: Entity): Entity {
  const carrier = world.components.identity.owner[rowOf(item)]!;
  return world.is(carrier, Kind.unit) ? carrier : noEntity;
}

/** In the state that items lie in the world in. Scripts can put a carried item there too. */
export function isDropped({ world, chosen }: Game, item: Entity): boolean {
  const index = world.components.identity.state[rowOf(item)]!;
  if (index < 0) return chosen.itemsFindStates && carrierOf(world, item) === noEntity;
  const type = itemTypeOf(world, item);
  return type.states[index]!.key === 'dropped' || (chosen.itemsFindStates && index === type.defaultState);
}

/** An item was put into a state by what puts any entity into one. */
export function settleEnteredState(game: Game, entity: Entity, again: boolean): void {
  const { world } = game;
  if (world.components.identity.kind[rowOf(entity)] !== Kind.item) return;
  settleItem(world, entity);
  restartLifeSpan(game, entity, again);
  if (world.has(entity, Unmounted) && isDropped(game, entity)) {
    world.remove(entity, Unmounted);
    world.order.moveToEnd(entity);
  }
}

/**
 * To be called whenever an item's state, slot or carrier changed, before its body is rebuilt. An item without a body, in the backpack or on a hidden
 * unit is hidden (reference: items-projectiles#item-states).
 */
export function settleItem(world: World, item: Entity): void {
  const row = rowOf(item);
  const c = world.components;
  const carrier = carrierOf(world, item);
  const body = world.components.bodyType[row];
  let hidden = body === undefined || body.type === 'none';
  if (carrier !== noEntity) {
    hidden ||=
      c.visibility.hidden[rowOf(carrier)] === 1 ||
      c.carried.slot[row]! >= world.components.inventory[rowOf(carrier)]!.inventorySize;
  }
  world.components.visibility.hidden[row] = hidden ? 1 : 0;
}

/**
 * To be called when an item was put into a state. The life span of its type starts anew whenever it is dropped, `again` or not. A carried item has no
 * life span until a script gives it one (reference: items-projectiles#item-states).
 */
export function restartLifeSpan(game: Game, item: Entity, again: boolean): void {
  const { world } = game;
  const lies = isDropped(game, item) ? lifeMs(itemTypeOf(world, item).definition) : undefined;
  // In the reference the same state again changes nothing.
  if (again && (lies === undefined || !game.chosen.itemsFindStates)) return;
  setLifeSpan(world, item, lies ?? Number.POSITIVE_INFINITY);
}
