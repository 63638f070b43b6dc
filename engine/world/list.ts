import type { Entity } from './entity.ts';

/**
 * Entities in creation order. Entries of destroyed entities stay until `compact`, which runs at the end of a tick, so that positions
 * hold still while somebody walks the list; walkers skip what is no longer alive.
 */
export class EntityList {
  readonly entries: Entity[] = [];
  /** Entries that `compact` has to drop. */
  private departed = 0;

  add(entity: Entity): void {
    this.entries.push(entity);
  }

  /** To be called once for each entity of the list that is destroyed. */
  depart(): void {
    this.departed++;
  }

  compact(isAlive: (entity: Entity) => boolean): void {
    if (this.departed === 0) return;
    const { entries } = this;
    let kept = 0;
    for (let i = 0; i < entries.length; i++) {
      const entity = entries[i]!;
      if (isAlive(entity)) entries[kept++] = entity;
    }
    entries.length = kept;
    this.departed = 0;
  }
}
