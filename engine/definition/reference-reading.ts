import { FrozenMap } from './frozen-map.ts';
import { boolean, type Json, make, ruleOf, type Schema } from './schema.ts';

/**
 * How the reference reads values that are written in an unusual form (reference: in-the-wild#flags). Such a value is kept beside the normal form of
 * the object that it belongs to, under a symbol. The dialect that plays as the reference puts it in place when it is applied.
 */

/** The members of an object that the reference reads otherwise. */
export const inReference: unique symbol = Symbol('inReference');

/** The reference's reading of a flag that is written as something else than true or false; undefined for any other. */
type FlagReading = (raw: Json) => boolean | undefined;

function reading(of: (raw: Json) => boolean): FlagReading {
  return (raw) => (typeof raw === 'boolean' || raw === undefined || raw === null ? undefined : of(raw));
}

/** Texts of digits are made numbers when something is made of a type. */
function parsed(raw: Json): Json {
  return typeof raw === 'string' && /^-?\d+$/.test(raw) ? Number(raw) : raw;
}

/** As `==` compares it with true or false. */
function isLoosely(raw: Json, number: 0 | 1): boolean {
  return (typeof raw === 'number' || typeof raw === 'string') && Number(raw) === number;
}

function flag(of: (raw: Json) => boolean): Schema<boolean> {
  return make<boolean>(boolean, { ...boolean[ruleOf], inReference: reading(of) });
}

/** On where it counts as true: "false" does. */
export const countsAsTrue = flag((raw) => Boolean(parsed(raw)));
/** The same where it is read of the type itself, before texts of digits are numbers. */
export const countsAsWritten = flag(Boolean);
/** On where it is `true`, and nothing else. */
export const isTrue = flag(() => false);
/** On where it equals true: 1 does, "true" does not. */
export const equalsTrue = flag((raw) => isLoosely(raw, 1));
/** Off where it is `false`, and nothing else. */
export const isNotFalse = flag(() => true);
/** Off where it equals false: 0 and "" do, "false" does not. */
export const differsFromFalse = flag((raw) => !isLoosely(raw, 0));

/** A number that some places of the reference pass on as the text that it is written as; it stands under `texts` there. */
export function keptAsText(of: Schema<number>): Schema<number> {
  return make<number>(of, {
    ...of[ruleOf],
    inReference: (raw) => (typeof raw === 'string' && raw !== '' ? raw : undefined),
  });
}

/** Members that the reference passes on as texts. */
export interface WithTexts {
  readonly texts?: Readonly<Record<string, string>>;
}

/** Scripts are kept as they were written. */
const untouched = new Set(['scripts']);

/** A type, or a part of one, as the reference reads it; the very same object where nothing in it differs. */
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
  const own = (value as { readonly [inReference]?: Readonly<Record<string, unknown>> })[inReference];
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
