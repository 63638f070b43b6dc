import type { Entity } from '../../world/entity.ts';
import type { LastEntities } from '../../world/script-memory.ts';
import type { World } from '../../world/world.ts';

/**
 * Makes an entity the last one of its sort for scripts, such as the last created unit (reference: scripts#last-values).
 */
export function setLast(world: World, name: keyof LastEntities, entity: Entity): void {
  world.memory.last[name] = entity;
}
