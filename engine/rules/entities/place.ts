import type { Point } from '../../components/point.ts';
import { hypot } from '../../core/dmath.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';

/** Position in px, angle in radians. */
export interface Pose extends Readonly<Point> {
  readonly angle: number;
}

/** The position of the centre of a new entity, and its angle, clockwise from up. */
export interface NewPose extends Pose {
  /** Whether the entity is created with its own size. The reference then requests its body a second time. */
  readonly isSized?: boolean;
}

/** The centre of an entity, px. */
export function centreOf({ components: { transform } }: World, entity: Entity): Point {
  const row = rowOf(entity);
  return { x: transform.x[row]!, y: transform.y[row]! };
}

export function poseOf(world: World, entity: Entity): Pose {
  return { ...centreOf(world, entity), angle: world.components.transform.angle[rowOf(entity)]! };
}

/** The distance between the centre of an entity and a point, px. */
export function distanceTo({ components: { transform } }: World, entity: Entity, { x, y }: Point): number {
  const row = rowOf(entity);
  return hypot(transform.x[row]! - x, transform.y[row]! - y);
}
