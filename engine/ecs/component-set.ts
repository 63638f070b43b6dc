import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import type {
  Checker,
  ColumnArray,
  Kind,
  StateDigest,
  StateReader,
  StateWriter,
  StoreKind,
  ValuesKind,
} from '../schema/index.ts';
import type { Component, StoreOf, Tag } from './component.ts';
import type { Rows } from './entities.ts';
import { bitAt, includesAll, type Mask, type MaskColumns, noBits, rowHas, union, unionOf, without } from './mask.ts';

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
type AnyColumns = Readonly<Record<string, ColumnArray>>;

interface Part {
  readonly name: string;
  readonly store: StoreKind<unknown>;
  /** The bit that says that a row has it. */
  readonly bit: Mask;
}

/** Of what is kept as a value: what the value is. */
interface ValuePart extends Part {
  readonly of: Kind<unknown>;
}

const isValue = (part: Part): part is ValuePart => 'of' in part;

/** All components of a world: makes their stores, and says which bit of a row's mask stands for which. */
export class ComponentSet<const C extends ComponentList> {
  readonly all: C;
  /** As one field of a state: check, bytes and hash of all stores. */
  readonly state: Kind<StoresOf<C>>;
  private readonly parts: readonly Part[];
  private readonly bits = new Map<Tag, Mask>();
  private readonly slices = new WeakMap<StoresOf<C>, { readonly rowCount: number; readonly slice: StoresOf<C> }>();

  constructor(all: C) {
    this.all = all;
    const parts: Part[] = [];
    for (const [at, [name, component]] of Object.entries(all).entries()) {
      assert(component.name === name && !this.bits.has(component), `${name} stands in the list once, under its name`);
      const bit = bitAt(at);
      this.bits.set(component, bit);
      if (!('store' in component)) continue;
      const store = component.store as StoreKind<unknown> | ValuesKind<unknown>;
      const part: Part | ValuePart = 'of' in store ? { name, store, bit, of: store.of } : { name, store, bit };
      parts.push(part);
    }
    this.parts = parts;
    this.state = new StoresKind(all.rows.store, parts, [...this.bits.values()]) as unknown as Kind<StoresOf<C>>;
  }

  /** The store of one component; undefined for a tag. */
  storeOf(stores: StoresOf<C>, component: Tag): unknown {
    return (stores as unknown as AnyStores)[component.name];
  }

  /** Stores with nothing in any row. */
  create(capacity: number): StoresOf<C> {
    return storesOf(this.parts, ({ store }) => store.create(capacity)) as StoresOf<C>;
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
    return had.map((part) => {
      if (isValue(part)) {
        const value = (all[part.name] as unknown[])[row];
        return [part.name, part.of.shown?.(value) ?? value];
      }
      const columns = Object.entries(all[part.name] as AnyColumns);
      return [part.name, Object.fromEntries(columns.map(([field, column]) => [field, column[row]]))];
    });
  }

  /** Takes everything from a row. A row out of use is the same whatever it was used for. */
  clear(stores: StoresOf<C>, row: number): void {
    const all = stores as unknown as AnyStores;
    // The rows hold the masks, and stand first in the list: they go last.
    for (let i = this.parts.length - 1; i >= 0; i--) {
      const { store, name, bit } = this.parts[i]!;
      if (name === 'rows' || rowHas(all.rows, row, bit)) store.clear(all[name], row);
    }
  }

  /** Gives a row of the stores of a mask what they start with. */
  start(stores: StoresOf<C>, row: number, mask: Mask): void {
    for (let i = 0; i < this.parts.length; i++) {
      const { store, name, bit } = this.parts[i]!;
      if (includesAll(mask, bit)) store.start((stores as unknown as AnyStores)[name], row);
    }
  }
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
  private readonly rows: StoreKind<StoreOf<typeof Rows>>;
  private readonly parts: readonly Part[];
  private readonly columns: readonly Part[];
  private readonly values: readonly ValuePart[];
  /** Of all components. */
  private readonly bits: Mask;

  constructor(rows: StoreKind<StoreOf<typeof Rows>>, parts: readonly Part[], bits: readonly Mask[]) {
    this.rows = rows;
    this.parts = parts;
    this.form = { is: 'components', fields: Object.fromEntries(parts.map(({ name, store }) => [name, store])) };
    this.columns = parts.filter((part) => !isValue(part) && part.store !== (rows as StoreKind<unknown>));
    this.values = parts.filter(isValue);
    this.bits = bits.reduce(union, noBits);
  }

  first(): AnyStores {
    return this.empty(0);
  }

  check(value: unknown, at: Checker): void {
    const stores = value as AnyStores;
    for (const { name, store } of this.parts) at.below(name, store, stores[name]);
    for (const { name } of this.columns) {
      for (const column of Object.values(stores[name] as AnyColumns)) {
        at.demand(column.length === stores.rows.life.length, 'a state with columns of several lengths');
      }
    }
  }

  write(stores: AnyStores, to: StateWriter): void {
    this.rows.write(stores.rows, to);
    had(this.columns, stores.rows, ({ name, store }) => store.write(stores[name], to));
    this.eachValue(stores.rows, ({ name, of }, row) => of.write((stores[name] as unknown[])[row], to));
  }

  read(from: StateReader): AnyStores {
    const rows = this.rows.read(from);
    const { low, high } = without(unionOf(rows), this.bits);
    if (low !== 0 || high !== 0) throw new MalformedBytes('A row has components that there are not.');
    const stores: Record<string, unknown> = { ...this.empty(rows.life.length), rows };
    had(this.columns, rows, ({ name, store }) => {
      stores[name] = store.read(from);
    });
    this.eachValue(rows, ({ name, of }, row) => {
      const values = stores[name] as unknown[];
      while (values.length < row) values.push(undefined);
      values.push(of.read(from));
    });
    return stores as unknown as AnyStores;
  }

  /** Rows without a component hold no value of it, so that values need no masks beside them. */
  hash(stores: AnyStores, to: StateDigest): void {
    this.rows.hash(stores.rows, to);
    had(this.columns, stores.rows, ({ name, store }) => store.hash(stores[name], to));
    had(this.values, stores.rows, ({ name, store }) => store.hash(stores[name], to));
  }

  private empty(capacity: number): AnyStores {
    return storesOf(this.parts, ({ store }) => store.create(capacity)) as AnyStores;
  }

  /** Component by component, so that code that has just run for one value runs for the next. */
  private eachValue(rows: StoreOf<typeof Rows>, visit: (part: ValuePart, row: number) => void): void {
    had(this.values, rows, (part) => {
      for (let row = 0; row < rows.life.length; row++) if (rowHas(rows, row, part.bit)) visit(part, row);
    });
  }
}

/** Visits those parts that some row has. */
function had<P extends Part>(parts: readonly P[], rows: MaskColumns, visit: (part: P) => void): void {
  const all = unionOf(rows);
  for (let i = 0; i < parts.length; i++) if (includesAll(all, parts[i]!.bit)) visit(parts[i]!);
}
