import { MalformedBytes } from '../core/bytes.ts';
import type { RowList } from '../core/hash.ts';
import type { StateDigest } from './digest.ts';
import { type Kind, same } from './kind.ts';
import type { ColumnArray, ColumnKind } from './scalar.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** Longer lists are hashed where they are. */
const shortMax = 1024;

function typedArray<A extends ColumnArray>(is: string, array: new (length: number) => A): Kind<A> {
  return {
    form: { is },
    first: () => new array(0),
    check: (value, at) => at.demand(value instanceof array, `no list of ${is}`),
    write: (value, to) => to.bytes.packed(value),
    read: (from) => from.bytes.packed(array),
    hash(value, to) {
      if (value.length <= shortMax) to.numbers.pushAll(value);
      else if (value instanceof Float64Array) to.hasher.floats(value);
      else to.hasher.ints(value as Exclude<ColumnArray, Float64Array>);
    },
    copy: (value) => value.slice() as A,
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
export interface StoreKind<S> extends Pick<Kind<S>, 'form' | 'first' | 'check' | 'hash' | 'copy'> {
  /** With nothing in any row. Columns lie in the memory from a byte on, where one is given: it is zeros there. */
  create(capacity: number, memory?: ArrayBuffer, from?: number): S;
  /** The bytes of its columns. */
  sizeOf(capacity: number): number;
  /** Gives it room for so many rows. Columns move; the table that holds them stays. */
  grow(store: S, capacity: number): void;
  /** Puts the rows of another in place of the present ones; from its last up to `end` rows are clear then. There is room for all. */
  fill(store: S, value: S, end: number): void;
  /** The first rows, not copied. */
  slice(store: S, rowCount: number): S;
  /** Gives a row that is clear what it starts with. */
  start(store: S, row: number): void;
  /** A row out of use is the same whatever it was used for: zeros, or no value. */
  clear(store: S, row: number): void;
  /** `used` are the rows that hold something. */
  write(store: S, to: StateWriter, used: RowList): void;
  /** `live` is the store that is to be filled with it, if there is one. */
  read(from: StateReader, used: RowList, live?: S): S;
  /** Puts a row into the numbers of a hash. */
  hashRow(store: S, to: StateDigest, row: number): void;
  /** The rows from `start` to `end`. */
  hashRows(store: S, to: StateDigest, start: number, end: number): void;
  /** A row as differences show it. */
  show(store: S, row: number): unknown;
}

export interface TableKind<F extends ColumnFields> extends Kind<Columns<F>>, StoreKind<Columns<F>> {
  readonly fields: F;
  readonly names: readonly (keyof F & string)[];
  write(columns: Columns<F>, to: StateWriter): void;
  read(from: StateReader): Columns<F>;
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
    // One buffer for all columns, because each costs as much as thousands of rows.
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
    grow(columns, capacity) {
      const larger = kind.create(capacity) as unknown as Any;
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
    first: () => kind.create(0),
    copy: same,
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
        const kind = kinds[i]!;
        const column = columns[names[i]!]!;
        // The numbers of a typed array are right unless the kind wants more than a number of that size.
        if (isNarrow(kind) && column instanceof Float64Array) at.column(names[i]!, kind, column);
      }
    },
    write(value, to) {
      for (let i = 0; i < names.length; i++) arrays[i]!.write((value as unknown as Any)[names[i]!]!, to);
    },
    read: (from) => each((i) => arrays[i]!.read(from)),
    show: (columns, row) => Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[row]])),
    hash(value, { numbers }) {
      for (let i = 0; i < names.length; i++) numbers.pushAll((value as unknown as Any)[names[i]!]!);
    },
    hashRow(columns, { numbers }, row) {
      for (let i = 0; i < names.length; i++) numbers.push((columns as unknown as Any)[names[i]!]![row]!);
    },
    hashRows(columns, { numbers }, start, end) {
      for (let i = 0; i < names.length; i++) {
        numbers.pushFrom((columns as unknown as Any)[names[i]!]!, start, end - start);
      }
    },
  };
  return kind;
}

/** Columns begin at whole words. */
function wholeWords(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}

/** Of lists that were read: 1 for rows whose value is a copy of one before it, so that one check serves for both. */
const copies = new WeakMap<unknown[], Uint8Array>();

/** Keeps a value, mostly a record, in each row that has one, and undefined in the others. */
export function valuesByRow<T>(of: Kind<T>): StoreKind<(T | undefined)[]> {
  const hashRow = (values: (T | undefined)[], to: StateDigest, row: number): void => {
    const value = row < values.length ? values[row] : undefined;
    if (value === undefined) return;
    to.numbers.push(row);
    of.hash(value, to);
  };
  const hashRows = (values: (T | undefined)[], to: StateDigest, start: number, end: number): void => {
    for (let row = start; row < end && row < values.length; row++) hashRow(values, to, row);
    to.numbers.push(-1);
  };
  const { twins } = of;
  return {
    form: { is: 'runs', of },
    first: () => [],
    check(value, at) {
      at.demand(Array.isArray(value) && value.length <= at.scope.sizeOf('row'), 'no list by row');
      const copied = copies.get(value as unknown[]);
      for (let row = 0; row < (value as unknown[]).length; row++) {
        const element = (value as unknown[])[row];
        if (element !== undefined && copied?.[row] !== 1) at.below(row, of, element);
      }
    },
    hash: (values, to) => hashRows(values, to, 0, values.length),
    hashRow,
    hashRows,
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
    start: (store, row) => putAt(store, row, of.first()),
    clear(store, row) {
      if (row < store.length) store[row] = undefined;
    },
    // Of values that are equal the first is written, and how many follow: entities of a type are mostly made one after the other.
    write(store, to, { list, count }) {
      for (let i = 0; i < count; i++) {
        const value = store[list[i]!]!;
        of.write(value, to);
        if (twins === undefined) continue;
        const first = i;
        while (i + 1 < count && twins.areSame(value, store[list[i + 1]!]!)) i++;
        to.bytes.count(i - first);
      }
    },
    read(from, { list, count }, live) {
      // With room from the beginning, and no gaps.
      const length = count === 0 ? 0 : list[count - 1]! + 1;
      const read = new Array<T | undefined>(length).fill(undefined);
      const copied = new Uint8Array(length);
      for (let i = 0; i < count; i++) {
        const value = of.read(from);
        read[list[i]!] = value;
        if (twins === undefined) continue;
        const last = i + from.bytes.count();
        if (last >= count) throw new MalformedBytes('More values are equal than there are.');
        while (i < last) {
          const row = list[++i]!;
          const present = live?.[row];
          read[row] = present !== undefined && twins.areSame(value, present) ? present : twins.copy(value);
          copied[row] = 1;
        }
      }
      copies.set(read, copied);
      return read;
    },
    show: (store, row) => of.shown?.(store[row]!) ?? store[row],
  };
}

function putAt<T>(store: (T | undefined)[], row: number, value: T): void {
  // Without gaps: V8 makes a hash table of an array whose last element stands far beyond the others.
  while (store.length < row) store.push(undefined);
  store[row] = value;
}

/** Where not every number is one of the kind. */
function isNarrow({ anyOfType }: ColumnKind): boolean {
  return anyOfType !== 'number';
}

export interface StridesKind<F extends ColumnFields> extends Kind<Float64Array> {
  readonly names: readonly string[];
  /** Numbers of one row. */
  readonly width: number;
  /** Where a field stands in its row. */
  readonly at: { readonly [K in keyof F]: number };
}

/** Rows of finite floats in one list, row after row, for what belongs to somebody else and is copied as a whole. */
export function strides<const F extends ColumnFields>(fields: F): StridesKind<F> {
  const names = Object.keys(fields);
  const width = names.length;
  const whole = floats();
  return {
    ...whole,
    form: { is: 'strides', fields },
    names,
    width,
    at: Object.fromEntries(names.map((name, i) => [name, i])) as { [K in keyof F]: number },
    write: (value, to) => to.bytes.packed(value, width),
    read: (from) => from.bytes.packed(Float64Array, width),
    copy: same,
    check(value, at) {
      whole.check(value, at);
      const numbers = value as Float64Array;
      at.demand(numbers.length % width === 0, 'cut in the middle of a row');
      at.demand(areFinite(numbers), 'not made of finite numbers');
      for (let i = 0; i < width; i++) {
        const kind = fields[names[i]!]!;
        if (isNarrow(kind)) at.column(names[i]!, kind, numbers, i, width);
      }
    },
  };
}

export function areFinite(numbers: Float64Array): boolean {
  // Zero times what is not finite is no number.
  let sum = 0;
  for (let i = 0; i < numbers.length; i++) sum += 0 * numbers[i]!;
  return sum === 0;
}
