import type { Entity } from '../world/entity.ts';
import { entityOf } from './body.ts';
import { categoryBits } from './filter.ts';
import { type Fixture, pixelsPerMetre, Vec2, type World } from './planck/planck.ts';

/** The hits of a ray, nearest to its start first. Made once by a caller and filled by every cast. */
export class RayHits {
  count = 0;
  /** 0 for a wall that the limit of entities left without one. */
  readonly entities: Entity[] = [];
  /** px. */
  readonly x: number[] = [];
  readonly y: number[] = [];
  /** Of the way from start to end. */
  readonly fraction: number[] = [];

  clear(): void {
    this.count = 0;
  }

  /** Keeps the order by fraction; of equal ones, the first stays first. */
  insert(entity: Entity, x: number, y: number, fraction: number): void {
    let at = this.count++;
    while (at > 0 && this.fraction[at - 1]! > fraction) {
      this.entities[at] = this.entities[at - 1]!;
      this.x[at] = this.x[at - 1]!;
      this.y[at] = this.y[at - 1]!;
      this.fraction[at] = this.fraction[at - 1]!;
      at--;
    }
    this.entities[at] = entity;
    this.x[at] = x;
    this.y[at] = y;
    this.fraction[at] = fraction;
  }

  has(entity: Entity): boolean {
    for (let i = 0; i < this.count; i++) {
      if (this.entities[i] === entity) return true;
    }
    return false;
  }
}

const opaque = categoryBits.unit | categoryBits.wall;

/**
 * Casts rays that only units and walls stop. A shape that contains the start of a ray is not met by it (reference: physics#rays). Rays are
 * cast on demand, not every tick; planck makes a few small objects for each.
 */
export class RayCaster {
  private readonly world: World;
  // Reused by every cast.
  private readonly from = new Vec2();
  private readonly to = new Vec2();
  private hits = new RayHits();
  private reversed = false;
  private isMet = false;
  private closest = 1;
  private closestEntity: Entity = 0;
  private closestX = 0;
  private closestY = 0;

  constructor(world: World) {
    this.world = world;
  }

  /** Everything on the way from start to end. */
  all(x1: number, y1: number, x2: number, y2: number, hits: RayHits): number {
    hits.clear();
    this.hits = hits;
    this.reversed = false;
    this.cast(x1, y1, x2, y2, this.collect);
    return hits.count;
  }

  /** The same, cast from both ends: what contains the start is met where the way leaves it. Each entity once, by its entry if it has one. */
  bothWays(x1: number, y1: number, x2: number, y2: number, hits: RayHits): number {
    this.all(x1, y1, x2, y2, hits);
    this.reversed = true;
    this.cast(x2, y2, x1, y1, this.collect);
    return hits.count;
  }

  /** The nearest thing on the way; `hits` holds it, or nothing. */
  nearest(x1: number, y1: number, x2: number, y2: number, hits: RayHits): boolean {
    hits.clear();
    this.isMet = false;
    this.closest = 1;
    this.cast(x1, y1, x2, y2, this.keepClosest);
    if (this.isMet) hits.insert(this.closestEntity, this.closestX, this.closestY, this.closest);
    return this.isMet;
  }

  /**
   * The hit of a bullet: the nearest thing. Something on the way back from there to the start is an obstruction and cancels the hit. So a bullet
   * that starts inside the shooter hits nothing (reference: physics#rays).
   */
  bullet(x1: number, y1: number, x2: number, y2: number, hits: RayHits): boolean {
    if (!this.nearest(x1, y1, x2, y2, hits)) return false;
    this.isMet = false;
    this.cast(hits.x[0]!, hits.y[0]!, x1, y1, this.stopAtAny);
    if (this.isMet) hits.clear();
    return !this.isMet;
  }

  private cast(
    x1: number,
    y1: number,
    x2: number,
    y2: number,
    visit: (fixture: Fixture, point: Vec2, normal: Vec2, fraction: number) => number,
  ): void {
    // A ray without length has no direction to be cast in.
    if (x1 === x2 && y1 === y2) return;
    this.from.set(x1 / pixelsPerMetre, y1 / pixelsPerMetre);
    this.to.set(x2 / pixelsPerMetre, y2 / pixelsPerMetre);
    this.world.rayCast(this.from, this.to, visit as Parameters<World['rayCast']>[2]);
  }

  // The meanings of the result for planck: -1 leaves the ray as it is, 0 ends it, a fraction shortens it.

  private readonly collect = (fixture: Fixture, point: Vec2, _normal: Vec2, fraction: number): number => {
    if ((fixture.getFilterCategoryBits() & opaque) === 0) return -1;
    const entity = entityOf(fixture.getBody());
    if (this.reversed && this.hits.has(entity)) return -1;
    this.hits.insert(
      entity,
      point.x * pixelsPerMetre,
      point.y * pixelsPerMetre,
      this.reversed ? 1 - fraction : fraction,
    );
    return -1;
  };

  private readonly keepClosest = (fixture: Fixture, point: Vec2, _normal: Vec2, fraction: number): number => {
    if ((fixture.getFilterCategoryBits() & opaque) === 0) return -1;
    this.isMet = true;
    this.closest = fraction;
    this.closestEntity = entityOf(fixture.getBody());
    this.closestX = point.x * pixelsPerMetre;
    this.closestY = point.y * pixelsPerMetre;
    return fraction;
  };

  private readonly stopAtAny = (fixture: Fixture): number => {
    if ((fixture.getFilterCategoryBits() & opaque) === 0) return -1;
    this.isMet = true;
    return 0;
  };
}
