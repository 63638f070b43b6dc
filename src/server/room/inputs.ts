import { type Input, isInput } from '../../../engine/index.ts';
import { inputFromBrowser } from '../../text/html.ts';
import type { Code } from '../protocol/codes.ts';
import { clientInputs } from '../protocol/inputs.ts';

/** Beyond any map and any number of turns. */
const numberMax = 1e7;

type CheckedInput =
  | { readonly input: Input; readonly code?: undefined }
  | { readonly input?: undefined; readonly code: Code };

/**
 * A client's message as an input of its own player, or why it is none. No codec is trusted: the kind is one that clients may send, and the
 * engine's schema accepts the members.
 */
export function checkInput(given: unknown, player: string): CheckedInput {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { code: 'bad-input' };
  const { kind, player: named } = given as { kind?: unknown; player?: unknown };
  if (typeof kind !== 'string' || !Object.hasOwn(clientInputs, kind)) return { code: 'bad-input' };
  if (named !== undefined && named !== player) return { code: 'not-permitted' };
  const input: unknown = { ...given, player };
  if (!isInput(input)) return { code: 'bad-input' };
  for (const value of Object.values(input)) {
    if (typeof value === 'number' && !(Math.abs(value) <= numberMax)) return { code: 'bad-input' };
  }
  return { input: inputFromBrowser(input) };
}
