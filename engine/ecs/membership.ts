import { assert } from '../core/assert.ts';
import type { Component, Tag } from './component.ts';
import type { EntityTable, RowColumns } from './entities.ts';
import { type Entity, rowOf } from './entity.ts';
import { EntityList } from './list.ts';
import { areSame, includesAll, type Mask, maskAt, rowHas, setMask, union, without } from './mask.ts';

/** The members of `ComponentSet` that this file needs. */
interface Components {
  bitOf(component: Tag): Mask;
  maskOf(...components: readonly Tag[]): Mask;
}

/**
 * All entities that have certain components, oldest first. As with every `EntityList`, callers that walk the list must
 * skip entities that no longer exist.
 */
export class Query extends EntityList {
  constructor(readonly mask: Mask) {
    super();
  }

  matches(mask: Mask): boolean {
    return includesAll(mask, this.mask);
  }
}

/**
 * Knows which entity has which components. Its queries are updated with every change, so reading one involves no
 * search.
 */
export class Membership {
  private readonly queries: Query[] = [];

  constructor(
    private readonly set: Components,
    private readonly table: EntityTable,
    private readonly rows: RowColumns,
  ) {}

  /** Whether an entity has a component; false if the entity no longer exists. */
  has(entity: Entity, component: Tag): boolean {
    return this.table.exists(entity) && rowHas(this.rows, rowOf(entity), this.set.bitOf(component));
  }

  /** Registers a new entity with these components. The caller initialises their stores. */
  begin(entity: Entity, mask: Mask): void {
    setMask(this.rows, rowOf(entity), mask);
    for (let i = 0; i < this.queries.length; i++) if (this.queries[i]!.matches(mask)) this.queries[i]!.add(entity);
  }

  /** Marks a released entity for removal from the queries. Its mask stays, so its components can still be read. */
  end(entity: Entity): void {
    const mask = maskAt(this.rows, rowOf(entity));
    for (let i = 0; i < this.queries.length; i++)
      if (this.queries[i]!.matches(mask)) this.queries[i]!.leaveTombstone(entity);
  }

  /** Adds a component with the initial values of its fields. Does nothing if the entity has it already. */
  add(entity: Entity, component: Tag | Component<unknown>, store?: unknown): void {
    assert(this.table.exists(entity), 'only an existing entity gets components');
    if (this.has(entity, component)) return;
    const row = rowOf(entity);
    if ('store' in component) component.store.start(store, row);
    this.change(entity, union(maskAt(this.rows, row), this.set.bitOf(component)));
  }

  /**
   * Removes a component and clears its row in the store. Does nothing if the entity does not have the component. Must
   * not be called while a query that includes the component is walked.
   */
  remove(entity: Entity, component: Tag | Component<unknown>, store?: unknown): void {
    if (!this.has(entity, component)) return;
    const row = rowOf(entity);
    if ('store' in component) component.store.clear(store, row);
    this.change(entity, without(maskAt(this.rows, row), this.set.bitOf(component)));
  }

  /**
   * The query for these components. Calls with the same set of components return the same query. Call this once during
   * setup, and walk the query as often as needed.
   */
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

  /** Rebuilds all queries, after masks and creation order were restored. */
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

  /** Removes entities that no longer exist from the queries. */
  compact(): void {
    for (let i = 0; i < this.queries.length; i++) this.queries[i]!.compact(this.table.isAlive);
  }

  private change(entity: Entity, mask: Mask) {
    const row = rowOf(entity);
    const before = maskAt(this.rows, row);
    setMask(this.rows, row, mask);
    for (const query of this.queries) {
      if (query.matches(mask) === query.matches(before)) continue;
      if (query.matches(mask)) this.insert(query, entity);
      else query.entries.splice(query.entries.lastIndexOf(entity), 1);
    }
  }

  /** Inserts by serial: queries are in order of creation, no matter when an entity got its components. */
  private insert(query: Query, entity: Entity) {
    const { serial } = this.rows;
    let at = query.entries.length;
    while (at > 0 && serial[rowOf(query.entries[at - 1]!)]! > serial[rowOf(entity)]!) at--;
    if (at === query.entries.length) query.entries.push(entity);
    else query.entries.splice(at, 0, entity);
  }
}
