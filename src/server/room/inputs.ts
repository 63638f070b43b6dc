import { isRecord } from '../../../engine/core/index.ts';
import { type Input, isInput } from '../../../engine/index.ts';
import { type Code, clientInputs, inputFromBrowser } from '../../net/index.ts';
import { isLegible } from '../../text/index.ts';

/** The maximum magnitude of numbers in inputs: larger than any coordinate on a map and any sensible angle. */
const numberMax = 1e7;

type CheckedInput =
  | { readonly input: Input; readonly code?: undefined }
  | { readonly input?: undefined; readonly code: Code };

/**
 * Checks an input of a client and assigns it to the client's player. The check is independent of the codec: the kind
 * must be one that clients may send, and the members must match the engine's schema.
 */
export function checkInput(given: unknown, player: string): CheckedInput {
  if (!isRecord(given)) return { code: 'bad-input' };
  const { kind, player: named } = given;
  if (typeof kind !== 'string' || !Object.hasOwn(clientInputs, kind)) return { code: 'bad-input' };
  if (named !== undefined && named !== player) return { code: 'not-permitted' };
  const input: unknown = { ...given, player };
  if (!isInput(input)) return { code: 'bad-input' };
  // Ticks are not checked here: they grow for as long as the room plays, and the room checks them itself.
  for (const [name, value] of Object.entries(input)) {
    if (typeof value === 'number' && name !== 'tick' && !(Math.abs(value) <= numberMax)) return { code: 'bad-input' };
  }
  // Blank messages are allowed here, because their meaning depends on the dialect of the game.
  if (input.kind === 'chat' && input.text.trim() !== '' && !isLegible(input.text)) return { code: 'refused' };
  return { input: inputFromBrowser(input) };
}
