import type { Entity } from '../world/entity.ts';
import type { BodySpec } from './body.ts';

/** Requests to create and destroy bodies, first in, first out, until the next update. One entry has the same index in all arrays, which are reused. */
export class BodyQueue {
  count = 0;
  private readonly entities: Entity[] = [];
  private readonly specs: (BodySpec | undefined)[] = [];
  private readonly confined: boolean[] = [];

  /** Without a spec the present body is only destroyed. */
  add(entity: Entity, spec: BodySpec | undefined, confined: boolean): void {
    const { count } = this;
    this.entities[count] = entity;
    this.specs[count] = spec;
    this.confined[count] = confined;
    this.count = count + 1;
  }

  /** Repeats the last request for an entity, if there is one. */
  repeat(entity: Entity): void {
    let last = this.count - 1;
    while (last >= 0 && this.entities[last] !== entity) last--;
    if (last >= 0) this.add(entity, this.specs[last], this.confined[last]!);
  }

  entity(index: number): Entity {
    return this.entities[index]!;
  }

  spec(index: number): BodySpec | undefined {
    return this.specs[index];
  }

  isConfined(index: number): boolean {
    return this.confined[index]!;
  }

  /** Whether the last request for an entity is to destroy its body. */
  isRemovalLast(entity: Entity): boolean {
    let last = this.count - 1;
    while (last >= 0 && this.entities[last] !== entity) last--;
    return last >= 0 && this.specs[last] === undefined;
  }

  /** Gives each requested body the size of the last one that was requested for its entity. */
  shareLastSizes(): void {
    const last = new Map<Entity, BodySpec>();
    for (let i = this.count - 1; i >= 0; i--) {
      const spec = this.specs[i];
      if (spec === undefined) continue;
      const entity = this.entities[i]!;
      const newest = last.get(entity);
      if (newest === undefined) last.set(entity, spec);
      else if (spec.width !== newest.width || spec.height !== newest.height)
        this.specs[i] = { ...spec, width: newest.width, height: newest.height };
    }
  }

  /** All requests, oldest first. */
  list(): { entity: Entity; spec: BodySpec | undefined; confined: boolean }[] {
    const listed = [];
    for (let i = 0; i < this.count; i++)
      listed.push({ entity: this.entity(i), spec: this.spec(i), confined: this.isConfined(i) });
    return listed;
  }

  clear(): void {
    this.specs.fill(undefined, 0, this.count);
    this.count = 0;
  }
}
