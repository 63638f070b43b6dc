import type { Entity } from '../../world/entity.ts';
import type { LastEntities, World } from '../../world/world.ts';

/** Makes an entity the one that scripts call the last of its sort (reference: scripts#last-values). */
export function setLast(world: World, name: keyof LastEntities, entity: Entity): void {
  world.last[name] = entity;
}
