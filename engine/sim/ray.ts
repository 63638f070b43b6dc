import type { Point } from '../components/point.ts';
import { aheadX, aheadY, hypot } from '../core/dmath.ts';
import { UsageError } from '../core/usage-error.ts';
import { isSane } from '../physics/bodies.ts';
import { RayHits } from '../physics/ray.ts';
import { isWall } from '../rules/combat/ray.ts';
import type { Game } from '../rules/game.ts';
import { requireNumbers } from './argument-checks.ts';
import type { UnitHandle } from './handle-kinds.ts';
import type { Handles } from './handles.ts';

/** The end of a ray: a position (px), or a direction (radians, 0 up, clockwise) and a length (px) from the start. */
export type RayEnd = Point | { readonly angle: number; readonly length: number };

/** The first thing that a ray hits, and the point of the hit, px. */
export interface RayHit {
  /** The unit that was hit; undefined for a wall. */
  readonly unit: UnitHandle | undefined;
  readonly x: number;
  readonly y: number;
  /** The distance of the point from the start of the ray, px. */
  readonly distance: number;
}

/** Reused by every call. */
const hits = new RayHits();

export function firstHit({ physics, world }: Game, handles: Handles, from: Point, to: RayEnd): RayHit | undefined {
  requireNumbers('`from`', from, 'x', 'y');
  requireNumbers('`to`', to);
  // Tests `length` rather than `angle`, because handles have both a position and an angle.
  requireNumbers('`to`', to, ...('length' in to ? ['angle', 'length'] : ['x', 'y']));
  const end =
    'length' in to ? { x: from.x + aheadX(to.angle) * to.length, y: from.y + aheadY(to.angle) * to.length } : to;
  // Rejects coordinates that physics would refuse, which would record a fault of the game.
  if (![from.x, from.y, end.x, end.y].every(isSane))
    throw new UsageError('bad-value', `A ray from (${from.x}, ${from.y}) to (${end.x}, ${end.y}) is too long.`);
  physics.castRay(from.x, from.y, end.x, end.y, hits);
  for (let i = 0; i < hits.count; i++) {
    // The body of a unit that was destroyed after the last physics update is still there.
    const unit = handles.unit(hits.entities[i]!);
    if (unit === undefined && !isWall(world, hits, i)) continue;
    const x = hits.x[i]!;
    const y = hits.y[i]!;
    return { unit, x, y, distance: hypot(x - from.x, y - from.y) };
  }
  return undefined;
}
