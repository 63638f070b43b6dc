import { MalformedBytes } from './bytes.ts';

/** Whether a value from outside is what it should be. */
export type Check = (value: unknown) => boolean;

export const anything: Check = madeOf(() => true, ['anything']);
export const isNumber: Check = madeOf((value) => typeof value === 'number', ['number']);
export const isCount: Check = madeOf((value) => Number.isSafeInteger(value) && (value as number) >= 0, ['count']);
export const isText: Check = madeOf((value) => typeof value === 'string', ['text']);
export const isFlag: Check = madeOf((value) => typeof value === 'boolean', ['flag']);
export const isBytes: Check = madeOf((value) => value instanceof Uint8Array, ['bytes']);
export const isFloats: Check = madeOf((value) => value instanceof Float64Array, ['floats']);

export function optional(check: Check): Check {
  return madeOf((value) => value === undefined || check(value), [check]);
}

export function either(...checks: readonly Check[]): Check {
  return madeOf((value) => checks.some((check) => check(value)), checks);
}

export function oneOf(words: readonly unknown[]): Check {
  return madeOf((value) => words.includes(value), words);
}

export function listOf(check: Check): Check {
  return madeOf((value) => Array.isArray(value) && value.every((element) => check(element)), [check]);
}

export function mapOf(key: Check, member: Check): Check {
  return madeOf((value) => value instanceof Map && [...value].every(([k, v]) => key(k) && member(v)), [key, member]);
}

function madeOf(check: Check, parts: readonly unknown[]): Check {
  return Object.assign(check, { parts });
}

/** What a check wants, as far as it is made of others: members, words and how they are put together. Two that want the same have equal ones. */
export function outlineOf(part: unknown): unknown {
  if (typeof part !== 'function') return part;
  const { checks, parts } = part as { readonly checks?: RecordCheck['checks']; readonly parts?: readonly unknown[] };
  if (checks !== undefined) return Object.entries(checks).map(([member, check]) => [member, outlineOf(check)]);
  return parts === undefined ? null : parts.map(outlineOf);
}

/** The check of an object, which also gives those of its members. */
export interface RecordCheck extends Check {
  readonly checks: { readonly [member: string]: Check };
}

/** An object with these members and no others; a member that may be absent says `optional`. */
export function record<T>(members: { readonly [K in keyof T]-?: Check }): RecordCheck {
  const checks = members as { readonly [member: string]: Check };
  const known = Object.keys(checks);
  const check = (value: unknown): boolean => {
    if (value === null || typeof value !== 'object') return false;
    const object = value as Record<string, unknown>;
    return (
      known.every((key) => checks[key]!(object[key])) && Object.keys(object).every((key) => Object.hasOwn(checks, key))
    );
  };
  return Object.assign(check, { checks });
}

/** Throws `MalformedBytes` unless the value is as the check wants it. */
export function demand(check: Check, value: unknown, what: string): void {
  if (!check(value)) throw new MalformedBytes(`The ${what} of this snapshot cannot be.`);
}
