import { assert } from '../core/assert.ts';
import type { Component, Tag } from './component.ts';
import type { EntityTable, RowColumns } from './entities.ts';
import { type Entity, rowOf } from './entity.ts';
import { EntityList } from './list.ts';
import { areSame, includesAll, type Mask, maskAt, rowHas, setMask, union, without } from './mask.ts';

/** The part of a `ComponentSet` for code that needs one component and not all of them. */
interface Components {
  bitOf(component: Tag): Mask;
  maskOf(...components: readonly Tag[]): Mask;
}

/** All entities that have certain components, oldest first. As in every `EntityList`, walkers skip what is no longer alive. */
export class Query extends EntityList {
  readonly mask: Mask;

  constructor(mask: Mask) {
    super();
    this.mask = mask;
  }

  matches(mask: Mask): boolean {
    return includesAll(mask, this.mask);
  }
}

/** Which entity has which components, and the lists of those that have some: each list is kept up to date and never searched for. */
export class Membership {
  private readonly set: Components;
  private readonly table: EntityTable;
  private readonly rows: RowColumns;
  private readonly queries: Query[] = [];

  constructor(set: Components, table: EntityTable, rows: RowColumns) {
    this.set = set;
    this.table = table;
    this.rows = rows;
  }

  /** False for what is gone. */
  has(entity: Entity, component: Tag): boolean {
    return this.table.exists(entity) && rowHas(this.rows, rowOf(entity), this.set.bitOf(component));
  }

  /** A new entity has these components; their stores are up to the caller. */
  begin(entity: Entity, mask: Mask): void {
    setMask(this.rows, rowOf(entity), mask);
    for (let i = 0; i < this.queries.length; i++) if (this.queries[i]!.matches(mask)) this.queries[i]!.add(entity);
  }

  /** The entity is released. Its components are remembered with it. */
  end(entity: Entity): void {
    const mask = maskAt(this.rows, rowOf(entity));
    for (let i = 0; i < this.queries.length; i++)
      if (this.queries[i]!.matches(mask)) this.queries[i]!.leaveTombstone(entity);
  }

  /** The entity gets a component, with the first values of its fields. Nothing happens where it has it. */
  add(entity: Entity, component: Tag | Component<unknown>, store?: unknown): void {
    assert(this.table.exists(entity), 'only what exists gets components');
    if (this.has(entity, component)) return;
    const row = rowOf(entity);
    if ('store' in component) component.store.start(store, row);
    this.change(entity, union(maskAt(this.rows, row), this.set.bitOf(component)));
  }

  /** The entity loses a component, and its row in the store is cleared. Nothing happens where it has it not. Not while a query with it is walked. */
  remove(entity: Entity, component: Tag | Component<unknown>, store?: unknown): void {
    if (!this.has(entity, component)) return;
    const row = rowOf(entity);
    if ('store' in component) component.store.clear(store, row);
    this.change(entity, without(maskAt(this.rows, row), this.set.bitOf(component)));
  }

  /** The one query over these components: to be asked for once, when something is made, and walked as often as is wanted. */
  query(...components: readonly Tag[]): Query {
    const mask = this.set.maskOf(...components);
    const known = this.queries.find((query) => areSame(query.mask, mask));
    if (known !== undefined) return known;
    const query = new Query(mask);
    for (const entity of this.table.order.entries) {
      if (this.table.exists(entity) && query.matches(maskAt(this.rows, rowOf(entity)))) this.insert(query, entity);
    }
    this.queries.push(query);
    return query;
  }

  /** After masks and the order of all were put in from outside. */
  refresh(): void {
    for (const query of this.queries) query.restore([], 0);
    for (const entity of this.table.order.entries) {
      const mask = maskAt(this.rows, rowOf(entity));
      for (let i = 0; i < this.queries.length; i++) {
        const query = this.queries[i]!;
        if (!query.matches(mask)) continue;
        this.insert(query, entity);
        if (!this.table.exists(entity)) query.tombstones++;
      }
    }
  }

  /** Drops what is gone from the queries. */
  compact(): void {
    for (let i = 0; i < this.queries.length; i++) this.queries[i]!.compact(this.table.isAlive);
  }

  private change(entity: Entity, mask: Mask): void {
    const row = rowOf(entity);
    const before = maskAt(this.rows, row);
    setMask(this.rows, row, mask);
    for (const query of this.queries) {
      if (query.matches(mask) === query.matches(before)) continue;
      if (query.matches(mask)) this.insert(query, entity);
      else query.entries.splice(query.entries.lastIndexOf(entity), 1);
    }
  }

  /** Queries are in the order of creation, whatever became of an entity since. */
  private insert(query: Query, entity: Entity): void {
    const { serial } = this.rows;
    let at = query.entries.length;
    while (at > 0 && serial[rowOf(query.entries[at - 1]!)]! > serial[rowOf(entity)]!) at--;
    if (at === query.entries.length) query.entries.push(entity);
    else query.entries.splice(at, 0, entity);
  }
}
