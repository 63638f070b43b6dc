import { isRecord } from '../../../engine/core/index.ts';
import { type Input, isInput } from '../../../engine/index.ts';
import { type Code, clientInputs, inputFromBrowser } from '../../net/index.ts';
import { isLegible } from '../../text/index.ts';

/** Larger than any coordinate on a map and any sensible angle. */
const numberMax = 1e7;

type CheckedInput =
  | { readonly input: Input; readonly code?: undefined }
  | { readonly input?: undefined; readonly code: Code };

/**
 * Checks an input of a client and assigns it to the client's player. Does not rely on the codec: the kind must be one
 * that clients may send, and the members must match the engine's schema.
 */
export function checkInput(given: unknown, player: string): CheckedInput {
  if (!isRecord(given)) return { code: 'bad-input' };
  const { kind, player: named } = given;
  if (typeof kind !== 'string' || !Object.hasOwn(clientInputs, kind)) return { code: 'bad-input' };
  if (named !== undefined && named !== player) return { code: 'not-permitted' };
  const input: unknown = { ...given, player };
  if (!isInput(input)) return { code: 'bad-input' };
  // The room limits ticks, which grow for as long as it plays.
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === 'number' && name !== 'tick' && !(Math.abs(value) <= numberMax)) return { code: 'bad-input' };
  }
  // Whether blank messages count is a rule of the game's dialect.
  if (input.kind === 'chat' && input.text.trim() !== '' && !isLegible(input.text)) return { code: 'refused' };
  return { input: inputFromBrowser(input) };
}
