import { type Entity, rowOf } from '../../world/entity.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';

/** Makes the player the owner of the unit (reference: units#ownership). */
export function changeOwner(game: Game, unit: Entity, player: Entity): void {
  const { world } = game;
  const row = rowOf(unit);
  if (world.components.identity.owner[row] !== player) emit(game, 'ownerChanging', unit, player);
  world.components.identity.owner[row] = player;
  world.wake(unit);
  emit(game, 'ownerChanged', unit, undefined);
}
