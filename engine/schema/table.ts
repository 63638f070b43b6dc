import { type FieldType, identity } from './field-type.ts';
import type { ColumnArray, ColumnType } from './scalar.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

function typedArray<A extends ColumnArray>(is: string, array: new (length: number) => A): FieldType<A> {
  return {
    form: { is },
    initial: () => new array(0),
    check: (value, at) => at.demand(value instanceof array, `not an array of ${is}`),
    write: (value, to) => to.bytes.packed(value),
    read: (from) => from.bytes.packed(array),
    copy: (value) => value.slice() as A,
  };
}

export function floats(): FieldType<Float64Array> {
  return typedArray('floats', Float64Array);
}

export function bytes(): FieldType<Uint8Array> {
  return typedArray('bytes', Uint8Array);
}

export interface ColumnFields {
  readonly [name: string]: ColumnType;
}
export type Columns<F extends ColumnFields> = {
  readonly [K in keyof F]: F[K] extends ColumnType<infer A> ? A : never;
};

/** How a component is stored by row: as a table, or as a list of values. */
export interface StoreType<S> extends Pick<FieldType<S>, 'form' | 'initial' | 'check' | 'copy'> {
  /** An empty store. Columns are placed in `memory`, if given, from byte `from` on; this memory must be zeroed. */
  create(capacity: number, memory?: ArrayBuffer, from?: number): S;
  /** The size of the columns in bytes. */
  sizeOf(capacity: number): number;
  /**
   * Makes room for `capacity` rows, with the columns placed as by `create`. Replaces the columns; the table that holds
   * them stays the same object.
   */
  grow(store: S, capacity: number, memory?: ArrayBuffer, from?: number): void;
  /**
   * Overwrites the first rows with those of `value`, and clears the remaining rows below `end`. The store must be large
   * enough.
   */
  fill(store: S, value: S, end: number): void;
  /** A view of the first rows, without copying. */
  slice(store: S, rowCount: number): S;
  /** Sets a cleared row to its initial values. */
  start(store: S, row: number): void;
  /** Resets a row to zeros, or to undefined, so that freed rows are equal in all worlds. */
  clear(store: S, row: number): void;
  /** Writes the values or columns. `used` lists the rows that have a value. */
  write(store: S, to: StateWriter, used: readonly number[]): void;
  read(from: StateReader, used: readonly number[]): S;
  /** The value of a row, in the form in which a comparison of two states shows it. */
  show(store: S, row: number): unknown;
}

export interface TableType<F extends ColumnFields> extends FieldType<Columns<F>>, StoreType<Columns<F>> {
  readonly fields: F;
  readonly names: readonly (keyof F & string)[];
  write(columns: Columns<F>, to: StateWriter): void;
  read(from: StateReader): Columns<F>;
}

/** Rows of numbers: one typed array per field, all of one length. */
export function table<const F extends ColumnFields>(fields: F): TableType<F> {
  type Any = Record<string, ColumnArray>;
  const names = Object.keys(fields);
  const kinds = Object.values(fields);
  const arrays = kinds.map(({ form, array }) => typedArray(form.is, array as new (length: number) => ColumnArray));
  const started = names.filter((name) => !Object.is(fields[name]!.start, 0));
  // V8 turns an object that is filled by computed names into a hash table. Spreading such an object gives a plain
  // object with fast members.
  const each = (make: (i: number) => ColumnArray): Columns<F> => {
    const made: Any = {};
    for (let i = 0; i < names.length; i++) made[names[i]!] = make(i);
    return { ...made } as unknown as Columns<F>;
  };
  const kind: TableType<F> = {
    form: { is: 'table', fields },
    fields,
    names,
    // All columns share one buffer, because allocating a buffer costs as much as filling thousands of rows.
    create(capacity, memory = new ArrayBuffer(kind.sizeOf(capacity)), from = 0) {
      let at = from;
      return each((i) => {
        const column = new kinds[i]!.array(memory, at, capacity);
        at += wholeWords(column.byteLength);
        return column;
      });
    },
    sizeOf(capacity) {
      let size = 0;
      for (let i = 0; i < kinds.length; i++) size += wholeWords(capacity * kinds[i]!.array.BYTES_PER_ELEMENT);
      return size;
    },
    grow(columns, capacity, memory, from) {
      const larger = kind.create(capacity, memory, from) as unknown as Any;
      for (let i = 0; i < names.length; i++) {
        const name = names[i]!;
        larger[name]!.set((columns as unknown as Any)[name]!);
        (columns as unknown as Any)[name] = larger[name]!;
      }
    },
    fill(columns, value, end) {
      for (let i = 0; i < names.length; i++) {
        const column = (columns as unknown as Any)[names[i]!]!;
        const its = (value as unknown as Any)[names[i]!]!;
        column.set(its);
        if (its.length < end) column.fill(0, its.length, end);
      }
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
    initial: () => kind.create(0),
    copy: identity,
    check(value, at) {
      at.demand(value !== null && typeof value === 'object', 'not a table');
      const columns = value as Any;
      at.demand(Object.keys(columns).length === names.length, 'a table with missing or unknown columns');
      const { length } = columns[names[0]!] ?? [];
      for (let i = 0; i < names.length; i++) {
        const name = names[i]!;
        at.below(name, arrays[i]!, columns[name]);
        at.demand(columns[name]!.length === length, 'a table with columns of different lengths');
      }
      for (let i = 0; i < names.length; i++) {
        const kind = kinds[i]!;
        const column = columns[names[i]!]!;
        if (isNarrow(kind)) at.column(names[i]!, kind, column);
      }
    },
    write(value, to) {
      for (let i = 0; i < names.length; i++) arrays[i]!.write((value as unknown as Any)[names[i]!]!, to);
    },
    read: (from) => each((i) => arrays[i]!.read(from)),
    show: (columns, row) => Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[row]])),
  };
  return kind;
}

/** Rounds up to a multiple of 8, because columns must be aligned. */
function wholeWords(bytes: number) {
  return Math.ceil(bytes / 8) * 8;
}

/** Stores one value per row, usually a record, in a list. Rows without a value are undefined. */
export function valuesByRow<T>(of: FieldType<T>): StoreType<(T | undefined)[]> {
  return {
    form: { is: 'runs', of },
    initial: () => [],
    check(value, at) {
      at.demand(Array.isArray(value) && value.length <= at.scope.sizeOf('row'), 'not a list with a value per row');
      for (let row = 0; row < (value as unknown[]).length; row++) {
        const element = (value as unknown[])[row];
        if (element !== undefined) at.below(row, of, element);
      }
    },
    copy(values, to) {
      const copied = new Array<T | undefined>(values.length).fill(undefined);
      for (let row = 0; row < values.length; row++) {
        const value = values[row];
        if (value !== undefined) copied[row] = of.copy(value, to);
      }
      return copied;
    },
    create: () => [],
    sizeOf: () => 0,
    grow: () => {},
    fill(store, value) {
      if (store.length > value.length) store.length = value.length;
      for (let row = 0; row < value.length; row++) store[row] = value[row];
    },
    slice: (store) => store,
    start: (store, row) => putAt(store, row, of.initial()),
    clear(store, row) {
      if (row < store.length) store[row] = undefined;
    },
    write(store, to, used) {
      for (const row of used) of.write(store[row]!, to);
    },
    read(from, used) {
      // The array is filled from the start, because V8 turns an array with gaps into a hash table.
      const read = new Array<T | undefined>((used.at(-1) ?? -1) + 1).fill(undefined);
      for (const row of used) read[row] = of.read(from);
      return read;
    },
    show: (store, row) => of.display?.(store[row]!) ?? store[row],
  };
}

function putAt<T>(store: (T | undefined)[], row: number, value: T) {
  // The list is filled without gaps, because V8 turns an array whose last element is far beyond the others into a hash
  // table.
  while (store.length < row) store.push(undefined);
  store[row] = value;
}

/** Whether not every number is a valid value of the type, so that the numbers must be checked. */
function isNarrow({ primitiveType }: ColumnType) {
  return primitiveType !== 'number';
}
