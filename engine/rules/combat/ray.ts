import { RayPoint } from '../../components/ray-point.ts';
import type { RayHits } from '../../physics/ray.ts';
import type { Entity } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/**
 * Makes a cast ray the last one that scripts can ask about: whom it met, nearest first, and where (reference: scripts#last-values). Of all hits the
 * first `count` are kept. The list is a new one: damage done along the way may have scripts cast rays of their own.
 */
export function keepRay({ world }: Game, hits: RayHits, count = hits.count): void {
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
