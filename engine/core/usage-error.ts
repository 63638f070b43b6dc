import { suggest } from './suggest.ts';

/** The mistakes that a caller of the library can make. */
export const usageCodes = [
  'not-loaded',
  'not-a-simulation',
  'unknown-option',
  'bad-option',
  'unknown-dialect',
  'unknown-difference',
  'unknown-limit',
  'bad-limit',
  'unknown-event',
  'bad-listener',
  'bad-length',
  'unknown-input',
  'bad-input',
  'bad-key',
  'in-a-tick',
  'is-recorded',
  'unusable',
  'unknown-kind',
  'unknown-type',
  'unknown-state',
  'unknown-attribute',
  'unknown-variable',
  'unknown-script',
  'bad-value',
  'wrong-handle',
  'entity-gone',
  'no-room',
] as const;
export type UsageCode = (typeof usageCodes)[number];

/** An invalid call of the library: a mistake in the calling program, never in a game or of a player. The call has had no effect. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code: UsageCode;

  constructor(code: UsageCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Maximum number of known words to list in a message. */
const wordsShown = 12;

/** `There is no dialect "modio". Did you mean "moddio"?`, or a list of the known words if none is similar. */
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
