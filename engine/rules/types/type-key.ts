import { UnknownType } from '../../components/unknown-type.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { typeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';

/**
 * The key of the type of a unit or player, even if the definition has no type with that key; undefined if the entity
 * has no type yet.
 */
export function typeKey(world: World, entity: Entity): string | undefined {
  return world.components.unknownType[rowOf(entity)] ?? typeOf(world, entity)?.key;
}

/**
 * The key of a player's type, also for a player who has left but whose units remain; undefined if the player has no
 * type yet.
 */
export function playerTypeKey(world: World, player: Entity): string | undefined {
  return world.remembersPlayer(player) ? typeKey(world, player) : undefined;
}

/**
 * Handles a script's request for a type that does not exist. In the reference, the entity then reports the requested
 * key as its type, and nothing else changes.
 */
export function failToChangeType({ world, rules }: Game, entity: Entity, key: string): void {
  if (rules.typesMustExist) return;
  world.add(entity, UnknownType);
  world.components.unknownType[rowOf(entity)] = key;
}

/**
 * Called when the type has changed to one that exists, so that scripts no longer see an earlier requested type that did
 * not exist.
 */
export function forgetUnknownType(world: World, entity: Entity): void {
  world.remove(entity, UnknownType);
}
