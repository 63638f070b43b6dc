import { type ByteReader, type ByteWriter, type Dictionary, MalformedBytes } from '../../../../engine/core/index.ts';
import { readFinite, readValue, type Value, writeValue } from './value.ts';

/** Thrown for a string that is longer than its field allows. */
export class TooLong extends Error {}

/** How a member of a message is written and read. `read` throws `MalformedBytes` and `TooLong`. */
export interface Field<T = unknown> {
  /** The form of the field on the wire, as docs/protocol.md shows it; `%` stands for the name of the member. */
  readonly form: string;
  readonly isOptional?: true;
  write(writer: ByteWriter, value: T): void;
  read(reader: ByteReader): T;
}
/** A field that may be absent. */
export interface Optional<T> extends Field<T | undefined> {
  readonly isOptional: true;
}

/** Members by name, in their order on the wire. */
export type Fields = Dictionary<Field>;
/** The values of fields. */
export type Values<F> = {
  readonly [N in keyof F as F[N] extends Optional<unknown> ? never : N]: F[N] extends Field<infer T> ? T : never;
} & {
  readonly [N in keyof F as F[N] extends Optional<unknown> ? N : never]?: F[N] extends Optional<infer T> ? T : never;
};

export function writeFields(writer: ByteWriter, fields: Fields, values: object) {
  for (const name in fields) fields[name]!.write(writer, (values as Dictionary)[name]);
}

/**
 * Reads members into `values`; undefined ones stay absent. `hasRest` tells whether the optional fields, and everything
 * after them, are in a known form; if not, they are skipped.
 */
export function readFields<V extends object>(
  reader: ByteReader,
  fields: Fields,
  values: V,
  hasRest: (values: V) => boolean = () => true,
) {
  for (const name in fields) {
    const field = fields[name]!;
    if (field.isOptional && !hasRest(values)) {
      reader.raw(reader.rest);
      return;
    }
    const value = field.read(reader);
    if (value !== undefined) Object.assign(values, { [name]: value });
  }
}

export const count: Field<number> = {
  form: 'count %',
  write: (writer, value) => writer.count(value),
  read: (reader) => reader.count(),
};
export const number: Field<number> = {
  form: 'number %',
  write: (writer, value) => writer.number(value),
  read: readFinite,
};
/** A string of at most `unitsMax` UTF-16 code units. */
export const text = (unitsMax = Infinity): Field<string> => ({
  form: unitsMax === Infinity ? 'text %' : `text % (${unitsMax})`,
  write: (writer, value) => writer.text(value),
  read: (reader) => {
    const value = reader.text();
    if (value.length > unitsMax) throw new TooLong();
    return value;
  },
});
export const data: Field<Value> = {
  form: 'value %',
  write: (writer, value) => writeValue(writer, value),
  read: (reader) => readValue(reader),
};
export const oneOf = <const W extends string>(words: readonly W[]): Field<W> => ({
  form: `byte %: ${words.map((word, index) => `${index} ${word}`).join(', ')}`,
  write: (writer, value) => writer.byte(words.indexOf(value)),
  read: (reader) => {
    const word = words[reader.byte()];
    if (word === undefined) throw new MalformedBytes(`Expected one of: ${words.join(', ')}.`);
    return word;
  },
});
/** The bytes up to the end of the message, not copied. */
export const rest: Field<Uint8Array> = {
  form: '%: the rest',
  write: (writer, value) => writer.raw(value),
  read: (reader) => reader.raw(reader.rest),
};
/** A field that may be absent; a byte tells whether it is present. */
export const optional = <T>(field: Field<T>): Optional<T> => ({
  form: `optional ${field.form}`,
  isOptional: true,
  write: (writer, value) => {
    writer.byte(value === undefined ? 0 : 1);
    if (value !== undefined) field.write(writer, value);
  },
  read: (reader) => {
    const presence = reader.byte();
    if (presence > 1) throw new MalformedBytes('A presence byte must be 0 or 1.');
    return presence === 1 ? field.read(reader) : undefined;
  },
});
/** Several fields combined into one member. */
export const record = <F extends Fields>(fields: F): Field<Values<F>> => ({
  form: Object.entries(fields)
    .map(([name, { form }]) => form.replaceAll('%', `%.${name}`))
    .join('; '),
  write: (writer, values) => writeFields(writer, fields, values),
  read: (reader) => {
    const values = {};
    readFields(reader, fields, values);
    return values as Values<F>;
  },
});
/** A list of elements of at least two bytes each. Elements that are read as undefined are skipped. */
export const list = <T>(
  form: string,
  write: (writer: ByteWriter, value: T) => void,
  read: (reader: ByteReader) => T | undefined,
): Field<readonly T[]> => ({
  form: `count n, then n %: ${form}`,
  write: (writer, values) => {
    writer.count(values.length);
    for (const value of values) write(writer, value);
  },
  read: (reader) => {
    const values: T[] = [];
    for (let left = reader.countOf(2); left > 0; left--) {
      const value = read(reader);
      if (value !== undefined) values.push(value);
    }
    return values;
  },
});
