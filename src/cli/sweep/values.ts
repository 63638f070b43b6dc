import { InvalidArgumentError } from '@commander-js/extra-typings';
import { literalOf } from '../../load/index.ts';
import type { Setting, SweepValue } from '../../sweep/index.ts';

const rangePattern = /^(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?$/;
const valuesMax = 100_000;

/** Parses `unitTypes.zombie.attributes.speed.value=5..9`, and adds it to the settings before it. */
export function settingsOf(text: string, before: readonly Setting[] = []): Setting[] {
  const at = text.indexOf('=');
  const path = text.slice(0, at).trim();
  if (at < 0 || path === '') throw new InvalidArgumentError('Expected the form path=values.');
  return [...before, { path, values: valuesOf(text.slice(at + 1)) }];
}

/** Parses `1..500` or a list; a single integer N means 1..N. */
export function seedsOf(text: string): string[] {
  const seeds = /^\d+$/.test(text.trim()) ? numbersBetween(1, Number(text), 1) : valuesOf(text);
  return [...new Set(seeds.map(String))];
}

/**
 * Parses `5..9` (steps of 1), `0.5..2:0.25` (steps of 0.25) or a list `a,b,3`. List members are JSON if they parse,
 * otherwise text.
 */
export function valuesOf(text: string): SweepValue[] {
  const range = rangePattern.exec(text.trim());
  if (range !== null) return numbersBetween(Number(range[1]), Number(range[2]), Number(range[3] ?? 1));
  return text.split(',').map((each) => {
    const value = literalOf(each.trim());
    if (value === '') throw new InvalidArgumentError('A value is empty.');
    if (value === null || typeof value !== 'object') return value as SweepValue;
    throw new InvalidArgumentError('A value must be a number, text, true, false or null.');
  });
}

function numbersBetween(first: number, last: number, step: number): number[] {
  if (last < first) throw new InvalidArgumentError('The range ends before it starts.');
  if (step === 0) throw new InvalidArgumentError('The range has a step of 0.');
  // The tolerance keeps rounding errors from dropping the last value.
  const count = Math.floor((last - first) / step + 1e-9) + 1;
  if (count > valuesMax) throw new InvalidArgumentError(`It has ${count} values; the maximum is ${valuesMax}.`);
  return Array.from({ length: count }, (_, i) => Number((first + i * step).toPrecision(12)));
}
