import { assert } from '../core/assert.ts';
import {
  count,
  entity,
  f64,
  fill,
  type Infer,
  i32,
  list,
  record,
  type Scope,
  u8,
  u32,
  withCheck,
} from '../schema/index.ts';
import { AwakeList } from './awake.ts';
import { component, type StoreOf } from './component.ts';
import { type Entity, Life, makeEntity, noEntity, rowOf } from './entity.ts';
import { entityListState } from './list.ts';

/** The columns that an `EntityTable` writes. Rules that destroy an entity also write `life`. */
export const Rows = component('rows', {
  generation: u32(),
  /** A value of `Life`. */
  life: u8(),
  /** The number of the entity in creation order over all entities; never reused. */
  serial: f64(),
  /** A bit for each component that the entity has: see `mask.ts`. */
  mask0: i32(),
  mask1: i32(),
  mask2: i32(),
  mask3: i32(),
});
export type RowColumns = StoreOf<typeof Rows>;

const isRow = (row: number, scope: Scope) => row >= 1 && row < scope.sizeOf('row');

/** The state of an `EntityTable`, except for its columns. */
export const entitiesState = record({
  order: entityListState,
  leaving: list(entity()),
  freeRows: list(withCheck(count(), 'not a row', isRow)),
  rowsUsed: count(1),
  count: count(),
  lastSerial: count(),
});
type EntitiesState = Infer<typeof entitiesState>;

/**
 * Allocates rows to entities. `create` assigns a row to a new entity, `release` ends the entity, and `freeReleased`
 * makes the row available again. Between the last two calls, the entity is a tombstone: it no longer exists, but its
 * row keeps its last state.
 */
export class EntityTable {
  /** All entities in creation order. */
  readonly order: AwakeList;
  /** Released entities whose rows are not freed yet. */
  readonly leaving: Entity[] = [];
  readonly freeRows: number[] = [];
  /** Starts at 1: row 0 is never used, so that entity 0 can mean none. */
  rowsUsed = 1;
  /** The number of entities that exist. */
  count = 0;
  /** The serial of the newest entity. */
  lastSerial = 0;

  /** `capacity` is the maximum number of rows. */
  constructor(
    private readonly columns: RowColumns,
    private readonly capacity: number = columns.life.length,
  ) {
    this.order = new AwakeList(columns.life.length);
  }

  /** The number of rows that the columns must have before one more entity can be created. */
  get rowsNeeded(): number {
    return this.freeRows.length > 0 ? this.rowsUsed : this.rowsUsed + 1;
  }

  /** Whether a row is free for `create`. Rows of released entities count as taken until they are freed. */
  get hasRoom(): boolean {
    return this.freeRows.length > 0 || this.rowsUsed < this.capacity;
  }

  create(): Entity {
    assert(this.hasRoom, 'a row must be free');
    this.order.reserve(this.columns.life.length);
    const row = this.freeRows.pop() ?? this.rowsUsed++;
    const { life, serial, generation } = this.columns;
    life[row] = Life.alive;
    serial[row] = ++this.lastSerial;
    const entity = makeEntity(row, generation[row]!);
    this.order.add(entity);
    this.count++;
    return entity;
  }

  /** Ends the existence of the entity. `freeReleased` frees its row later. */
  release(entity: Entity): void {
    assert(this.exists(entity), 'only an existing entity can be released');
    this.columns.life[rowOf(entity)] = Life.free;
    this.order.leaveTombstone(entity);
    this.leaving.push(entity);
    this.count--;
  }

  /**
   * Frees the rows of the first `count` released entities, except those for which `isHeld` is true. `clear` must zero
   * the row.
   */
  freeReleased(count: number, isHeld: (entity: Entity) => boolean, clear: (row: number, entity: Entity) => void): void {
    const { generation } = this.columns;
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const entity = this.leaving[i]!;
      if (isHeld(entity)) {
        this.leaving[kept++] = entity;
        continue;
      }
      const row = rowOf(entity);
      const made = generation[row]!;
      clear(row, entity);
      generation[row] = made + 1;
      this.freeRows.push(row);
    }
    this.leaving.splice(kept, count - kept);
    this.order.compact(this.isAlive);
  }

  /** Replaces the state with that of a snapshot. */
  restore({ order, leaving, freeRows, rowsUsed, count, lastSerial }: EntitiesState): void {
    fill(entitiesState.fields.leaving, this.leaving, leaving);
    fill(entitiesState.fields.freeRows, this.freeRows, freeRows);
    this.rowsUsed = rowsUsed;
    this.count = count;
    this.lastSerial = lastSerial;
    this.order.reserve(this.columns.life.length);
    this.order.restore(order.entries, order.tombstones);
  }

  /** `exists` as a bound function, for `EntityList.compact`. */
  readonly isAlive = (entity: Entity): boolean => this.exists(entity);

  /** Whether the entity was created and not yet released. */
  exists(entity: Entity): boolean {
    if (entity === noEntity) return false;
    const row = rowOf(entity);
    const { life, generation } = this.columns;
    // Composes an entity number from row and generation rather than decomposing the given one, because multiplying is
    // cheaper than dividing, and this method is called before almost every access.
    return life[row] !== Life.free && makeEntity(row, generation[row]!) === entity;
  }

  /** Whether the row still holds the entity's state: it exists, or was released and its row is not freed yet. */
  remembers(entity: Entity): boolean {
    const row = rowOf(entity);
    return entity !== noEntity && makeEntity(row, this.columns.generation[row]!) === entity;
  }
}
