import type { Entity } from '../world/entity.ts';

/**
 * Contacts that began or ended, in order of occurrence, until they are delivered. planck reports them while it is locked; scripts shall
 * meet an unlocked world. The arrays are reused: nothing is allocated once they have grown to the busiest step.
 */
export class ContactLog {
  count = 0;
  private readonly begins: boolean[] = [];
  private readonly firsts: Entity[] = [];
  private readonly seconds: Entity[] = [];

  record(begins: boolean, first: Entity, second: Entity): void {
    const { count } = this;
    this.begins[count] = begins;
    this.firsts[count] = first;
    this.seconds[count] = second;
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
}
