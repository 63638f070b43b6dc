import { count, entity, list, record } from '../schema/index.ts';
import type { Entity } from './entity.ts';

/** The state of an `EntityList`. */
export const entityListState = record({ entries: list(entity()), tombstones: count() });

/**
 * Entities in creation order, except those that were moved to the end. Entries of destroyed entities stay until `compact`, which runs at
 * the end of a tick. So positions hold still during a walk of the list; walks skip entries that are no longer alive.
 */
export class EntityList {
  readonly entries: Entity[] = [];
  /** Entries that `compact` has to drop. */
  tombstones = 0;

  add(entity: Entity): void {
    this.entries.push(entity);
  }

  /** To be called once for each entity of the list that is destroyed. */
  leaveTombstone(_entity: Entity): void {
    this.tombstones++;
  }

  compact(isAlive: (entity: Entity) => boolean): void {
    if (this.tombstones === 0) return;
    this.tombstones = 0;
    const { entries } = this;
    let kept = 0;
    for (let i = 0; i < entries.length; i++) {
      const entity = entries[i]!;
      if (isAlive(entity)) entries[kept++] = entity;
    }
    entries.length = kept;
  }

  /** Takes what a snapshot kept in place of what there is. */
  restore(entries: readonly Entity[], tombstones: number): void {
    // A list that is emptied first gives its memory back.
    for (let i = 0; i < entries.length; i++) this.entries[i] = entries[i]!;
    this.entries.length = entries.length;
    this.tombstones = tombstones;
  }
}
