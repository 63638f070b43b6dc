import { type Entity, Life, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';
import { playEffect } from './state.ts';

/**
 * Destroys an entity immediately. First its owner loses it, and it loses its items. Then its own scripts run, which can
 * still refer to the entity. After that, lookups no longer find it. Its body collides until the next physics update
 * (reference: creation#destruction). Does nothing if the entity is already destroyed or being destroyed.
 */
export function destroyEntity(game: Game, entity: Entity): void {
  const { world } = game;
  if (!world.exists(entity)) return;
  const row = rowOf(entity);
  if (world.components.rows.life[row] === Life.leaving) return;
  world.components.rows.life[row] = Life.leaving;
  emit(game, 'destroying', entity, undefined);
  leave(game, entity);
}

/**
 * Destroys an entity at the end of its life span as the reference does: everything that it owns or carries remains
 * (reference: tick#destruction).
 */
export function expireEntity(game: Game, entity: Entity): void {
  const { world } = game;
  if (!world.exists(entity) || world.components.rows.life[rowOf(entity)] === Life.leaving) return;
  world.components.rows.life[rowOf(entity)] = Life.leaving;
  emit(game, 'expiring', entity, undefined);
  leave(game, entity);
}

/** Destroying an entity that is already destroyed runs its last scripts once more, as in the reference. */
export function destroyAgain(game: Game, entity: Entity): void {
  if (game.world.exists(entity) || !game.world.remembers(entity)) return;
  runLastScripts(game, entity);
}

function leave(game: Game, entity: Entity) {
  runLastScripts(game, entity);
  game.physics.requestRemoval(entity);
  game.world.release(entity);
}

function runLastScripts(game: Game, entity: Entity) {
  game.world.triggers.fireEntity('initEntityDestroy', entity, payloadOf.nothing);
  playEffect(game, entity, 'destroy');
}
