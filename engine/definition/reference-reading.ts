import type { Dictionary } from '../core/plain-object.ts';
import { FrozenMap } from './frozen-map.ts';
import { boolean, type Json, makeSchema, ruleOf, type Schema } from './schema.ts';

/**
 * How the reference interprets values that are written in an unusual form (reference: in-the-wild#flags). Such
 * interpretations are stored in the normal form of their object, under a symbol. Applying a dialect without the
 * difference `flagsAreCoerced` replaces the normal values with these interpretations.
 */

/** The symbol under which an object stores those of its members that the reference interprets differently. */
export const inReference: unique symbol = Symbol('inReference');

/** The symbol under which an entry's normal form stores its members as they are written in the document. */
export const written: unique symbol = Symbol('written');

export interface Written {
  readonly [written]?: Dictionary<Json>;
}

export function withWritten<T extends object>(value: T, raw: Json): T & Written {
  return Object.freeze({ ...value, [written]: raw as Dictionary<Json> });
}

/**
 * Returns how the reference interprets the value of a flag; undefined for true, false and missing values, which the
 * reference interprets as the reader does.
 */
type FlagReading = (raw: Json) => boolean | undefined;

function reading(of: (raw: Json) => boolean): FlagReading {
  return (raw) => (typeof raw === 'boolean' || raw === undefined || raw === null ? undefined : of(raw));
}

/** The reference converts strings of digits to numbers when it creates an entity from a type. */
function parsed(raw: Json): Json {
  return typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw;
}

/** Whether JavaScript's `==` is true between the value and `true` (1) or `false` (0). */
function isLoosely(raw: Json, number: 0 | 1) {
  return (typeof raw === 'number' || typeof raw === 'string') && Number(raw) === number;
}

function flag(of: (raw: Json) => boolean): Schema<boolean> {
  return makeSchema<boolean>(boolean, { ...boolean[ruleOf], inReference: reading(of) });
}

/**
 * A flag that, in the reference, is true if the value is truthy after strings of digits were converted. The string
 * "false" is truthy.
 */
export const countsAsTrue = flag((raw) => Boolean(parsed(raw)));
/**
 * A flag that, in the reference, is true if the value is truthy as written. For flags that the reference reads before
 * it converts strings of digits.
 */
export const countsAsWritten = flag(Boolean);
/** A flag that, in the reference, is true only for `true`. */
export const isTrue = flag(() => false);
/** A flag that, in the reference, is true if the value loosely equals `true`, as 1 does and "true" does not. */
export const equalsTrue = flag((raw) => isLoosely(raw, 1));
/** A flag that, in the reference, is false only for `false`. */
export const isNotFalse = flag(() => true);
/** A flag that, in the reference, is false if the value loosely equals `false`, as 0 and "" do and "false" does not. */
export const differsFromFalse = flag((raw) => !isLoosely(raw, 0));

/**
 * A number whose string form, if it is written as a string, is kept in `texts`, because parts of the reference do not
 * convert it.
 */
export function keptAsText(of: Schema<number>): Schema<number> {
  return makeSchema<number>(of, {
    ...of[ruleOf],
    inReference: (raw) => (typeof raw === 'string' && raw !== '' ? raw : undefined),
  });
}

/** Numbers that are written as strings and that the reference does not convert, by field. */
export interface WithTexts {
  readonly texts?: Dictionary<string>;
}

/** Members that are not searched for values that the reference interprets differently. */
const untouched = new Set(['scripts']);

/** A value as the reference interprets it. Returns the same object if nothing in it differs. */
export function asInReference<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Map) return mapped(value) as T;
  if (Array.isArray(value)) {
    const read = value.map((each) => asInReference(each as unknown));
    return (read.some((each, i) => each !== value[i]) ? Object.freeze(read) : value) as T;
  }
  let changes: Record<string, unknown> | undefined;
  for (const key of Object.keys(value)) {
    if (untouched.has(key)) continue;
    const member: unknown = value[key as keyof T & string];
    const read = asInReference(member);
    if (read !== member) changes = { ...changes, [key]: read };
  }
  const own = (value as { readonly [inReference]?: Dictionary })[inReference];
  if (own !== undefined) {
    const texts = Object.entries(own).filter(([, each]) => typeof each === 'string');
    const others = Object.entries(own).filter(([, each]) => typeof each !== 'string');
    changes = { ...changes, ...Object.fromEntries(others) };
    if (texts.length > 0) changes['texts'] = Object.freeze(Object.fromEntries(texts));
  }
  return changes === undefined ? value : Object.freeze({ ...value, ...changes });
}

function mapped(map: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
  const entries = [...map].map(([key, each]) => [key, asInReference(each)] as const);
  return entries.some(([key, each]) => each !== map.get(key)) ? new FrozenMap(entries) : map;
}
