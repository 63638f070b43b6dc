import { assert } from '../core/assert.ts';
import {
  type ColumnArray,
  type ColumnFields,
  type Columns,
  type Kind,
  record,
  type StoreKind,
  type TableKind,
  table,
  valuesByRow,
} from '../schema/index.ts';
import { bitAt, includesAll, noBits, union } from './mask.ts';

/** One concern of entities, which they have or have not. */
export interface Tag {
  readonly name: string;
}

/** A concern with state. `S` is what keeps it for all rows. */
export interface Component<S> extends Tag {
  readonly store: StoreKind<S>;
}

/** What keeps a component: its columns, or the list of its values by row. */
export type StoreOf<C> = C extends Component<infer S> ? S : never;

/**
 * Declares a component in one of two forms.
 *
 * - Fields, each a number: a column for each field, with a place for each row (structure of arrays). For what many entities have and systems walk.
 *   Columns never move while a simulation lives, so that a system may hold them in locals across script calls. Untouched pages cost nothing.
 * - A kind, mostly a `record`: a value for each entity that has the component, undefined for all others (array of structures). For texts, lists and
 *   maps, and for what few entities have.
 */
export function component<const F extends ColumnFields>(name: string, fields: F): Component<Columns<F>>;
export function component<T>(name: string, value: Kind<T>): Component<(T | undefined)[]>;
export function component(name: string, of: ColumnFields | Kind<unknown>): Component<unknown> {
  const isValue = typeof of['hash'] === 'function';
  const store: unknown = isValue ? valuesByRow(of as Kind<unknown>) : table(of as ColumnFields);
  return { name, store: store as StoreKind<unknown> };
}

export function tag(name: string): Tag {
  return { name };
}

interface ComponentList {
  readonly [name: string]: Tag;
}
export type StoresOf<C extends ComponentList> = {
  readonly [K in keyof C as C[K] extends Component<infer _> ? K : never]: StoreOf<C[K]>;
};

type AnyStores = Readonly<Record<string, unknown>>;
type AnyStoreKind = StoreKind<unknown>;
interface Part {
  readonly name: string;
  readonly store: AnyStoreKind;
  /** The bit that says that a row has it. */
  readonly bit: number;
  /** Names of columns; undefined for values by row. */
  readonly columns: readonly string[] | undefined;
}

/** All components of a world: makes their stores, and says which bit of a row's mask stands for which. */
export class ComponentSet<const C extends ComponentList> {
  readonly all: C;
  /** As one field of a state: hash, snapshot and differences of all stores. */
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
      const store = component.store as AnyStoreKind;
      parts.push({ name, store, bit, columns: (store as unknown as TableKind<ColumnFields>).names });
    }
    this.parts = parts;
    this.state = record(Object.fromEntries(parts.map(({ name, store }) => [name, store]))) as unknown as Kind<
      StoresOf<C>
    >;
  }

  /** What keeps one component. */
  storeOf<S>(stores: StoresOf<C>, component: Component<S>): S {
    return (stores as unknown as Readonly<Record<string, S>>)[component.name]!;
  }

  /** Stores with nothing in any row. */
  create(capacity: number): StoresOf<C> {
    return this.each(({ store }) => store.create(capacity));
  }

  /** The first rows of all stores, not copied: the same views again while the number of rows stays, because hashes ask for them in every tick. */
  slice(stores: StoresOf<C>, rowCount: number): StoresOf<C> {
    const known = this.slices.get(stores);
    if (known?.rowCount === rowCount) return known.slice;
    const slice = this.each(({ store, name }) => store.slice((stores as AnyStores)[name], rowCount));
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

  /** All columns, each with its path: `transform/x`. */
  columnsOf(stores: StoresOf<C>): (readonly [path: string, column: ColumnArray])[] {
    return this.parts.flatMap(({ name, columns }) =>
      (columns ?? []).map((field) => {
        const store = (stores as AnyStores)[name] as Readonly<Record<string, ColumnArray>>;
        return [`${name}/${field}`, store[field]!] as const;
      }),
    );
  }

  /** The values of a row, each with the name of its component. */
  valuesOf(stores: StoresOf<C>, row: number): (readonly [name: string, value: unknown])[] {
    return this.parts.flatMap(({ name, columns }) => {
      const value = columns === undefined ? (stores as Readonly<Record<string, unknown[]>>)[name]![row] : undefined;
      return value === undefined ? [] : [[name, value] as const];
    });
  }

  /** The name of a component of the mask of which the row has no value; undefined where all is well. */
  missing(stores: StoresOf<C>, row: number, mask: number): string | undefined {
    const part = this.parts.find(({ name, columns, bit }) => {
      if (columns !== undefined || !includesAll(mask, bit)) return false;
      return (stores as Readonly<Record<string, unknown[]>>)[name]![row] === undefined;
    });
    return part?.name;
  }

  /** What is not in use is the same whatever it was used for. */
  clear(stores: StoresOf<C>, row: number): void {
    for (let i = 0; i < this.parts.length; i++) {
      const { store, name } = this.parts[i]!;
      store.clear((stores as AnyStores)[name], row);
    }
  }

  /** Gives a row of the stores of a mask what they start with. */
  start(stores: StoresOf<C>, row: number, mask: number): void {
    for (let i = 0; i < this.parts.length; i++) {
      const { store, name, bit } = this.parts[i]!;
      if (includesAll(mask, bit)) store.start((stores as AnyStores)[name], row);
    }
  }

  private each(make: (part: Part) => unknown): StoresOf<C> {
    const made: Record<string, unknown> = {};
    for (const part of this.parts) made[part.name] = make(part);
    // V8 makes a hash table of an object that is filled by computed names; a copy is a plain record, whose members cost one load each.
    return { ...made } as unknown as StoresOf<C>;
  }
}
