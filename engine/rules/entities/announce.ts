import type { Entity } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { Game } from '../game.ts';

/**
 * Fires the creation triggers of an entity: first the global one, then its own (reference: creation#all-entities). Must
 * be called by the code that creates the entity, when the entity is complete.
 */
export function announceCreated({ world }: Game, entity: Entity): void {
  world.triggers.fireGlobal('entityCreatedGlobal', payloadOf.entity, entity);
  if (world.exists(entity)) world.triggers.fireEntity('entityCreated', entity, payloadOf.nothing);
}
