import { assert } from '../core/assert.ts';
import {
  type ColumnArray,
  type ColumnFields,
  type Columns,
  type Kind,
  record,
  type TableKind,
  table,
} from '../schema/index.ts';

/** One concern of entities, which they have or have not. */
export interface Tag {
  readonly name: string;
}

/**
 * A concern with fields, each a column with a place for each row. Columns never move while a simulation lives, so a system may hold them in
 * locals across script calls; untouched pages of a column cost nothing.
 */
export interface Component<F extends ColumnFields> extends Tag {
  readonly table: TableKind<F>;
}

export function component<const F extends ColumnFields>(name: string, fields: F): Component<F> {
  return { name, table: table(fields) };
}

export function tag(name: string): Tag {
  return { name };
}

interface ComponentList {
  readonly [name: string]: Tag;
}
export type StoresOf<C extends ComponentList> = {
  readonly [K in keyof C as C[K] extends Component<infer _> ? K : never]: C[K] extends Component<infer F>
    ? Columns<F>
    : never;
};

type Store = Columns<ColumnFields>;
type AnyStores = Readonly<Record<string, Store>>;

/** All components of a world: makes their stores, and says which bit of a row's mask stands for which. */
export class ComponentSet<const C extends ComponentList> {
  readonly all: C;
  /** As one field of a state: hash, snapshot and differences of all stores. */
  readonly state: Kind<StoresOf<C>>;
  private readonly tables: readonly (readonly [name: string, table: TableKind<ColumnFields>])[];
  private readonly bits = new Map<Tag, number>();

  constructor(all: C) {
    this.all = all;
    const list = Object.entries(all);
    assert(list.length <= 32, 'a mask has 32 bits');
    for (const [at, [name, component]] of list.entries()) {
      assert(component.name === name && !this.bits.has(component), `${name} stands in the list once, under its name`);
      this.bits.set(component, (1 << at) >>> 0);
    }
    this.tables = list.flatMap(([name, each]) =>
      'table' in each ? [[name, each.table as TableKind<ColumnFields>]] : [],
    );
    this.state = record(Object.fromEntries(this.tables)) as unknown as Kind<StoresOf<C>>;
  }

  /** The columns of one component. */
  storeOf<F extends ColumnFields>(stores: StoresOf<C>, component: Component<F>): Columns<F> {
    return (stores as unknown as Readonly<Record<string, Columns<F>>>)[component.name]!;
  }

  /** Stores with a place for each row, all zeros. */
  create(capacity: number): StoresOf<C> {
    return this.each((table) => table.create(capacity));
  }

  /** The first rows of all stores, not copied. */
  slice(stores: StoresOf<C>, rowCount: number): StoresOf<C> {
    return this.each((table, name) => table.slice((stores as unknown as AnyStores)[name]!, rowCount));
  }

  /** The mask of one or more components. */
  maskOf(...components: readonly Tag[]): number {
    let mask = 0;
    for (let i = 0; i < components.length; i++) {
      const bit = this.bits.get(components[i]!);
      assert(bit !== undefined, `${components[i]!.name} is a component of this world`);
      mask |= bit;
    }
    return mask >>> 0;
  }

  /** The components of a mask. */
  componentsOf(mask: number): readonly Tag[] {
    return [...this.bits].flatMap(([component, bit]) => ((mask & bit) !== 0 ? [component] : []));
  }

  /** All columns, each with its path: `transform/x`. */
  columnsOf(stores: StoresOf<C>): (readonly [path: string, column: ColumnArray])[] {
    return this.tables.flatMap(([name]) =>
      Object.entries((stores as unknown as AnyStores)[name]!).map(
        ([field, column]) => [`${name}/${field}`, column] as const,
      ),
    );
  }

  /** Puts zeros into a row of every store: what is not in use is the same whatever it was used for. */
  clear(stores: StoresOf<C>, row: number): void {
    for (let i = 0; i < this.tables.length; i++) {
      const [name, table] = this.tables[i]!;
      table.clear((stores as unknown as AnyStores)[name]!, row);
    }
  }

  /** Gives a row of the stores of a mask what their fields start with. */
  start(stores: StoresOf<C>, row: number, mask: number): void {
    for (let i = 0; i < this.tables.length; i++) {
      const [name, table] = this.tables[i]!;
      if ((mask & this.maskOf(this.all[name]!)) !== 0) table.start((stores as unknown as AnyStores)[name]!, row);
    }
  }

  private each(make: (table: TableKind<ColumnFields>, name: string) => unknown): StoresOf<C> {
    const made: Record<string, unknown> = {};
    for (const [name, table] of this.tables) made[name] = make(table, name);
    // V8 makes a hash table of an object that is filled by computed names; a copy is a plain record, whose members cost one load each.
    return { ...made } as unknown as StoresOf<C>;
  }
}
