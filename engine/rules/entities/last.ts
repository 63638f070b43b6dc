import type { Entity } from '../../world/entity.ts';
import type { LastEntities } from '../../world/script-memory.ts';
import type { World } from '../../world/world.ts';

/**
 * Records an entity as the last one of its sort, such as the last created unit, for scripts (reference:
 * scripts#last-values).
 */
export function setLast(world: World, name: keyof LastEntities, entity: Entity): void {
  world.memory.last[name] = entity;
}
