import { assert } from '../core/assert.ts';
import { MalformedBytes } from '../core/bytes.ts';
import { isObject, isRecord } from '../core/plain-object.ts';
import { type Checker, type Fields, type FieldType, type Infer, identity, type Scope } from './field-type.ts';

/** A field that may be undefined or missing. */
export interface OptionalType<T> extends FieldType<T | undefined> {
  readonly isOptional: true;
}

export function optional<T>(of: FieldType<T>): OptionalType<T> {
  return {
    form: { is: 'optional', of },
    isOptional: true,
    initial: () => undefined,
    check(value, at) {
      if (value !== undefined) of.check(value, at);
    },
    write(value, to) {
      to.bytes.byte(value === undefined ? 0 : 1);
      if (value !== undefined) of.write(value, to);
    },
    read(from) {
      const byte = from.bytes.byte();
      if (byte > 1)
        throw new MalformedBytes(`Damaged data: the byte before an optional value is ${byte} instead of 0 or 1.`);
      return byte === 0 ? undefined : of.read(from);
    },
    copy: of.copy === identity ? identity : (value, to) => (value === undefined ? undefined : of.copy(value, to)),
  };
}

export function list<T>(of: FieldType<T>): FieldType<T[]> {
  return {
    form: { is: 'list', of },
    initial: () => [],
    check(value, at) {
      at.demand(Array.isArray(value), 'not a list');
      at.elements(of, value as unknown[]);
    },
    write(value, to) {
      to.bytes.count(value.length);
      for (let i = 0; i < value.length; i++) of.write(value[i]!, to);
    },
    read(from) {
      const length = from.bytes.countOf(1);
      const read: T[] = [];
      for (let i = 0; i < length; i++) read.push(of.read(from));
      return read;
    },
    copy(value, to) {
      if (of.copy === identity) return value.slice();
      const copied: T[] = [];
      for (let i = 0; i < value.length; i++) copied.push(of.copy(value[i]!, to));
      return copied;
    },
  };
}

export function map<K extends string | number, V>(key: FieldType<K>, of: FieldType<V>): FieldType<Map<K, V>> {
  return {
    form: { is: 'map', key, of },
    initial: () => new Map(),
    check(value, at) {
      at.demand(value instanceof Map, 'not a map');
      for (const [name, element] of value as Map<K, V>) {
        at.below('(key)', key, name);
        at.below(name, of, element);
      }
    },
    write(value, to) {
      to.bytes.count(value.size);
      for (const [name, element] of value) {
        key.write(name, to);
        of.write(element, to);
      }
    },
    read(from) {
      const size = from.bytes.countOf(2);
      const read = new Map<K, V>();
      for (let i = 0; i < size; i++) read.set(key.read(from), of.read(from));
      if (read.size !== size) throw new MalformedBytes('Damaged data: a map has the same key twice.');
      return read;
    },
    copy(value, to) {
      const copied = new Map<K, V>();
      for (const [name, element] of value) copied.set(name, of.copy(element, to));
      return copied;
    },
  };
}

type Flat<T> = { [K in keyof T]: T[K] };
export type RecordOf<F extends Fields> = Flat<
  { -readonly [K in keyof F as F[K] extends OptionalType<unknown> ? never : K]: Infer<F[K]> } & {
    -readonly [K in keyof F as F[K] extends OptionalType<unknown> ? K : never]?: Infer<F[K]>;
  }
>;

type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

export interface RecordType<F extends Fields> extends FieldType<RecordOf<F>> {
  readonly fields: F;
  /**
   * A new record. Members that are missing or undefined get the initial value of their field. Members are in the order
   * of the declaration.
   */
  create(given?: Given<RecordOf<F>>): RecordOf<F>;
}

/** An object with exactly these members. */
export function record<const F extends Fields>(fields: F): RecordType<F> {
  type Value = RecordOf<F>;
  type Any = Record<string, unknown>;
  const entries = Object.entries(fields);
  let template: Value | undefined;
  /** The names of fields whose initial value is an object; each record needs its own copy of such an object. */
  let fresh: readonly string[] = [];

  /** An object with all members, in the order of the declaration. */
  function blank(): Any {
    template ??= prepare();
    return { ...template } as Any;
  }

  function prepare(): Value {
    const firsts: Any = {};
    for (const [name, kind] of entries) firsts[name] = kind.form.is === 'part' ? undefined : kind.initial();
    fresh = Object.keys(firsts).filter((name) => typeof firsts[name] === 'object' && firsts[name] !== null);
    // V8 turns an object that is filled by computed names into a hash table. Spreading it gives a plain object with
    // fast members.
    return { ...firsts } as Value;
  }

  const kind: RecordType<F> = {
    form: { is: 'record', fields },
    fields,
    create(given) {
      const made = blank();
      for (const name of fresh)
        if (given === undefined || (given as Any)[name] === undefined) made[name] = fields[name]!.initial();
      for (const name in given) {
        const member = (given as Any)[name];
        if (member !== undefined) made[name] = member;
      }
      return made as Value;
    },
    initial: () => kind.create(),
    check(value, at) {
      at.demand(isRecord(value), 'not an object');
      for (const name in value as object)
        if (!Object.hasOwn(fields, name)) at.demand(false, `an object with an unknown member: ${name}`);
      for (const [name, kind] of entries) at.below(name, kind, (value as Any)[name]);
    },
    write(value, to) {
      for (const [name, kind] of entries) kind.write((value as Any)[name], to);
    },
    read(from) {
      const read = blank();
      for (const [name, kind] of entries) read[name] = kind.read(from);
      return read as Value;
    },
    copy(value, to) {
      const made = blank();
      for (const [name, kind] of entries) made[name] = kind.copy((value as Any)[name], to);
      return made as Value;
    },
  };
  return kind;
}

/** A record of plain fields that never changes after its creation, so copies of the state share it. */
export function frozen<F extends Fields>(of: RecordType<F>): FieldType<Readonly<RecordOf<F>>> {
  type Value = RecordOf<F>;
  const isPlain = Object.values(of.fields).every(({ copy }) => copy === identity);
  assert(isPlain, 'a frozen record has only members that cannot change inside');
  return {
    ...of,
    read: (from) => Object.freeze(of.read(from)),
    copy: (value, to) => (Object.isFrozen(value) ? value : Object.freeze(of.copy(value as Value, to))),
  } as FieldType<Readonly<Value>>;
}

type PartialFields<F extends Fields> = { [K in keyof F]: OptionalType<Infer<F[K]>> };

/** The same record with each member optional. */
export function partial<F extends Fields>({ fields }: RecordType<F>): RecordType<PartialFields<F>> {
  const members = Object.entries(fields).map(([name, kind]) => [name, optional(kind)]);
  return record(Object.fromEntries(members) as PartialFields<F>);
}

type Cases = { readonly [name: string]: Fields };
type VariantOf<T extends string, C extends Cases> = {
  [N in keyof C & string]: Flat<{ [K in T]: N } & RecordOf<C[N]>>;
}[keyof C & string];

/** Objects of several forms, distinguished by the word under `tag`. */
export function variant<T extends string, const C extends Cases>(tag: T, cases: C): FieldType<VariantOf<T, C>> {
  type Value = VariantOf<T, C>;
  const words = Object.keys(cases);
  const kinds = Object.fromEntries(words.map((word) => [word, record({ [tag]: word_(word), ...cases[word] })]));
  const kindOf = (value: unknown): FieldType<unknown> =>
    kinds[(value as Record<string, string>)[tag]!] as FieldType<unknown>;
  return {
    form: { is: 'variant', words: [tag], cases: kinds as Record<string, FieldType<unknown>> },
    initial: () => kinds[words[0]!]!.create() as Value,
    check(value, at) {
      at.demand(isObject(value), 'not an object');
      const word = (value as Record<string, unknown>)[tag];
      at.demand(typeof word === 'string' && Object.hasOwn(cases, word), `not an object with a known "${tag}"`);
      kindOf(value).check(value, at);
    },
    write(value, to) {
      to.bytes.count(words.indexOf((value as Record<string, string>)[tag]!));
      kindOf(value).write(value, to);
    },
    read(from) {
      const word = words[from.bytes.count()];
      if (word === undefined) throw new MalformedBytes(`Damaged data: a value has an unknown "${tag}".`);
      return kinds[word]!.read(from) as Value;
    },
    copy: (value, to) => kindOf(value).copy(value, to) as Value,
  };
}

/**
 * The field type of the tag of a variant. The tag takes no bytes, because `variant` has already written which case the
 * value is.
 */
function word_(word: string): FieldType<string> {
  return {
    form: { is: 'word', words: [word] },
    initial: () => word,
    check: (value, at) => at.demand(value === word, `not ${word}`),
    write: () => {},
    read: () => word,
    copy: identity,
  };
}

/**
 * Narrows a field type to the values for which `holds` is true. `what` completes the message for other values, which
 * starts with `PATH is`.
 */
export function withCheck<K extends FieldType<unknown>>(
  of: K,
  what: string,
  holds: (value: Infer<K>, scope: Scope) => boolean,
): K {
  return {
    ...of,
    primitiveType: undefined,
    check(value: unknown, at: Checker) {
      of.check(value, at);
      at.demand(holds(value as Infer<K>, at.scope), what);
    },
  };
}

/** Leaves a field out of the hash, but not out of snapshots. Only for fields that do not influence the simulation. */
export function outsideHash<K extends FieldType<unknown>>(of: K): K {
  return {
    ...of,
    write(value, to) {
      if (!to.isHash) of.write(value, to);
    },
  };
}

type DeepReadonly<T> = T extends ArrayBufferView | ((...of: never[]) => unknown)
  ? T
  : T extends ReadonlyMap<infer K, infer V>
    ? ReadonlyMap<K, DeepReadonly<V>>
    : T extends readonly (infer E)[]
      ? readonly DeepReadonly<E>[]
      : T extends object
        ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
        : T;

/** The same field type, deeply read-only for the compiler. */
export function constant<T>(of: FieldType<T>): FieldType<DeepReadonly<T>> {
  return of as FieldType<unknown> as FieldType<DeepReadonly<T>>;
}
