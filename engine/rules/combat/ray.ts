import { RayPoint } from '../../components/ray-point.ts';
import type { RayHits } from '../../physics/ray.ts';
import { type Entity, Kind, noEntity } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';

/**
 * Whether a hit of a ray is a wall. Walls that were built after the entity limit was reached have no entity. The body
 * of a destroyed unit, which remains until the next step, is not a wall.
 */
export function isWall(world: World, hits: RayHits, index: number): boolean {
  const entity = hits.entities[index]!;
  return entity === noEntity || world.is(entity, Kind.wall);
}

/**
 * Stores a cast ray as the last one for scripts: the entities it hit, nearest first, and where (reference:
 * scripts#last-values). Keeps only the first `count` hits. Makes a new list each time, because damage along the ray can
 * run scripts that cast other rays.
 */
export function rememberRay({ world }: Game, hits: RayHits, count = hits.count): void {
  const met: Entity[] = [];
  for (let i = 0; i < count; i++) {
    const entity = hits.entities[i]!;
    if (!world.exists(entity)) continue;
    met.push(entity);
    const point = world.ensure(entity, RayPoint);
    point.x = hits.x[i]!;
    point.y = hits.y[i]!;
  }
  world.memory.lastRaycast = met;
  world.memory.hasCastRay = true;
}
