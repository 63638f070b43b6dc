import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import type { GraphAdapter } from '../core/graph.ts';
import { type Checker, type FieldType, identity } from './field-type.ts';
import { partAt } from './parts.ts';

export type ColumnArray = Uint8Array | Int32Array | Uint32Array | Float64Array;

interface ColumnClass<A extends ColumnArray> {
  new (length: number): A;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): A;
  readonly BYTES_PER_ELEMENT: number;
}

/** A field type whose values fit into a typed array, so that it can be a column. */
export interface ColumnType<A extends ColumnArray = ColumnArray> extends FieldType<number> {
  readonly array: ColumnClass<A>;
  /** The initial value of a row. */
  readonly start: number;
}

function numeric<A extends ColumnArray>(
  is: string,
  array: ColumnClass<A>,
  start: number,
  check: (value: number, at: Checker) => void,
  words?: readonly string[],
): ColumnType<A> {
  return {
    form: words === undefined ? { is } : { is, words },
    array,
    start,
    initial: () => start,
    check(value, at) {
      at.demand(typeof value === 'number', 'not a number');
      check(value as number, at);
    },
    write: (value, to) => to.bytes.number(value),
    read: (from) => from.bytes.number(),
    copy: identity,
  };
}

const free = () => {};

/** Any number, kept bit for bit. */
export function f64(start = 0): ColumnType<Float64Array> {
  return { ...numeric('f64', Float64Array, start, free), primitiveType: 'number' };
}

function whole<A extends ColumnArray>(is: string, array: ColumnClass<A>, start: number): ColumnType<A> {
  const bounds = new array(1);
  return numeric(is, array, start, (value, at) => {
    bounds[0] = value;
    at.demand(Object.is(bounds[0], value), `not a valid ${is}`);
  });
}

export function i32(start = 0): ColumnType<Int32Array> {
  return whole('i32', Int32Array, start);
}

export function u32(start = 0): ColumnType<Uint32Array> {
  return whole('u32', Uint32Array, start);
}

export function u8(start = 0): ColumnType<Uint8Array> {
  return whole('u8', Uint8Array, start);
}

/** An integer from 0 to 2^53 - 1. */
export function count(start = 0): ColumnType<Float64Array> {
  return numeric('count', Float64Array, start, demandCount);
}

function demandCount(value: number, at: Checker) {
  at.demand(Number.isSafeInteger(value) && value >= 0, 'not a whole number that is at least 0');
}

/**
 * An index into a table that is not part of the state, such as the compiled actions. With `none`, the value -1 is
 * allowed and means none.
 */
export function index(of: string, none?: 'or none'): ColumnType<Float64Array> {
  const start = none === undefined ? 0 : -1;
  return numeric(
    'index',
    Float64Array,
    start,
    (value, at) =>
      at.demand(
        Number.isInteger(value) && value >= start && value < at.scope.sizeOf(of),
        `not a valid index of "${of}"`,
      ),
    [of],
  );
}

/** An entity, which may no longer exist, or 0 for none. With `kind`, only entities of that kind. */
export function entity(kind?: string): ColumnType<Float64Array> {
  const what = kind === undefined ? 'not an entity' : `not an entity of kind "${kind}"`;
  return numeric(
    'entity',
    Float64Array,
    0,
    (value, at) => {
      // Fast path, because most fields are 0.
      if (value === 0) return;
      demandCount(value, at);
      at.demand(at.scope.isEntity(value, kind), what);
    },
    kind === undefined ? undefined : [kind],
  );
}

export function flag(start = false): FieldType<boolean> {
  return {
    form: { is: 'flag' },
    primitiveType: 'boolean',
    initial: () => start,
    check: (value, at) => at.demand(typeof value === 'boolean', 'not true or false'),
    write: (value, to) => to.bytes.byte(value ? 1 : 0),
    read(from) {
      const byte = from.bytes.byte();
      if (byte > 1) throw new MalformedBytes(`Damaged data: the byte of a flag is ${byte} instead of 0 or 1.`);
      return byte === 1;
    },
    copy: identity,
  };
}

export function text(start = ''): FieldType<string> {
  return {
    form: { is: 'text' },
    primitiveType: 'string',
    initial: () => start,
    check: (value, at) => at.demand(typeof value === 'string', 'not a string'),
    write: (value, to) => to.text(value),
    read: (from) => from.text(),
    copy: identity,
  };
}

/** One of a few words. The initial value is the first word unless `start` says otherwise. */
export function oneOf<const W extends string>(words: readonly W[], start: W = words[0]!): FieldType<W> {
  return {
    form: { is: 'word', words },
    initial: () => start,
    check: (value, at) => at.demand(words.includes(value as W), `not one of ${words.join(', ')}`),
    write: (value, to) => to.bytes.count(words.indexOf(value)),
    read(from) {
      const word = words[from.bytes.count()];
      if (word === undefined) throw new MalformedBytes(`Damaged data: a word is not one of ${words.join(', ')}.`);
      return word;
    },
    copy: identity,
  };
}

/**
 * Any value that scripts and hosts can pass: JSON, cyclic lists, handles. An object that several fields refer to stays
 * one object. Hashes distinguish one list that is referred to twice from two equal lists.
 */
export function json(): FieldType<unknown> {
  return {
    form: { is: 'json' },
    initial: () => undefined,
    check: () => {},
    write: (value, to) => to.value(value),
    read: (from) => from.value(),
    copy: (value, to) => to.value(value),
  };
}

/** An immutable object of a class whose identity matters, or undefined. Saved by `adapter`. */
export function shared<T extends object>(adapter: GraphAdapter<T>, what: string): FieldType<T | undefined> {
  return {
    ...json(),
    form: { is: 'shared', words: [what] },
    initial: () => undefined,
    copy: identity,
    check: (value, at) =>
      at.demand(
        value === undefined || (value !== null && typeof value === 'object' && adapter.owns(value)),
        `not a ${what}`,
      ),
  } as FieldType<T | undefined>;
}

/** An object of the definition. Snapshots contain its number. */
export function part<T extends object>(group: string): FieldType<T> {
  return {
    form: { is: 'part', words: [group] },
    initial: () => {
      throw new Error(`A ${group} has no initial value.`);
    },
    check: (value, at) => at.demand(at.scope.parts.isOf(group, value), `not a ${group} of the definition`),
    write(value, to) {
      const number = to.parts.numberOf(value);
      assert(number >= 0, `a ${group} belongs to the definition`);
      to.bytes.count(number);
    },
    read: (from) => partAt(from.parts, from.bytes.count()) as T,
    copy: identity,
  };
}
