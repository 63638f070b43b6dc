import { type Dictionary, isRecord } from '../core/plain-object.ts';
import { formatValue, requireKnownOptions, UsageError, unknownWord } from '../core/usage-error.ts';
import type { Definition } from '../definition/definition.ts';
import { isKeyInOtherCase, keysNear } from '../definition/keys.ts';
import { defaultLimits, isLimits, type Limits } from '../world/limits.ts';
import { type Input, inputKinds, isInput } from './input.ts';

// The functions in this file validate the arguments of the public API. Code that is called with these arguments does
// not check them again. All functions throw `UsageError` with a message that says which values are accepted.

/** The kinds of values that an option can have. */

type Kind = 'text' | 'number' | 'flag' | 'function' | 'object' | 'seed' | 'area';

/** The expected type of each option. */
export type OptionKinds = Dictionary<Kind>;

const holds: Readonly<Record<Kind, { readonly words: string; readonly check: (value: unknown) => boolean }>> = {
  text: { words: 'a string', check: (value) => typeof value === 'string' },
  number: { words: 'a finite number', check: Number.isFinite },
  flag: { words: 'true or false', check: (value) => typeof value === 'boolean' },
  function: { words: 'a function', check: (value) => typeof value === 'function' },
  object: {
    words: 'an object',
    check: (value) => isRecord(value),
  },
  seed: {
    words: 'a string or a finite number',
    check: (value) => typeof value === 'string' || Number.isFinite(value),
  },
  area: {
    words: 'the name of a region, or an object',
    check: (value) => typeof value === 'string' || holds.object.check(value),
  },
};

export function requireKind(noun: string, value: unknown, kind: Kind): void {
  if (!holds[kind].check(value))
    throw new UsageError('bad-value', `${noun} must be ${holds[kind].words}, not ${formatValue(value)}.`);
}

/** Throws unless `value` is an object in which each member of `names` is a finite number. */
export function requireNumbers(noun: string, value: unknown, ...names: readonly string[]): void {
  requireKind(noun, value, 'object');
  for (const name of names) requireKind(`The ${name} of ${noun}`, (value as Dictionary)[name], 'number');
}

export function requireInteger(noun: string, value: unknown, min: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= min) return;
  throw new UsageError(
    'bad-option',
    `The option ${noun} must be a whole number, ${min} or more, not ${formatValue(value)}.`,
  );
}

/**
 * Throws unless `value` can be the number of an entity. The message has a hint for ids such as `u1`, which are easily
 * passed by mistake.
 */
export function requireEntity(value: unknown): void {
  if (Number.isSafeInteger(value)) return;
  const hint = typeof value === 'string' ? ' To get an entity by its id, use `find`.' : '';
  throw new UsageError(
    'bad-value',
    `Expected an entity number, as found in events, but got ${formatValue(value)}.${hint}`,
  );
}

export function requireBytes(value: unknown): void {
  if (value instanceof Uint8Array) return;
  throw new UsageError('bad-value', `A snapshot must be a Uint8Array, not ${formatValue(value)}.`);
}

/** Throws unless `options` is an object with no other members than those in `kinds`, each of its kind or omitted. */
export function requireOptions(options: unknown, kinds: OptionKinds, noun = 'option'): void {
  if (!holds.object.check(options)) {
    throw new UsageError(
      'bad-option',
      `Expected an object with ${Object.keys(kinds).join(', ')}, not ${formatValue(options)}.`,
    );
  }
  requireKnownOptions(options as object, Object.keys(kinds), noun);
  for (const [name, value] of Object.entries(options as object)) {
    const kind = kinds[name]!;
    if (value === undefined || holds[kind].check(value)) continue;
    throw new UsageError('bad-option', `The ${noun} ${name} must be ${holds[kind].words}, not ${formatValue(value)}.`);
  }
}

/** Adds the default limits that are missing in `given`. Throws for an unknown limit or an invalid value. */
export function limitsFrom(given: Partial<Limits> = {}): Limits {
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(defaultLimits, name)) {
      throw unknownWord('unknown-limit', 'limit', name, Object.keys(defaultLimits));
    }
    if (value === undefined || isLimits({ ...defaultLimits, [name]: value })) continue;
    const most = name === 'entities' ? ' and at most 1,000,000' : '';
    throw new UsageError(
      'bad-limit',
      `The limit ${name} must be a whole number, 0 or more${most}, not ${formatValue(value)}.`,
    );
  }
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaultLimits, ...Object.fromEntries(known) };
}

export function requireListener(listener: unknown): void {
  if (typeof listener === 'function') return;
  throw new UsageError('bad-listener', `A listener must be a function, not ${formatValue(listener)}.`);
}

/** How long to run: a number of simulated seconds or a number of ticks. */
export type Length = { readonly seconds: number } | { readonly ticks: number };

/** The number of ticks in a length of time; seconds are rounded to the nearest tick. */
export function ticksOfLength(length: Length, rate: number): number {
  const { seconds, ticks } = (length ?? {}) as { seconds?: unknown; ticks?: unknown };
  if ((seconds === undefined) === (ticks === undefined)) {
    const found = seconds === undefined ? 'neither' : 'both';
    throw new UsageError('bad-length', `A duration needs exactly one of \`seconds\` and \`ticks\`, but has ${found}.`);
  }
  if (seconds !== undefined) return ticksOfSeconds(seconds, rate);
  if (!Number.isSafeInteger(ticks) || (ticks as number) < 0) {
    throw new UsageError('bad-length', `\`ticks\` must be a whole number, 0 or more, not ${formatValue(ticks)}.`);
  }
  return ticks as number;
}

/** The number of ticks in a number of simulated seconds, rounded to the nearest tick. */
export function ticksOfSeconds(seconds: unknown, rate: number): number {
  if (!Number.isFinite(seconds) || (seconds as number) < 0) {
    throw new UsageError('bad-length', `\`seconds\` must be a finite number, 0 or more, not ${formatValue(seconds)}.`);
  }
  return Math.round((seconds as number) * rate);
}

/** Throws if the key of an input differs from a known key only in upper or lower case. */
export function requireKeyCase(definition: Definition, input: Partial<Input> | undefined | null): void {
  if (input?.kind !== 'keyDown' && input?.kind !== 'keyUp') return;
  const { key } = input;
  if (typeof key !== 'string' || !isKeyInOtherCase(definition, key)) return;
  throw unknownWord('bad-key', 'key', key, keysNear(definition, key));
}

const excerptMax = 120;

export function requireInput(input: unknown): asserts input is Input {
  if (isInput(input)) return;
  const kind = (input as { kind?: unknown } | null | undefined)?.kind;
  if (typeof kind !== 'string' || !inputKinds.includes(kind))
    throw unknownWord('unknown-input', 'input', kind, inputKinds);
  const text = JSON.stringify(input);
  const excerpt = text.length > excerptMax ? `${text.slice(0, excerptMax)}…` : text;
  const message = `A member of this input "${kind}" is missing, unknown or of the wrong type: ${excerpt}.`;
  throw new UsageError('bad-input', message);
}
