import { type Entity, Kind, Life, noEntity, rowOf } from '../../world/entity.ts';
import { dropTargets } from '../ai/ai.ts';
import { removeSensor } from '../ai/sensor.ts';
import type { Game } from '../game.ts';
import { detachItem } from '../items/inventory.ts';
import { disownUnit } from '../players/ownership.ts';
import { playEffect } from './state.ts';

/**
 * Takes an entity out of the game at once: its owner lets go of it, what it carries goes with it, its own scripts hear of it while it
 * still resolves, then every lookup forgets it. Its body collides until the next physics update (reference: creation#destruction).
 * Does nothing for an entity that is gone or already leaving.
 */
export function destroyEntity(game: Game, entity: Entity): void {
  const { world } = game;
  if (!world.exists(entity)) return;
  const row = rowOf(entity);
  if (world.components.rows.life[row] === Life.leaving) return;
  world.components.rows.life[row] = Life.leaving;
  switch (world.components.identity.kind[row]) {
    case Kind.unit: {
      const owner = world.components.identity.owner[row]!;
      if (world.exists(owner)) disownUnit(game, owner, entity);
      removeSensor(game, entity);
      dropTargets(game, entity);
      for (const item of [...world.units[row]!.slots]) if (item !== noEntity) destroyEntity(game, item);
      break;
    }
    case Kind.item:
      detachItem(game, entity);
      break;
  }
  world.fireEntity('initEntityDestroy', entity, {});
  playEffect(game, entity, 'destroy');
  game.physics.requestRemoval(entity);
  world.release(entity);
}
