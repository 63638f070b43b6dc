import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import type { GraphCopier } from '../core/graph-copy.ts';
import type { Checker, ColumnArray, Fields, FieldType, StateReader, StateWriter, StoreType } from '../schema/index.ts';
import type { Component, StoreOf, Tag } from './component.ts';
import type { Rows } from './entities.ts';
import { bitAt, includesAll, type Mask, type MaskColumns, noBits, rowHas, union, unionOf } from './mask.ts';

interface ComponentList {
  readonly rows: typeof Rows;
  readonly [name: string]: Tag;
}
export type StoresOf<C> = {
  readonly [K in keyof C as C[K] extends Component<infer _> ? K : never]: StoreOf<C[K]>;
};

interface AnyStores {
  readonly rows: StoreOf<typeof Rows>;
  readonly [name: string]: unknown;
}

interface Part {
  readonly name: string;
  readonly store: StoreType<unknown>;
  /** The bit of this component in the mask of a row. */
  readonly bit: Mask;
}

/** All components of a world: creates their stores and assigns each component its bit in the masks of rows. */
export class ComponentSet<const C extends ComponentList> {
  /** All stores as one field of the state, for checking and serialising. */
  readonly state: FieldType<StoresOf<C>>;
  private readonly parts: readonly Part[];
  private readonly bits = new Map<Tag, Mask>();

  constructor(readonly all: C) {
    const parts: Part[] = [];
    for (const [at, [name, component]] of Object.entries(all).entries()) {
      assert(
        component.name === name && !this.bits.has(component),
        `component ${name} is listed once, under its own name`,
      );
      const bit = bitAt(at);
      this.bits.set(component, bit);
      if (!('store' in component)) continue;
      parts.push({ name, store: component.store as StoreType<unknown>, bit });
    }
    this.parts = parts;
    this.state = new StoresType(all.rows.store, parts, [...this.bits.values()]) as unknown as FieldType<StoresOf<C>>;
  }

  /** The store of one component; undefined for a tag. */
  storeOf(stores: StoresOf<C>, component: Tag): unknown {
    return (stores as unknown as AnyStores)[component.name];
  }

  /** Empty stores with room for `capacity` rows. */
  create(capacity: number): StoresOf<C> {
    const place = this.places(capacity);
    return storesOf(this.parts, ({ store }) => store.create(capacity, ...place(store))) as StoresOf<C>;
  }

  /**
   * Makes room for `rowCount` rows, doubling the capacity until they fit. Growing replaces the columns, while
   * their tables and the lists of values stay the same objects.
   */
  reserve(stores: StoresOf<C>, rowCount: number): void {
    const all = stores as unknown as AnyStores;
    let capacity = all.rows.life.length;
    if (rowCount <= capacity) return;
    while (capacity < rowCount) capacity *= 2;
    const place = this.places(capacity);
    for (const { store, name } of this.parts) store.grow(all[name], capacity, ...place(store));
  }

  /**
   * Allocates one buffer for the columns of all stores, because allocating a buffer costs as much as filling it. The
   * returned function must be called once for each store, in order; it returns the buffer and the byte offset of the
   * store's columns.
   */
  private places(capacity: number): (store: StoreType<unknown>) => [memory: ArrayBuffer, from: number] {
    let size = 0;
    for (const { store } of this.parts) size += store.sizeOf(capacity);
    const memory = new ArrayBuffer(size);
    let end = 0;
    return (store) => {
      const from = end;
      end += store.sizeOf(capacity);
      return [memory, from];
    };
  }

  /**
   * Overwrites all rows with those of the stores `others`. `rowCount`: the number of rows of `stores` that were in use
   * before.
   */
  fill(stores: StoresOf<C>, others: StoresOf<C>, rowCount: number): void {
    const all = stores as unknown as AnyStores;
    const given = others as unknown as AnyStores;
    this.reserve(stores, given.rows.life.length);
    for (const { store, name } of this.parts) store.fill(all[name], given[name], rowCount);
  }

  /** Views of the first `rowCount` rows of all stores, without copying. */
  slice(stores: StoresOf<C>, rowCount: number): StoresOf<C> {
    const all = stores as unknown as AnyStores;
    return storesOf(this.parts, ({ store, name }) => store.slice(all[name], rowCount)) as StoresOf<C>;
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

  /**
   * The names and values of the components of a row. A value is that of the component, or an object with the number in
   * each column.
   */
  valuesOf(stores: StoresOf<C>, row: number): (readonly [name: string, value: unknown])[] {
    const all = stores as unknown as AnyStores;
    const had = this.parts.filter(({ name, bit }) => name === 'rows' || rowHas(all.rows, row, bit));
    return had.map(({ name, store }) => [name, store.show(all[name], row)]);
  }

  /** Clears a row in all stores, so that freed rows are equal no matter what they held. */
  clear(stores: StoresOf<C>, row: number): void {
    const all = stores as unknown as AnyStores;
    // Goes backwards, because `rows` comes first and holds the masks that this loop reads.
    for (let i = this.parts.length - 1; i >= 0; i--) {
      const { store, name, bit } = this.parts[i]!;
      if (name !== 'rows' && !rowHas(all.rows, row, bit)) continue;
      store.clear(all[name], row);
    }
  }

  /** Sets the row to its initial values in the stores of all components of the mask. */
  start(stores: StoresOf<C>, row: number, mask: Mask): void {
    for (let i = 0; i < this.parts.length; i++) {
      const { store, name, bit } = this.parts[i]!;
      if (!includesAll(mask, bit)) continue;
      store.start((stores as unknown as AnyStores)[name], row);
    }
  }
}

function storesOf(parts: readonly Part[], make: (part: Part) => unknown): unknown {
  const made: Record<string, unknown> = {};
  for (const part of parts) made[part.name] = make(part);
  // V8 turns an object that is filled by computed names into a hash table. Spreading it gives a plain object with fast
  // members.
  return { ...made };
}

/**
 * The stores of all components as one value. The masks of the rows say which components are present; columns and values
 * that no row has are skipped, so an unused component takes neither bytes nor time.
 */
class StoresType implements FieldType<AnyStores> {
  readonly form;
  /** All parts except `rows`: first the parts with columns, then the parts with values. */
  private readonly others: readonly Part[];
  /** The union of the bits of all components. */
  private readonly bits: Mask;

  constructor(
    private readonly rows: typeof Rows.store,
    private readonly parts: readonly Part[],
    bits: readonly Mask[],
  ) {
    const isTable = ({ store }: Part) => store.form.is === 'table';
    const others = parts.filter(({ store }) => store !== (rows as unknown));
    const fields: unknown = Object.fromEntries(parts.map(({ name, store }) => [name, store]));
    this.form = { is: 'components', fields: fields as Fields };
    this.others = [...others.filter(isTable), ...others.filter((part) => !isTable(part))];
    this.bits = bits.reduce(union, noBits);
  }

  initial(): AnyStores {
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
        'a state with columns of different lengths',
      );
    }
  }

  write(stores: AnyStores, to: StateWriter): void {
    const used: number[] = [];
    this.rows.write(stores.rows, to, used);
    // Goes component by component rather than row by row, so that the same code handles many values in succession.
    this.each(stores.rows, (part) => part.store.write(stores[part.name], to, fillUsed(used, stores.rows, part)));
  }

  read(from: StateReader): AnyStores {
    const used: number[] = [];
    const rows = this.rows.read(from, used);
    if (!includesAll(this.bits, unionOf(rows)))
      throw new MalformedBytes('Damaged data: a row has a component that does not exist.');
    const read = new Map<string, unknown>([['rows', rows]]);
    this.each(rows, (part) => {
      read.set(part.name, part.store.read(from, fillUsed(used, rows, part)));
    });
    return storesOf(this.parts, ({ name, store }) => read.get(name) ?? store.create(rows.life.length)) as AnyStores;
  }

  copy(stores: AnyStores, to: GraphCopier): AnyStores {
    return storesOf(this.parts, ({ store, name }) => store.copy(stores[name], to)) as AnyStores;
  }

  /** Visits the components that at least one row has. */
  private each(rows: MaskColumns, visit: (part: Part) => void) {
    const all = unionOf(rows);
    for (let i = 0; i < this.others.length; i++) if (includesAll(all, this.others[i]!.bit)) visit(this.others[i]!);
  }
}

/**
 * Lists the rows that have a component whose store is a list of values. Returns no rows for a table: its columns are
 * written as a whole.
 */
function fillUsed(used: number[], rows: MaskColumns, { bit, store }: Part): readonly number[] {
  used.length = 0;
  if (store.form.is === 'table') return used;
  for (let row = 0; row < rows.mask0.length; row++) if (rowHas(rows, row, bit)) used.push(row);
  return used;
}
