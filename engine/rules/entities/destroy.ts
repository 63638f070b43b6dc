import { type Entity, Life, rowOf } from '../../world/entity.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';
import { playEffect } from './state.ts';

/**
 * Takes an entity out of the game at once. Its owner loses it and it loses its items; its own scripts run while it still resolves. Then every lookup
 * forgets it. Its body collides until the next physics update (reference: creation#destruction). Does nothing for an entity that is gone or already
 * leaving.
 */
export function destroyEntity(game: Game, entity: Entity): void {
  const { world } = game;
  if (!world.exists(entity)) return;
  const row = rowOf(entity);
  if (world.components.rows.life[row] === Life.leaving) return;
  world.components.rows.life[row] = Life.leaving;
  emit(game, 'destroying', entity, undefined);
  world.triggers.fireEntity('initEntityDestroy', entity, {});
  playEffect(game, entity, 'destroy');
  game.physics.requestRemoval(entity);
  world.release(entity);
}
