import { MalformedBytes } from './bytes.ts';

/** Whether a value from outside is what it should be. */
export type Check = (value: unknown) => boolean;

export const anything: Check = () => true;
export const isNumber: Check = (value) => typeof value === 'number';
export const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
export const isText: Check = (value) => typeof value === 'string';
export const isFlag: Check = (value) => typeof value === 'boolean';
export const isBytes: Check = (value) => value instanceof Uint8Array;
export const isFloats: Check = (value) => value instanceof Float64Array;

export function optional(check: Check): Check {
  return (value) => value === undefined || check(value);
}

export function either(...checks: readonly Check[]): Check {
  return (value) => checks.some((check) => check(value));
}

export function oneOf(words: readonly unknown[]): Check {
  return (value) => words.includes(value);
}

export function listOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every((element) => check(element));
}

export function mapOf(key: Check, member: Check): Check {
  return (value) => value instanceof Map && [...value].every(([k, v]) => key(k) && member(v));
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
