import { suggest } from './suggest.ts';

/** The mistakes that a caller of the library can make, with their meanings. */
export const usageCodes = {
  'not-loaded': 'The game was not loaded by `loadDefinition`.',
  'not-a-simulation': 'The given value is not a simulation.',
  'unknown-option': 'No option has this name.',
  'bad-option': 'An option has an invalid value.',
  'unknown-dialect': 'No dialect has this name.',
  'unknown-difference': 'No difference between the dialects has this name.',
  'unknown-limit': 'No limit has this name.',
  'bad-limit': 'A limit is not a valid number.',
  'unknown-event': 'No event has this name.',
  'bad-listener': 'A listener is not a function.',
  'bad-length': 'A time is not a valid number of ticks or seconds.',
  'unknown-input': 'No input has this kind.',
  'bad-input': 'A field of an input is missing, unknown or of the wrong type.',
  'bad-key': 'No key has this name.',
  'in-a-tick': 'The call is not allowed while a tick runs.',
  'is-recorded': 'The call is not allowed while the simulation is being recorded.',
  unusable: 'The simulation cannot be used any more.',
  'unknown-kind': 'No kind of entity or operand has this name.',
  'unknown-type': 'The game has no type of this name.',
  'unknown-state': 'The type has no state of this name.',
  'unknown-attribute': 'The entity has no attribute of this name.',
  'unknown-variable': 'There is no variable of this name.',
  'unknown-script': 'The game has no script of this name.',
  'bad-value': 'An argument or a value has a wrong type, or is out of range.',
  'wrong-handle': 'The value is not a handle, or is a handle of another simulation or of another kind of entity.',
  'entity-gone': 'The entity no longer exists.',
  'no-room': 'The number of entities has reached its limit.',
  'bad-word': 'The declaration of an operation or trigger of the host is not valid.',
  'word-taken': 'An operation or trigger of the host has a name that the script language already uses.',
} as const;
export type UsageCode = keyof typeof usageCodes;

/**
 * An invalid call of the library: a mistake in the calling program, never in a game or of a player. The call has had no
 * effect.
 */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(
    readonly code: UsageCode,
    message: string,
  ) {
    super(message);
  }
}

/** Maximum number of known words to list in a message. */
const wordsShown = 12;

/**
 * An error such as `There is no dialect "modio". Did you mean "moddio"?`, or with a list of the known words if none is
 * similar.
 */
export function unknownWord(code: UsageCode, noun: string, word: unknown, known: readonly string[]): UsageError {
  const near = typeof word === 'string' ? suggest(word, known) : undefined;
  const more = known.length > wordsShown ? ` and ${known.length - wordsShown} more` : '';
  const words = known.length === 0 ? 'There are none' : `Known: ${known.slice(0, wordsShown).join(', ')}${more}`;
  const hint = near === undefined ? `${words}.` : `Did you mean "${near}"?`;
  return new UsageError(code, `There is no ${noun} ${formatValue(word)}. ${hint}`);
}

/** Throws `UsageError` for the first option that is not in the list. */
export function requireKnownOptions(options: object, known: readonly string[], noun = 'option'): void {
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw unknownWord('unknown-option', noun, name, known);
}

/** Formats a value for a message. */
export function formatValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
    case 'function':
      return 'a function';
    case 'symbol':
    case 'bigint':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'a list' : 'an object';
    default:
      return String(value);
  }
}
