import type { Entity } from '../world/entity.ts';
import { categoryBits } from './filter.ts';
import type { RayVisitor, Space } from './flat/space.ts';
import { pixelsPerMetre } from './scale.ts';

/** The hits of a ray, nearest first. A caller creates one object and passes it to every cast. */
export class RayHits {
  count = 0;
  /** The entities that were hit; 0 for a wall that has no entity because the entity limit was reached. */
  readonly entities: Entity[] = [];
  /** The points of the hits, px. */
  readonly x: number[] = [];
  readonly y: number[] = [];
  /** The fraction of the ray at which the hit lies: 0 at its start, 1 at its end. */
  readonly fraction: number[] = [];

  clear(): void {
    this.count = 0;
  }

  /** Inserts a hit. Hits are ordered by their fractions, equal ones by insertion. */
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

/**
 * Entities that a ray must hit elsewhere than at their current position, with the offset to that other position, px.
 */
export type Elsewhere = ReadonlyMap<Entity, { readonly x: number; readonly y: number }>;

const opaque = categoryBits.unit | categoryBits.wall;

/**
 * Casts rays that only units and walls stop. A ray does not hit a shape that contains its start (reference:
 * physics#rays). Rays are cast on demand, not every tick, and allocate a few small objects.
 */
export class RayCaster {
  private elsewhere: Elsewhere | undefined;
  // Reused by every cast.
  private hits = new RayHits();
  private reversed = false;
  private readonly back = new RayHits();

  /** `bodyOf` returns the body of an entity, below 0 if it has none. */
  constructor(
    private readonly space: Space,
    private readonly bodyOf: (entity: Entity) => number,
  ) {}

  /** Finds everything that the ray hits between start and end. Returns the number of hits. */
  all(x1: number, y1: number, x2: number, y2: number, hits: RayHits, elsewhere?: Elsewhere): number {
    hits.clear();
    this.hits = hits;
    this.elsewhere = elsewhere;
    this.reversed = false;
    this.cast(x1, y1, x2, y2, this.collect);
    return hits.count;
  }

  /**
   * Like `all`, but also finds shapes that contain the start, at the point where the ray leaves them. Lists each entity
   * once, if possible at the point where the ray enters it. Returns the number of hits.
   */
  bothWays(x1: number, y1: number, x2: number, y2: number, hits: RayHits): number {
    this.all(x1, y1, x2, y2, hits);
    this.reversed = true;
    this.cast(x2, y2, x1, y1, this.collect);
    return hits.count;
  }

  /**
   * Finds the nearest thing that a bullet hits, then casts a ray back from there to the start. If that ray hits
   * anything, the bullet counts as hitting nothing. This is so for a bullet that starts inside the shooter, because the
   * ray then hits the shooter (reference: physics#rays).
   */
  bullet(x1: number, y1: number, x2: number, y2: number, hits: RayHits, elsewhere?: Elsewhere): boolean {
    hits.clear();
    this.hits = hits;
    this.elsewhere = elsewhere;
    this.cast(x1, y1, x2, y2, this.keepNearest);
    if (hits.count > 0 && this.all(hits.x[0]!, hits.y[0]!, x1, y1, this.back, elsewhere) > 0) hits.clear();
    return hits.count > 0;
  }

  private cast(x1: number, y1: number, x2: number, y2: number, visit: RayVisitor) {
    // A ray without length has no direction.
    if (x1 === x2 && y1 === y2) return;
    const { space, elsewhere } = this;
    const metres = (px: number) => px / pixelsPerMetre;
    space.castRay(metres(x1), metres(y1), metres(x2), metres(y2), visit);
    if (elsewhere === undefined) return;
    for (const [entity, { x, y }] of elsewhere) {
      const body = this.bodyOf(entity);
      if (body < 0 || (space.bodies.category[body]! & opaque) === 0) continue;
      const most = visit === this.keepNearest && this.hits.count > 0 ? this.hits.fraction[0]! : 1;
      const fraction = space.castRayAt(body, metres(x1 - x), metres(y1 - y), metres(x2 - x), metres(y2 - y), most);
      if (fraction === undefined) continue;
      if (visit === this.keepNearest) this.hits.clear();
      this.hits.insert(entity, x1 + (x2 - x1) * fraction, y1 + (y2 - y1) * fraction, fraction);
    }
  }

  private isTransparent(body: number): boolean {
    const { category, entity } = this.space.bodies;
    return (category[body]! & opaque) === 0 || this.elsewhere?.has(entity[body]!) === true;
  }

  private insert(body: number, x: number, y: number, fraction: number) {
    this.hits.insert(this.space.bodies.entity[body]!, x * pixelsPerMetre, y * pixelsPerMetre, fraction);
  }

  private readonly collect: RayVisitor = (body, x, y, fraction) => {
    const isKnown = this.reversed && this.hits.has(this.space.bodies.entity[body]!);
    if (!isKnown && !this.isTransparent(body)) this.insert(body, x, y, this.reversed ? 1 - fraction : fraction);
    return 1;
  };

  private readonly keepNearest: RayVisitor = (body, x, y, fraction) => {
    const { hits } = this;
    if (this.isTransparent(body)) return hits.count > 0 ? hits.fraction[0]! : 1;
    hits.clear();
    this.insert(body, x, y, fraction);
    return fraction;
  };
}
