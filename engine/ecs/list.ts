import { count, entity, list, record } from '../schema/index.ts';
import type { Entity } from './entity.ts';

/** The state of an `EntityList`. */
export const entityListState = record({ entries: list(entity()), tombstones: count() });

/**
 * Entities in creation order, except those that were moved to the end. Destroyed entities stay in the list until
 * `compact` runs at the end of the tick. Positions are therefore stable while the list is walked, and callers that walk
 * it must skip entities that no longer exist.
 */
export class EntityList {
  readonly entries: Entity[] = [];
  /** The number of entries that `compact` will remove. */
  tombstones = 0;

  add(entity: Entity): void {
    this.entries.push(entity);
  }

  /** Must be called once for each entity of the list that is destroyed, so that `compact` knows that it has work. */
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

  /** Replaces the contents with those of a snapshot. */
  restore(entries: readonly Entity[], tombstones: number): void {
    // Overwriting keeps the memory of the list, which emptying it first would release.
    for (let i = 0; i < entries.length; i++) this.entries[i] = entries[i]!;
    this.entries.length = entries.length;
    this.tombstones = tombstones;
  }
}
