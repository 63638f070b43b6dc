import { type WordView, wordViewOf } from '../core/hash.ts';
import { rows } from './compound.ts';
import type { StateDigest } from './digest.ts';
import type { Kind } from './kind.ts';
import type { ColumnArray, ColumnKind } from './scalar.ts';

function typedArray<A extends ColumnArray>(is: string, array: new (length: number) => A): Kind<A> {
  return {
    form: { is },
    first: () => new array(0),
    check: (value, at) => at.demand(value instanceof array, `no list of ${is}`),
    write: (value, to) => to.bytes.packed(value),
    read: (from) => from.bytes.packed(array),
    hash: (value, to) =>
      value instanceof Float64Array
        ? to.hasher.floats(value)
        : to.hasher.ints(value as Exclude<ColumnArray, Float64Array>),
  };
}

export function floats(): Kind<Float64Array> {
  return typedArray('floats', Float64Array);
}

export function bytes(): Kind<Uint8Array> {
  return typedArray('bytes', Uint8Array);
}

export interface ColumnFields {
  readonly [name: string]: ColumnKind;
}
export type Columns<F extends ColumnFields> = {
  readonly [K in keyof F]: F[K] extends ColumnKind<infer A> ? A : never;
};

/** Something that is kept by row: a table, or a list of values. */
export interface StoreKind<S> extends Kind<S> {
  /** With nothing in any row. */
  create(capacity: number): S;
  /** The first rows, not copied. */
  slice(store: S, rowCount: number): S;
  /** Gives a row that is clear what it starts with. */
  start(store: S, row: number): void;
  /** A row out of use is the same whatever it was used for: zeros, or no value. */
  clear(store: S, row: number): void;
}

export interface TableKind<F extends ColumnFields> extends StoreKind<Columns<F>> {
  readonly fields: F;
  readonly names: readonly (keyof F & string)[];
}

/** Rows of numbers, one typed array for each field. All columns of a table have one length. */
export function table<const F extends ColumnFields>(fields: F): TableKind<F> {
  type Any = Record<string, ColumnArray>;
  const names = Object.keys(fields);
  const kinds = Object.values(fields);
  const arrays = kinds.map(({ form, array }) => typedArray(form.is, array as new (length: number) => ColumnArray));
  const started = names.filter((name) => !Object.is(fields[name]!.start, 0));
  // V8 makes a hash table of an object that is filled by computed names. A copy is a plain record, whose members cost one load each.
  const each = (make: (i: number) => ColumnArray): Columns<F> => {
    const made: Any = {};
    for (let i = 0; i < names.length; i++) made[names[i]!] = make(i);
    return { ...made } as unknown as Columns<F>;
  };
  const kind: TableKind<F> = {
    form: { is: 'table', fields },
    fields,
    names,
    // One buffer for all columns, because each costs as much as thousands of rows. Columns begin at whole words.
    create(capacity) {
      const offsets = kinds.map(() => 0);
      let size = 0;
      for (let i = 0; i < kinds.length; i++) {
        offsets[i] = size;
        size += Math.ceil((capacity * kinds[i]!.array.BYTES_PER_ELEMENT) / 8) * 8;
      }
      const buffer = new ArrayBuffer(size);
      return each((i) => new kinds[i]!.array(buffer, offsets[i]!, capacity));
    },
    slice: (columns, rowCount) => each((i) => (columns as unknown as Any)[names[i]!]!.subarray(0, rowCount)),
    start(columns, row) {
      for (let i = 0; i < started.length; i++) {
        const name = started[i]!;
        (columns as unknown as Any)[name]![row] = fields[name]!.start;
      }
    },
    clear(columns, row) {
      for (let i = 0; i < names.length; i++) (columns as unknown as Any)[names[i]!]![row] = 0;
    },
    first: () => kind.create(0),
    check(value, at) {
      at.demand(value !== null && typeof value === 'object', 'no table');
      const columns = value as Any;
      at.demand(Object.keys(columns).length === names.length, 'a table with other columns');
      const { length } = columns[names[0]!] ?? [];
      for (let i = 0; i < names.length; i++) {
        const name = names[i]!;
        at.below(name, arrays[i]!, columns[name]);
        at.demand(columns[name]!.length === length, 'a table with columns of several lengths');
      }
      for (let i = 0; i < names.length; i++) {
        // The numbers of a typed array are right unless the kind wants more than a number of that size.
        if (!narrower.has(kinds[i]!.form.is)) continue;
        const column = columns[names[i]!]!;
        for (let row = 0; row < column.length; row++) at.below(`${names[i]}/${row}`, kinds[i]!, column[row]);
      }
    },
    write(value, to) {
      for (let i = 0; i < names.length; i++) arrays[i]!.write((value as unknown as Any)[names[i]!]!, to);
    },
    read: (from) => each((i) => arrays[i]!.read(from)),
    hash: (value, to) => to.hasher.views(viewsOf(value)),
  };
  const known = new WeakMap<Columns<F>, readonly WordView[]>();
  /** Made once for columns that hashes ask for in every tick. */
  function viewsOf(columns: Columns<F>): readonly WordView[] {
    let views = known.get(columns);
    if (views === undefined) {
      views = names.map((name) => wordViewOf((columns as unknown as Any)[name]!));
      if (views.every(({ isLive }) => isLive)) known.set(columns, views);
    }
    return views;
  }
  return kind;
}

/** A store that keeps a value for each row that has one, and undefined for the others. */
export interface ValuesKind<T> extends StoreKind<(T | undefined)[]> {
  readonly of: Kind<T>;
}

/** As `rows`, for what a component keeps: a value, mostly a record, in each row that has the component. */
export function valuesByRow<T>(of: Kind<T>): ValuesKind<T> {
  const whole = rows(of);
  const hash = (values: (T | undefined)[], to: StateDigest): void => whole.hash(values, to);
  return {
    ...whole,
    hash: of.isConstant === true ? (values, to) => to.constants(whole, values, hash) : hash,
    of,
    create: () => [],
    slice: (store) => store,
    start(store, row) {
      // Without gaps: V8 makes a hash table of an array whose last element stands far beyond the others.
      while (store.length < row) store.push(undefined);
      store[row] = of.first();
    },
    clear(store, row) {
      if (row < store.length) store[row] = undefined;
    },
  };
}

/** Kinds of which not every number of the column is one. */
const narrower: ReadonlySet<string> = new Set(['entity', 'count', 'index']);

export interface StridesKind<N extends string> extends Kind<Float64Array> {
  readonly names: readonly N[];
  /** Numbers of one row. */
  readonly width: number;
  /** Where a field stands in its row. */
  readonly at: { readonly [K in N]: number };
}

/** Rows of floats in one list, row after row, for what belongs to somebody else and is copied as a whole. */
export function strides<const N extends string>(names: readonly N[]): StridesKind<N> {
  const width = names.length;
  const whole = floats();
  const kind: StridesKind<N> = {
    ...whole,
    form: { is: 'strides', words: names },
    write: (value, to) => to.bytes.packed(value, width),
    read: (from) => from.bytes.packed(Float64Array, width),
    names,
    width,
    at: Object.fromEntries(names.map((name, i) => [name, i])) as { [K in N]: number },
    check(value, at) {
      whole.check(value, at);
      at.demand((value as Float64Array).length % width === 0, 'cut in the middle of a row');
    },
  };
  return kind;
}
