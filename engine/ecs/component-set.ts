import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import type { GraphCopier } from '../core/graph-copy.ts';
import { RowList } from '../core/hash.ts';
import {
  type Checker,
  type ColumnArray,
  chunkBits,
  type Fields,
  type Kind,
  Revisions,
  type StateDigest,
  type StateReader,
  type StateWriter,
  type StoreKind,
} from '../schema/index.ts';
import type { Component, SettledComponent, StoreOf, Tag, WritableStoreOf } from './component.ts';
import type { Rows } from './entities.ts';
import { bitAt, includesAll, type Mask, type MaskColumns, noBits, rowHas, union, unionOf, without } from './mask.ts';

interface ComponentList {
  readonly rows: typeof Rows;
  readonly [name: string]: Tag;
}
export type StoresOf<C> = {
  readonly [K in keyof C as C[K] extends Component<infer _> ? K : never]: StoreOf<C[K]>;
};

/** For each settled component its store, to be written in a row: hashes then look at that row again. Good until the end of the tick. */
export type ChangeOf<C> = {
  readonly [K in keyof C as C[K] extends SettledComponent<infer _> ? K : never]: (row: number) => WritableStoreOf<C[K]>;
};

/** By place in the list of parts. Undefined for components that are not settled. */
type PartRevisions = readonly (Revisions | undefined)[];

interface AnyStores {
  readonly rows: WritableStoreOf<typeof Rows>;
  readonly [name: string]: unknown;
}

interface Part {
  readonly name: string;
  readonly store: StoreKind<unknown>;
  /** The bit that says that a row has it. */
  readonly bit: Mask;
  readonly isSettled: boolean;
}

/** All components of a world: makes their stores, and says which bit of a row's mask stands for which. */
export class ComponentSet<const C extends ComponentList> {
  readonly all: C;
  /** As one field of a state: check, bytes and hash of all stores. */
  readonly state: Kind<StoresOf<C>>;
  private readonly parts: readonly Part[];
  private readonly bits = new Map<Tag, Mask>();
  private readonly revisions = new WeakMap<object, PartRevisions>();
  private readonly slices = new WeakMap<StoresOf<C>, { readonly rowCount: number; readonly slice: StoresOf<C> }>();

  constructor(all: C) {
    this.all = all;
    const parts: Part[] = [];
    for (const [at, [name, component]] of Object.entries(all).entries()) {
      assert(component.name === name && !this.bits.has(component), `${name} stands in the list once, under its name`);
      const bit = bitAt(at);
      this.bits.set(component, bit);
      if (!('store' in component)) continue;
      parts.push({ name, store: component.store as StoreKind<unknown>, bit, isSettled: 'isSettled' in component });
    }
    this.parts = parts;
    this.state = new StoresKind(all.rows.store, parts, [...this.bits.values()], this.revisions) as unknown as Kind<
      StoresOf<C>
    >;
  }

  /** The store of one component, to be changed in a row; undefined for a tag. */
  storeOf(stores: StoresOf<C>, component: Tag, row: number): unknown {
    const revisions = this.revisions.get(stores)!;
    const part = this.parts.findIndex(({ name }) => name === component.name);
    if (part >= 0) revisions[part]?.count(row);
    return (stores as unknown as AnyStores)[component.name];
  }

  /** Stores with nothing in any row, which have room for `capacity` rows and may get room for `most`. */
  create(capacity: number, most = capacity): StoresOf<C> {
    // One memory for all columns, and one for all counts: to make one costs as much as to fill it.
    let size = 0;
    for (const { store } of this.parts) size += store.sizeOf(capacity);
    const memory = new ArrayBuffer(size);
    let from = 0;
    const stores = storesOf(this.parts, ({ store }) => {
      const made = store.create(capacity, memory, from);
      from += store.sizeOf(capacity);
      return made;
    }) as StoresOf<C>;
    this.revisions.set(stores, this.createRevisions(capacity, most));
    return stores;
  }

  private createRevisions(capacity: number, most: number): PartRevisions {
    const chunks = (most >> chunkBits) + 1;
    const rowsOf = ({ store }: Part): number => (store.form.is === 'table' ? 0 : capacity);
    let size = 0;
    for (const part of this.parts) if (part.isSettled) size += chunks + rowsOf(part);
    const memory = new Int32Array(size);
    let from = 0;
    const next = (length: number): Int32Array => {
      from += length;
      return memory.subarray(from - length, from);
    };
    return this.parts.map((part) => {
      if (!part.isSettled) return undefined;
      const rows = rowsOf(part);
      return new Revisions(next(chunks), rows === 0 ? undefined : next(rows));
    });
  }

  /** Room for so many rows, and for as many again where there was none. Columns move then; their tables and lists of values stay. */
  reserve(stores: StoresOf<C>, rowCount: number): void {
    const all = stores as unknown as AnyStores;
    const { length } = all.rows.life;
    if (rowCount <= length) return;
    const capacity = Math.max(rowCount, 2 * length);
    for (const { store, name } of this.parts) store.grow(all[name], capacity);
    for (const each of this.revisions.get(stores)!) each?.reserve(capacity);
    this.slices.delete(stores);
  }

  /** Puts all rows of other stores in place of the present ones, of which `rowCount` were in use. */
  fill(stores: StoresOf<C>, others: StoresOf<C>, rowCount: number): void {
    const all = stores as unknown as AnyStores;
    const given = others as unknown as AnyStores;
    this.reserve(stores, given.rows.life.length);
    for (const { store, name } of this.parts) store.fill(all[name], given[name], rowCount);
    this.allChanged(stores);
  }

  /** A function for each settled component, by its name. */
  changeOf(stores: StoresOf<C>): ChangeOf<C> {
    const revisions = this.revisions.get(stores)!;
    const changes: Record<string, (row: number) => unknown> = {};
    for (const [i, { name, isSettled }] of this.parts.entries()) {
      if (isSettled) changes[name] = changer((stores as unknown as AnyStores)[name], revisions[i]!);
    }
    return { ...changes } as unknown as ChangeOf<C>;
  }

  /** All rows may be others than before. */
  allChanged(stores: StoresOf<C>): void {
    for (const each of this.revisions.get(stores)!) each?.countAll();
  }

  /**
   * The first rows of all stores, not copied. The views stay the same while the number of rows does, because hashes ask for them in every
   * tick.
   */
  slice(stores: StoresOf<C>, rowCount: number): StoresOf<C> {
    const known = this.slices.get(stores);
    if (known?.rowCount === rowCount) return known.slice;
    const all = stores as unknown as AnyStores;
    const slice = storesOf(this.parts, ({ store, name }) => store.slice(all[name], rowCount)) as StoresOf<C>;
    this.slices.set(stores, { rowCount, slice });
    this.revisions.set(slice, this.revisions.get(stores)!);
    return slice;
  }

  /** The mask of one component. */
  bitOf(component: Tag): Mask {
    const bit = this.bits.get(component);
    assert(bit !== undefined, `${component.name} is a component of this world`);
    return bit;
  }

  maskOf(...components: readonly Tag[]): Mask {
    return components.map((each) => this.bitOf(each)).reduce(union, noBits);
  }

  /** The components of a row, each with its name: a value, or the numbers of columns by name. */
  valuesOf(stores: StoresOf<C>, row: number): (readonly [name: string, value: unknown])[] {
    const all = stores as unknown as AnyStores;
    const had = this.parts.filter(({ name, bit }) => name === 'rows' || rowHas(all.rows, row, bit));
    return had.map(({ name, store }) => [name, store.show(all[name], row)]);
  }

  /** Takes everything from a row. A row out of use is the same whatever it was used for. */
  clear(stores: StoresOf<C>, row: number): void {
    const all = stores as unknown as AnyStores;
    const revisions = this.revisions.get(stores)!;
    // The rows hold the masks, and stand first in the list: they go last.
    for (let i = this.parts.length - 1; i >= 0; i--) {
      const { store, name, bit } = this.parts[i]!;
      if (name !== 'rows' && !rowHas(all.rows, row, bit)) continue;
      revisions[i]?.count(row);
      store.clear(all[name], row);
    }
  }

  /** Gives a row of the stores of a mask what they start with. */
  start(stores: StoresOf<C>, row: number, mask: Mask): void {
    const revisions = this.revisions.get(stores)!;
    for (let i = 0; i < this.parts.length; i++) {
      const { store, name, bit } = this.parts[i]!;
      if (!includesAll(mask, bit)) continue;
      revisions[i]?.count(row);
      store.start((stores as unknown as AnyStores)[name], row);
    }
  }
}

function changer<S>(store: S, revisions: Revisions): (row: number) => S {
  return (row) => {
    revisions.count(row);
    return store;
  };
}

function storesOf(parts: readonly Part[], make: (part: Part) => unknown): unknown {
  const made: Record<string, unknown> = {};
  for (const part of parts) made[part.name] = make(part);
  // V8 makes a hash table of an object that is filled by computed names. A copy is a plain record, whose members cost one load each.
  return { ...made };
}

/**
 * The stores of all components as one value. The masks of the rows say what there is. Columns that no row has are passed over, and so are
 * values of rows that have none. So a component that no entity has costs no byte and no time.
 */
class StoresKind implements Kind<AnyStores> {
  readonly form;
  private readonly rows: typeof Rows.store;
  private readonly parts: readonly Part[];
  /** All but the rows, columns first. */
  private readonly others: readonly Part[];
  /** Of all components. */
  private readonly bits: Mask;
  /** Of live stores. */
  private readonly revisions: WeakMap<object, PartRevisions>;

  constructor(
    rows: typeof Rows.store,
    parts: readonly Part[],
    bits: readonly Mask[],
    revisions: WeakMap<object, PartRevisions>,
  ) {
    const isTable = ({ store }: Part): boolean => store.form.is === 'table';
    const others = parts.filter(({ store }) => store !== (rows as unknown));
    this.rows = rows;
    this.parts = parts;
    const fields: unknown = Object.fromEntries(parts.map(({ name, store }) => [name, store]));
    this.form = { is: 'components', fields: fields as Fields };
    this.others = [...others.filter(isTable), ...others.filter((part) => !isTable(part))];
    this.bits = bits.reduce(union, noBits);
    this.revisions = revisions;
  }

  first(): AnyStores {
    return storesOf(this.parts, ({ store }) => store.create(0)) as AnyStores;
  }

  check(value: unknown, at: Checker): void {
    const stores = value as AnyStores;
    const rowCount = stores.rows.life.length;
    for (const { name, store } of this.parts) {
      at.below(name, store, stores[name]);
      if (store.form.is !== 'table') continue;
      const columns = Object.values(stores[name] as Record<string, ColumnArray>);
      at.demand(
        columns.every(({ length }) => length === rowCount),
        'a state with columns of several lengths',
      );
    }
  }

  write(stores: AnyStores, to: StateWriter): void {
    const used = new RowList();
    this.rows.write(stores.rows, to, used);
    // Component by component, so that code that has just run for one value runs for the next.
    this.each(stores.rows, (part) => part.store.write(stores[part.name], to, fillUsed(used, stores.rows, part)));
  }

  read(from: StateReader): AnyStores {
    const used = new RowList();
    const rows = this.rows.read(from, used);
    const { low, high } = without(unionOf(rows), this.bits);
    if (low !== 0 || high !== 0) throw new MalformedBytes('A row has components that there are not.');
    const read = new Map<string, unknown>([['rows', rows]]);
    const live = from.into?.stores;
    this.each(rows, (part) => {
      read.set(part.name, part.store.read(from, fillUsed(used, rows, part), live?.[part.name]));
    });
    return storesOf(this.parts, ({ name, store }) => read.get(name) ?? store.create(rows.life.length)) as AnyStores;
  }

  copy(stores: AnyStores, to: GraphCopier): AnyStores {
    return storesOf(this.parts, ({ store, name }) => store.copy(stores[name], to)) as AnyStores;
  }

  /** Rows without a component hold no value of it, so that values need no masks beside them. */
  hash(stores: AnyStores, to: StateDigest): void {
    const revisions = this.revisions.get(stores);
    const rowCount = stores.rows.life.length;
    for (let i = 0; i < this.parts.length; i++) {
      const { store, name, isSettled } = this.parts[i]!;
      if (isSettled) to.chunks(store, stores[name], rowCount, revisions?.[i]);
      else store.hash(stores[name], to);
    }
  }

  /** Visits those parts that some row has. */
  private each(rows: MaskColumns, visit: (part: Part) => void): void {
    const all = unionOf(rows);
    for (let i = 0; i < this.others.length; i++) if (includesAll(all, this.others[i]!.bit)) visit(this.others[i]!);
  }
}

/** Lists the rows that have a component with values. Columns are written as a whole. */
function fillUsed(used: RowList, rows: MaskColumns, { bit, store }: Part): RowList {
  used.clear();
  if (store.form.is === 'table') return used;
  for (let row = 0; row < rows.maskLow.length; row++) if (rowHas(rows, row, bit)) used.add(row);
  return used;
}
