import { literalOf } from '../load/index.ts';
import { SweepError } from './sweep-error.ts';

/** A value of a sweep setting. */
export type SweepValue = string | number | boolean | null;

const rangePattern = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?$/;
const valuesMax = 100_000;

/**
 * Parses `5..9` (steps of 1), `0.5..2:0.25` (steps of 0.25) or a list `a,b,3`. List members are JSON if they parse,
 * otherwise text.
 */
export function valuesOf(text: string): SweepValue[] {
  const range = rangePattern.exec(text.trim());
  if (range !== null) return numbersBetween(Number(range[1]), Number(range[2]), Number(range[3] ?? 1), text);
  const values = text.split(',').map((each) => member(each.trim()));
  if (values.some((value) => value === '')) throw new SweepError('bad-values', `"${text}" has an empty value.`);
  return values;
}

/** Parses `1..500` or a list; a single integer N means 1..N. */
export function seedsOf(text: string): string[] {
  const seeds = /^\d+$/.test(text.trim()) ? numbersBetween(1, Number(text), 1, text) : valuesOf(text);
  return [...new Set(seeds.map(String))];
}

function member(text: string): SweepValue {
  const value = literalOf(text);
  if (value === null || typeof value !== 'object') return value as SweepValue;
  throw new SweepError('bad-values', `"${text}" must be a number, text, true, false or null.`);
}

function numbersBetween(first: number, last: number, step: number, text: string): number[] {
  if (last < first) throw new SweepError('bad-values', `The range "${text}" ends before it starts.`);
  if (step === 0) throw new SweepError('bad-values', `The range "${text}" has a step of 0.`);
  // The tolerance keeps rounding errors from dropping the last value.
  const count = Math.floor((last - first) / step + 1e-9) + 1;
  if (count > valuesMax)
    throw new SweepError('bad-values', `"${text}" has ${count} values; the maximum is ${valuesMax}.`);
  return Array.from({ length: count }, (_, i) => Number((first + i * step).toPrecision(12)));
}
