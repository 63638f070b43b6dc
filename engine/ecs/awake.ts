import { enlarged } from '../core/enlarged.ts';
import { IndexSet } from '../core/index-set.ts';
import { type Entity, noEntity, rowOf } from './entity.ts';
import { EntityList } from './list.ts';

/**
 * All entities in creation order, with the positions of those that are awake. A pass over the awake entities skips
 * resting ones at almost no cost. An entity is awake from its creation until `rest`, and again after `wake`. A
 * separate list of awake entities would have to be kept in creation order: each entity that wakes in the middle would
 * move the rest of the list.
 *
 * The positions are not part of the state: after a snapshot is restored all entities are awake, and the next pass puts
 * idle ones to rest again.
 */
export class AwakeList extends EntityList {
  /** By row: the position of its entity in `entries`. */
  private positions = new Uint32Array(0);
  private readonly awake = new IndexSet();
  /** By row: the simulated time, ms, at which the entity must wake. Only meaningful while the entity rests. */
  private untilMs = new Float64Array(0);
  /** The position of the first tombstone. */
  private firstTombstone = Infinity;
  /** The earliest time, ms, at which a resting entity must wake. */
  private dueMs = Infinity;

  /** Creates an empty list with room for `rows` rows of entities. */
  constructor(rows: number) {
    super();
    this.reserve(rows);
  }

  /** Makes room for `rows` rows. */
  reserve(rows: number): void {
    if (rows <= this.positions.length) return;
    this.positions = enlarged(this.positions, rows);
    this.untilMs = enlarged(this.untilMs, rows);
    // A destroyed entity keeps its position and its row until the end of the tick, so there are never more positions
    // than rows.
    this.awake.reserve(rows);
  }

  override add(entity: Entity): void {
    const position = this.entries.length;
    this.entries.push(entity);
    this.positions[rowOf(entity)] = position;
    this.awake.add(position);
  }

  /** Makes the entity the newest in this list. */
  moveToEnd(entity: Entity): void {
    const { entries, positions } = this;
    const from = positions[rowOf(entity)]!;
    if (entries[from] !== entity) return;
    const last = entries.length - 1;
    for (let position = from; position < last; position++) {
      const next = entries[position + 1]!;
      entries[position] = next;
      positions[rowOf(next)] = position;
      if (this.awake.has(position + 1)) this.awake.add(position);
      else this.awake.delete(position);
    }
    // Tombstones after `from` have moved down by one, so the first of them can now be at `from`.
    if (from < this.firstTombstone) this.firstTombstone = from;
    entries[last] = entity;
    positions[rowOf(entity)] = last;
    this.awake.add(last);
  }

  override leaveTombstone(entity: Entity): void {
    super.leaveTombstone(entity);
    const position = this.positions[rowOf(entity)]!;
    if (position < this.firstTombstone) this.firstTombstone = position;
  }

  /**
   * Makes the next pass visit the entity, and also the current pass if that has not reached the entity's position yet.
   * Does nothing if the entity no longer exists.
   */
  wake(entity: Entity): void {
    const position = this.positions[rowOf(entity)]!;
    if (entity !== noEntity && this.entries[position] === entity) this.awake.add(position);
  }

  /**
   * Puts the entry at `position` to rest: passes skip it until it is woken, or until `wakeDue` is called at or after
   * `untilMs` (Infinity: never).
   */
  rest(position: number, untilMs: number): void {
    this.awake.delete(position);
    this.untilMs[rowOf(this.entries[position]!)] = untilMs;
    if (untilMs < this.dueMs) this.dueMs = untilMs;
  }

  isAwake(entity: Entity): boolean {
    const position = this.positions[rowOf(entity)]!;
    return this.entries[position] === entity && this.awake.has(position);
  }

  /**
   * The last position before `before` whose entry is awake, or -1. A pass from newest to oldest starts with the length
   * of `entries` and continues from each result. It still visits older entities that wake during the pass, and misses
   * entities that are added or that wake at positions already passed.
   */
  lastAwake(before: number): number {
    return this.awake.below(before);
  }

  /** Wakes all resting entities whose `untilMs` is at or before `nowMs`. */
  wakeDue(nowMs: number): void {
    if (nowMs < this.dueMs) return;
    let next = Infinity;
    const { entries, untilMs } = this;
    for (let position = 0; position < entries.length; position++) {
      if (this.awake.has(position)) continue;
      const due = untilMs[rowOf(entries[position]!)]!;
      if (due <= nowMs) this.awake.add(position);
      else if (due < next) next = due;
    }
    this.dueMs = next;
  }

  /** Removes the tombstones. Starts at the first one, because most entities that are destroyed are among the newest. */
  override compact(isAlive: (entity: Entity) => boolean): void {
    if (this.tombstones === 0) return;
    const { entries, positions } = this;
    let kept = this.firstTombstone;
    this.tombstones = 0;
    this.firstTombstone = Infinity;
    for (let position = kept; position < entries.length; position++) {
      const entity = entries[position]!;
      if (!isAlive(entity)) continue;
      if (this.awake.has(position)) this.awake.add(kept);
      else this.awake.delete(kept);
      positions[rowOf(entity)] = kept;
      entries[kept++] = entity;
    }
    for (let position = kept; position < entries.length; position++) this.awake.delete(position);
    entries.length = kept;
  }

  override restore(entries: readonly Entity[], tombstones: number): void {
    super.restore(entries, tombstones);
    this.firstTombstone = 0;
    this.dueMs = Infinity;
    this.awake.clear();
    for (let position = 0; position < entries.length; position++) {
      this.positions[rowOf(entries[position]!)] = position;
      this.awake.add(position);
    }
  }
}
