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
import { bitAt, highestBit, includesAll, intersection, noBits, union } from './mask.ts';

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
  readonly bit: number;
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
  private readonly bits = new Map<Tag, number>();
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

  /** The mask of one or more components. */
  maskOf(...components: readonly Tag[]): number {
    let mask = noBits;
    for (let i = 0; i < components.length; i++) {
      const bit = this.bits.get(components[i]!);
      assert(bit !== undefined, `${components[i]!.name} is a component of this world`);
      mask = union(mask, bit);
    }
    return mask;
  }

  /** The components of a row, each with its name: a value, or the numbers of columns by name. */
  valuesOf(stores: StoresOf<C>, row: number): (readonly [name: string, value: unknown])[] {
    const all = stores as unknown as AnyStores;
    const had = this.parts.filter(({ name, bit }) => name === 'rows' || includesAll(all.rows.mask[row]!, bit));
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
    const mask = all.rows.mask[row]!;
    for (let i = 0; i < this.parts.length; i++) {
      const { store, name, bit } = this.parts[i]!;
      if (name === 'rows' || includesAll(mask, bit)) store.clear(all[name], row);
    }
  }

  /** Gives a row of the stores of a mask what they start with. */
  start(stores: StoresOf<C>, row: number, mask: number): void {
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
 * The stores of all components as one value. The masks of the rows say what there is: columns that no row has are passed over, and values
 * stand row by row. So a component that no entity has costs no byte and no time.
 */
class StoresKind implements Kind<AnyStores> {
  readonly form;
  private readonly rows: StoreKind<StoreOf<typeof Rows>>;
  private readonly parts: readonly Part[];
  private readonly columns: readonly Part[];
  /** By the number of their bit; others have undefined there. */
  private readonly values: readonly (ValuePart | undefined)[];
  /** Of those that are values, and of all. */
  private readonly valueBits: number;
  private readonly bits: number;

  constructor(rows: StoreKind<StoreOf<typeof Rows>>, parts: readonly Part[], bits: readonly number[]) {
    this.rows = rows;
    this.parts = parts;
    this.form = { is: 'components', fields: Object.fromEntries(parts.map(({ name, store }) => [name, store])) };
    this.columns = parts.filter((part) => !isValue(part) && part.store !== (rows as StoreKind<unknown>));
    const values = parts.filter(isValue);
    this.values = bits.map((bit) => values.find((part) => part.bit === bit));
    this.valueBits = values.map(({ bit }) => bit).reduce(union, noBits);
    this.bits = bits.reduce(union, noBits);
  }

  first(): AnyStores {
    return this.empty(0);
  }

  check(value: unknown, at: Checker): void {
    const stores = value as AnyStores;
    at.below('rows', this.rows, stores.rows);
    for (const { name, store } of this.columns) {
      at.below(name, store, stores[name]);
      for (const column of Object.values(stores[name] as AnyColumns)) {
        at.demand(column.length === stores.rows.mask.length, 'a state with columns of several lengths');
      }
    }
    this.eachValue(stores, ({ name, of }, row) => at.below(`${name}/${row}`, of, (stores[name] as unknown[])[row]));
  }

  write(stores: AnyStores, to: StateWriter): void {
    this.rows.write(stores.rows, to);
    this.eachColumns(stores.rows.mask, ({ name, store }) => store.write(stores[name], to));
    this.eachValue(stores, ({ name, of }, row) => of.write((stores[name] as unknown[])[row], to));
  }

  read(from: StateReader): AnyStores {
    const rows = this.rows.read(from);
    const { mask } = rows;
    for (let row = 0; row < mask.length; row++) {
      const isMask = Number.isSafeInteger(mask[row]) && mask[row]! >= 0 && includesAll(this.bits, mask[row]!);
      if (!isMask) throw new MalformedBytes(`Row ${row} has components that there are not.`);
    }
    const stores: Record<string, unknown> = { ...this.empty(mask.length), rows };
    this.eachColumns(mask, ({ name, store }) => {
      stores[name] = store.read(from);
    });
    this.eachValue({ rows }, ({ name, of }, row) => {
      const values = stores[name] as unknown[];
      while (values.length < row) values.push(undefined);
      values.push(of.read(from));
    });
    return stores as unknown as AnyStores;
  }

  hash(stores: AnyStores, to: StateDigest): void {
    this.rows.hash(stores.rows, to);
    this.eachColumns(stores.rows.mask, ({ name, store }) => store.hash(stores[name], to));
    this.eachValue(stores, ({ name, of }, row) => of.hash((stores[name] as unknown[])[row], to));
  }

  private empty(capacity: number): AnyStores {
    return storesOf(this.parts, ({ store }) => store.create(capacity)) as AnyStores;
  }

  /** Those that some row has. */
  private eachColumns(masks: Float64Array, visit: (part: Part) => void): void {
    let had = noBits;
    for (let row = 0; row < masks.length; row++) had = union(had, masks[row]!);
    for (let i = 0; i < this.columns.length; i++) if (includesAll(had, this.columns[i]!.bit)) visit(this.columns[i]!);
  }

  /** Row by row, the last component first. */
  private eachValue({ rows: { mask } }: Pick<AnyStores, 'rows'>, visit: (part: ValuePart, row: number) => void): void {
    for (let row = 0; row < mask.length; row++) {
      let rest = intersection(mask[row]!, this.valueBits);
      while (rest !== noBits) {
        const part = this.values[highestBit(rest)]!;
        visit(part, row);
        rest -= part.bit;
      }
    }
  }
}
