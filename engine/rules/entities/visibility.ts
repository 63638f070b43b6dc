import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';
import { requestBody } from './state.ts';

/**
 * Hides an entity and removes its body from physics. A hidden unit does nothing until it is shown (reference:
 * units#visibility).
 */
export function hideEntity(game: Game, entity: Entity): void {
  const row = rowOf(entity);
  const c = game.world.components;
  const isUnit = c.identity.kind[row] === Kind.unit;
  if (isUnit) {
    if (c.visibility.hidden[row] === 1) return;
    // Movement that keys and scripts have requested persists: a unit that is shown while its key is down continues to
    // walk.
    c.velocity.x[row] = 0;
    c.velocity.y[row] = 0;
    emit(game, 'hiding', entity, undefined);
    // The entity's scripts may have destroyed it, or hidden it already.
    if (!game.world.exists(entity) || c.visibility.hidden[row] === 1) return;
  }
  c.visibility.hidden[row] = 1;
  if (isUnit) emit(game, 'hidden', entity, undefined);
  requestBody(game, entity);
}

export function showEntity(game: Game, entity: Entity): void {
  const row = rowOf(entity);
  const c = game.world.components;
  const isUnit = c.identity.kind[row] === Kind.unit;
  if (isUnit && (c.visibility.hidden[row] === 0 || game.rules.staysHidden(game, entity))) return;
  c.visibility.hidden[row] = 0;
  if (isUnit) {
    game.world.wake(entity);
    emit(game, 'shown', entity, undefined);
  }
  requestBody(game, entity);
}
