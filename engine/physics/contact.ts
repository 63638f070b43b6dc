import type { Entity } from '../world/entity.ts';
import { at } from './flat/body-fields.ts';
import type { BodyStore } from './flat/body-store.ts';

/**
 * Collects the contacts that begin or end, in order of occurrence. They are delivered after the step, when scripts may
 * change bodies. The velocities at the moment of the contact are kept, because scripts judge a collision by them, and
 * the step changes them. The arrays are reused: nothing is allocated once they have grown to the busiest step.
 */
export class ContactLog {
  count = 0;
  readonly begins: boolean[] = [];
  readonly firsts: Entity[] = [];
  readonly seconds: Entity[] = [];
  /** For each contact, four numbers: velocity x and y of the first body, then of the second, in physics units. */
  private readonly velocities: number[] = [];

  record(begins: boolean, bodies: BodyStore, first: number, second: number): void {
    const { count, velocities } = this;
    this.begins[count] = begins;
    this.firsts[count] = bodies.entity[first]!;
    this.seconds[count] = bodies.entity[second]!;
    velocities[count * 4] = bodies.get(first, at.velocityX);
    velocities[count * 4 + 1] = bodies.get(first, at.velocityY);
    velocities[count * 4 + 2] = bodies.get(second, at.velocityX);
    velocities[count * 4 + 3] = bodies.get(second, at.velocityY);
    this.count = count + 1;
  }

  clear(): void {
    this.count = 0;
  }

  /**
   * The velocity of one of the two entities along an axis (0 x, 1 y) at the moment of the contact; undefined for any
   * other entity.
   */
  velocity(index: number, entity: Entity, axis: 0 | 1): number | undefined {
    if (entity === this.firsts[index]) return this.velocities[index * 4 + axis];
    if (entity === this.seconds[index]) return this.velocities[index * 4 + 2 + axis];
    return undefined;
  }
}
