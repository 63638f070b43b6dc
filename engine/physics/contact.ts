import type { Entity } from '../world/entity.ts';
import { entityOf } from './body.ts';
import type { Body } from './planck/planck.ts';

/**
 * Contacts that began or ended, in order of occurrence, until they are delivered. Planck reports them while it is locked, and scripts need an
 * unlocked world. The speeds at that moment are kept, because scripts judge a collision by them and the step changes them. The
 * arrays are reused: nothing is allocated once they have grown to the busiest step.
 */
export class ContactLog {
  count = 0;
  private readonly begins: boolean[] = [];
  private readonly firsts: Entity[] = [];
  private readonly seconds: Entity[] = [];
  /** x and y of the first, x and y of the second; physics units. */
  private readonly velocities: number[] = [];

  record(begins: boolean, first: Body, second: Body): void {
    const { count, velocities } = this;
    this.begins[count] = begins;
    this.firsts[count] = entityOf(first);
    this.seconds[count] = entityOf(second);
    const a = first.getLinearVelocity();
    const b = second.getLinearVelocity();
    velocities[count * 4] = a.x;
    velocities[count * 4 + 1] = a.y;
    velocities[count * 4 + 2] = b.x;
    velocities[count * 4 + 3] = b.y;
    this.count = count + 1;
  }

  clear(): void {
    this.count = 0;
  }

  isBegin(index: number): boolean {
    return this.begins[index]!;
  }

  first(index: number): Entity {
    return this.firsts[index]!;
  }

  second(index: number): Entity {
    return this.seconds[index]!;
  }

  /** Of one of the two, along an axis (0 x, 1 y), at the moment of the contact; undefined for anybody else. */
  velocity(index: number, entity: Entity, axis: 0 | 1): number | undefined {
    if (entity === this.firsts[index]) return this.velocities[index * 4 + axis];
    if (entity === this.seconds[index]) return this.velocities[index * 4 + 2 + axis];
    return undefined;
  }
}
