import type { Point } from '../../components/point.ts';
import type { Area } from '../../components/region.ts';
import type { Entity } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/**
 * Fills `out` with the entities whose bodies overlap an area, oldest first; entities without a body are left out. Tests
 * the exact shapes; the reference tests padded boxes around them (reference: physics#area-queries).
 */
export function entitiesInArea({ physics }: Game, area: Area, out: Entity[]): number {
  return physics.queryArea(area.x, area.y, area.width, area.height, out);
}

/**
 * A random position in whole px, uniform from the left and top edges up to but not including the right and bottom ones.
 */
export function randomPositionIn({ world }: Game, area: Area): Point {
  const random = world.random.stream('script');
  const x = Math.floor(random.next() * area.width + area.x);
  const y = Math.floor(random.next() * area.height + area.y);
  return { x, y };
}
