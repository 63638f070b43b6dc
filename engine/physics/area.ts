import { type Entity, Life, noEntity, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import { at, stride } from './flat/body-fields.ts';
import { cornerStride } from './flat/outline.ts';
import type { Space } from './flat/space.ts';
import { pixelsPerMetre } from './scale.ts';

/** What must overlap an area for a body to be found: the exact shapes of the body, or its bounding boxes. */
export type AreaTest = 'shapes' | 'boxes';

/**
 * Finds the bodies that overlap a rectangle. With `shapes`, their exact shapes are tested, and touching edges count.
 * With `boxes`, the boxes of the broad phase are tested, in its order: as in the reference, this also finds bodies up
 * to 3 px away, and farther ones if they move or are rotated (reference: physics#area-queries).
 */
export class AreaQuery {
  // The edges of the area of the current query, in metres.
  private left = 0;
  private top = 0;
  private right = 0;
  private bottom = 0;

  constructor(
    private readonly world: World,
    private readonly space: Space,
    private readonly test: AreaTest,
  ) {}

  /**
   * Fills `out` with the overlapping entities and returns their number. They are in the order of creation with
   * `shapes`, and in the order of the broad phase with `boxes`. The corner and the size of the rectangle are in px.
   */
  entities(x: number, y: number, width: number, height: number, out: Entity[]): number {
    const { world, space } = this;
    const { life } = world.components.rows;
    this.left = x / pixelsPerMetre;
    this.top = y / pixelsPerMetre;
    this.right = (x + width) / pixelsPerMetre;
    this.bottom = (y + height) / pixelsPerMetre;
    out.length = 0;
    for (const body of space.bodiesInArea(this.left, this.top, this.right, this.bottom)) {
      const entity = space.bodies.entity[body]!;
      if (entity === noEntity || life[rowOf(entity)] === Life.free) continue;
      if (this.test === 'boxes' || this.overlaps(body)) out.push(entity);
    }
    if (this.test === 'shapes') this.sort(out);
    return out.length;
  }

  /** Sorts by creation. Uses insertion sort: results are short, and no comparison function is allocated. */
  private sort(entities: Entity[]) {
    const { serial } = this.world.components.rows;
    for (let i = 1; i < entities.length; i++) {
      const entity = entities[i]!;
      const key = serial[rowOf(entity)]!;
      let at = i;
      while (at > 0 && serial[rowOf(entities[at - 1]!)]! > key) {
        entities[at] = entities[at - 1]!;
        at--;
      }
      entities[at] = entity;
    }
  }

  private overlaps(body: number): boolean {
    return this.space.bodies.isCircle(body) ? this.overlapsCircle(body) : this.overlapsBox(body);
  }

  private overlapsCircle(body: number): boolean {
    const { numbers: n } = this.space.bodies;
    const i = body * stride;
    const cx = n[i + at.circleX]!;
    const cy = n[i + at.circleY]!;
    const x = n[i + at.x]! + n[i + at.cosine]! * cx - n[i + at.sine]! * cy;
    const y = n[i + at.y]! + n[i + at.sine]! * cx + n[i + at.cosine]! * cy;
    const dx = x - Math.max(this.left, Math.min(this.right, x));
    const dy = y - Math.max(this.top, Math.min(this.bottom, y));
    const radius = n[i + at.radius]!;
    return dx * dx + dy * dy <= radius * radius;
  }

  /**
   * Whether a box overlaps the area. Two convex shapes do not overlap if a side of one of them separates them
   * (separating axis theorem).
   */
  private overlapsBox(body: number): boolean {
    const { numbers: n, outlines } = this.space.bodies;
    const i = body * stride;
    const s = n[i + at.sine]!;
    const c = n[i + at.cosine]!;
    const outline = outlines[body]!;
    let left = Infinity;
    let top = Infinity;
    let right = -Infinity;
    let bottom = -Infinity;
    for (let corner = 0; corner < outline.length; corner += cornerStride) {
      const x = n[i + at.x]! + c * outline[corner]! - s * outline[corner + 1]!;
      const y = n[i + at.y]! + s * outline[corner]! + c * outline[corner + 1]!;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      const normalX = c * outline[corner + 2]! - s * outline[corner + 3]!;
      const normalY = s * outline[corner + 2]! + c * outline[corner + 3]!;
      const nearestX = normalX > 0 ? this.left : this.right;
      const nearestY = normalY > 0 ? this.top : this.bottom;
      if (normalX * (nearestX - x) + normalY * (nearestY - y) > 0) return false;
    }
    return left <= this.right && right >= this.left && top <= this.bottom && bottom >= this.top;
  }
}
