import type { Entity } from '../world/entity.ts';
import type { BodySpec } from './body.ts';

interface BodyRequest {
  readonly entity: Entity;
  /** The body to create; undefined if the current body is only to be destroyed. */
  readonly spec: BodySpec | undefined;
  readonly confined: boolean;
}

/** Requests to create and destroy bodies, first in, first out, until the next update. */
export class BodyQueue {
  readonly requests: BodyRequest[] = [];

  add(entity: Entity, spec: BodySpec | undefined, confined: boolean): void {
    this.requests.push({ entity, spec, confined });
  }

  /** Repeats the last request for an entity, if there is one. */
  repeat(entity: Entity): void {
    const last = this.lastOf(entity);
    if (last !== undefined) this.requests.push(last);
  }

  /** Whether the last request for an entity is to destroy its body. */
  isRemovalLast(entity: Entity): boolean {
    const last = this.lastOf(entity);
    return last !== undefined && last.spec === undefined;
  }

  /** Gives all queued bodies of an entity the size of the body that was requested last for it. */
  shareLastSizes(): void {
    const last = new Map<Entity, BodySpec>();
    for (let i = this.requests.length - 1; i >= 0; i--) {
      const { entity, spec, confined } = this.requests[i]!;
      if (spec === undefined) continue;
      const newest = last.get(entity);
      if (newest === undefined) last.set(entity, spec);
      else this.requests[i] = { entity, confined, spec: { ...spec, width: newest.width, height: newest.height } };
    }
  }

  clear(): void {
    this.requests.length = 0;
  }

  private lastOf(entity: Entity): BodyRequest | undefined {
    return this.requests.findLast((request) => request.entity === entity);
  }
}
