import type { Entity } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/** Tells everybody, then the entity itself (reference: creation#all-entities). Whoever creates an entity calls this when it is complete. */
export function announceCreated(game: Game, entity: Entity): void {
  const { world } = game;
  world.triggers.fireGlobal('entityCreatedGlobal', { entity });
  if (world.exists(entity)) world.triggers.fireEntity('entityCreated', entity, {});
}
