import { type Entity, Life, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
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
  leave(game, entity);
}

/** As the reference does at the end of a life span: the entity goes, and what it has stays (reference: tick#destruction). */
export function expireEntity(game: Game, entity: Entity): void {
  const { world } = game;
  if (!world.exists(entity) || world.components.rows.life[rowOf(entity)] === Life.leaving) return;
  world.components.rows.life[rowOf(entity)] = Life.leaving;
  emit(game, 'expiring', entity, undefined);
  leave(game, entity);
}

/** As the reference does to what is gone already: its last scripts run once more. */
export function destroyAgain(game: Game, entity: Entity): void {
  if (game.world.exists(entity) || !game.world.remembers(entity)) return;
  runLastScripts(game, entity);
}

function leave(game: Game, entity: Entity): void {
  runLastScripts(game, entity);
  game.physics.requestRemoval(entity);
  game.world.release(entity);
}

function runLastScripts(game: Game, entity: Entity): void {
  const { world } = game;
  world.triggers.fireEntity('initEntityDestroy', entity, payloadOf.nothing);
  playEffect(game, entity, 'destroy');
}
