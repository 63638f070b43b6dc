import { type Entity, Life, noEntity, rowOf } from '../world/entity.ts';
import type { World } from '../world/world.ts';
import { entityOf } from './body.ts';
import {
  AABB,
  type Body,
  type CircleShape,
  type Fixture,
  type World as PlanckWorld,
  type PolygonShape,
  pixelsPerMetre,
} from './planck/planck.ts';

/** The part of a body that has to overlap an area. */
export type AreaTest = 'shapes' | 'boxes';

/**
 * Finds what overlaps a rectangle. Either shapes are tested as they are, turned or round, and touching edges count. With `areas` as `boxes` the
 * padded boxes of the broad phase count, in the order of its tree. As in the reference, bodies up to 3 px away are found, and more when they move or
 * stand slanted (reference: physics#area-queries).
 */
export class AreaQuery {
  private readonly world: World;
  private readonly bodies: PlanckWorld;
  private readonly areas: AreaTest;
  // Reused by every query.
  private readonly area = new AABB();
  private found: Entity[] = [];
  private count = 0;
  private readonly visit = (fixture: Fixture): boolean => {
    const entity = entityOf(fixture.getBody());
    if (
      entity !== noEntity &&
      this.world.components.rows.life[rowOf(entity)] !== Life.free &&
      (this.areas === 'boxes' || this.overlaps(fixture))
    ) {
      this.found[this.count++] = entity;
    }
    return true;
  };

  constructor(world: World, bodies: PlanckWorld, areas: AreaTest) {
    this.areas = areas;
    this.world = world;
    this.bodies = bodies;
  }

  /** Fills `out` with the entities that overlap, by shapes in creation order, by boxes in that of the broad phase; returns how many. Corner and size in px. */
  entities(x: number, y: number, width: number, height: number, out: Entity[]): number {
    const { area } = this;
    area.lowerBound.set(x / pixelsPerMetre, y / pixelsPerMetre);
    area.upperBound.set((x + width) / pixelsPerMetre, (y + height) / pixelsPerMetre);
    this.found = out;
    this.count = 0;
    this.bodies.queryAABB(area, this.visit);
    out.length = this.count;
    if (this.areas === 'shapes') this.sort(out);
    return this.count;
  }

  /** By insertion: results are short, and no comparison function is made. Serial numbers are unique, so the order is total. */
  private sort(entities: Entity[]): void {
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

  private overlaps(fixture: Fixture): boolean {
    const body = fixture.getBody();
    const shape = fixture.getShape();
    return shape.getType() === 'circle'
      ? this.overlapsCircle(body, shape as CircleShape)
      : this.overlapsPolygon(body, shape as PolygonShape);
  }

  private overlapsCircle(body: Body, circle: CircleShape): boolean {
    const { lowerBound, upperBound } = this.area;
    const { p, q } = body.getTransform();
    const centre = circle.getCenter();
    const x = p.x + q.c * centre.x - q.s * centre.y;
    const y = p.y + q.s * centre.x + q.c * centre.y;
    const dx = x - Math.max(lowerBound.x, Math.min(upperBound.x, x));
    const dy = y - Math.max(lowerBound.y, Math.min(upperBound.y, y));
    const radius = circle.getRadius();
    return dx * dx + dy * dy <= radius * radius;
  }

  /** Two convex shapes are apart when the side of one of them separates them. */
  private overlapsPolygon(body: Body, polygon: PolygonShape): boolean {
    const { lowerBound, upperBound } = this.area;
    const { p, q } = body.getTransform();
    let left = Number.POSITIVE_INFINITY;
    let top = Number.POSITIVE_INFINITY;
    let right = Number.NEGATIVE_INFINITY;
    let bottom = Number.NEGATIVE_INFINITY;
    for (let i = 0; i < polygon.m_count; i++) {
      const vertex = polygon.m_vertices[i]!;
      const x = p.x + q.c * vertex.x - q.s * vertex.y;
      const y = p.y + q.s * vertex.x + q.c * vertex.y;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = Math.max(bottom, y);
      const normal = polygon.m_normals[i]!;
      const normalX = q.c * normal.x - q.s * normal.y;
      const normalY = q.s * normal.x + q.c * normal.y;
      const nearestX = normalX > 0 ? lowerBound.x : upperBound.x;
      const nearestY = normalY > 0 ? lowerBound.y : upperBound.y;
      if (normalX * (nearestX - x) + normalY * (nearestY - y) > 0) return false;
    }
    return left <= upperBound.x && right >= lowerBound.x && top <= upperBound.y && bottom >= lowerBound.y;
  }
}
