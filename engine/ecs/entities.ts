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

/** The columns that the table keeps of each row. The table writes them; `life` is written by the rules that end an entity. */
export const Rows = component('rows', {
  generation: u32(),
  /** A value of `Life`. */
  life: u8(),
  /** Creation order over all entities; never reused. */
  serial: f64(),
  /** A bit for each component that the entity has: see `mask.ts`. */
  mask0: i32(),
  mask1: i32(),
  mask2: i32(),
  mask3: i32(),
});
export type RowColumns = StoreOf<typeof Rows>;

const isRow = (row: number, scope: Scope): boolean => row >= 1 && row < scope.sizeOf('row');

/** The state of an `EntityTable` beside its columns. */
export const entitiesState = record({
  order: entityListState,
  leaving: list(entity()),
  freeRows: list(withCheck(count(), 'no row', isRow)),
  rowsUsed: count(1),
  count: count(),
  lastSerial: count(),
});
type EntitiesState = Infer<typeof entitiesState>;

/**
 * The rows and the entities in them. A row is taken by `create`, given up by `release` and free again after `freeReleased`. In between the
 * entity is a tombstone: it does not exist any more, and its row keeps its last state.
 */
export class EntityTable {
  /** Everything that exists, in creation order. */
  readonly order: AwakeList;
  /** Released and not yet freed. */
  readonly leaving: Entity[] = [];
  readonly freeRows: number[] = [];
  /** Row 0 belongs to no entity, so that 0 can mean none. */
  rowsUsed = 1;
  /** Entities that exist. */
  count = 0;
  /** The serial of the newest. */
  lastSerial = 0;
  private readonly columns: RowColumns;
  private readonly capacity: number;

  /** `capacity` rows are the most that there can be. */
  constructor(columns: RowColumns, capacity = columns.life.length) {
    this.columns = columns;
    this.capacity = capacity;
    this.order = new AwakeList(this.capacity);
  }

  /** How many rows columns need for one more entity. */
  get rowsNeeded(): number {
    return this.freeRows.length > 0 ? this.rowsUsed : this.rowsUsed + 1;
  }

  /** Whether `create` finds a row. Rows of entities that have just been released are still taken. */
  get hasRoom(): boolean {
    return this.freeRows.length > 0 || this.rowsUsed < this.capacity;
  }

  create(): Entity {
    assert(this.hasRoom, 'a row must be free');
    const row = this.freeRows.pop() ?? this.rowsUsed++;
    const { life, serial, generation } = this.columns;
    life[row] = Life.alive;
    serial[row] = ++this.lastSerial;
    const entity = makeEntity(row, generation[row]!);
    this.order.add(entity);
    this.count++;
    return entity;
  }

  /** From now on the entity resolves to nothing; its row is freed by `freeReleased`. */
  release(entity: Entity): void {
    assert(this.exists(entity), 'only what exists can be released');
    this.columns.life[rowOf(entity)] = Life.free;
    this.order.leaveTombstone(entity);
    this.leaving.push(entity);
    this.count--;
  }

  /** Frees the rows of the first `count` released entities that `isHeld` lets go; `clear` puts zeros into each row. */
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

  /** Takes what a snapshot kept in place of what there is. */
  restore({ order, leaving, freeRows, rowsUsed, count, lastSerial }: EntitiesState): void {
    fill(entitiesState.fields.leaving, this.leaving, leaving);
    fill(entitiesState.fields.freeRows, this.freeRows, freeRows);
    this.rowsUsed = rowsUsed;
    this.count = count;
    this.lastSerial = lastSerial;
    this.order.restore(order.entries, order.tombstones);
  }

  /** For lists that are to be compacted. */
  readonly isAlive = (entity: Entity): boolean => this.exists(entity);

  /** Not yet released. */
  exists(entity: Entity): boolean {
    if (entity === noEntity) return false;
    const row = rowOf(entity);
    const { life, generation } = this.columns;
    // The entity is put together instead of taken apart: a product costs less than a division, and this is asked before everything else.
    return life[row] !== Life.free && makeEntity(row, generation[row]!) === entity;
  }

  /** Exists, or its row has not been freed. */
  remembers(entity: Entity): boolean {
    const row = rowOf(entity);
    return entity !== noEntity && makeEntity(row, this.columns.generation[row]!) === entity;
  }
}
