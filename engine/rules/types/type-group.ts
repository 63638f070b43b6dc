import type { Dictionary } from '../../core/plain-object.ts';
import type { Game } from '../game.ts';

/**
 * Draws one key of a type group `{key: {probability, quantity}}`, weighted by probability; undefined for an empty
 * group. If the sum of the probabilities is a whole number, draws a whole number from 0 up to and including this sum,
 * so the last key gets one chance more than its probability (reference: operations#getrandomitemtypefromitemtypegroup).
 */
export function drawFromGroup({ world }: Game, group: Dictionary): string | undefined {
  const keys = Object.keys(group);
  let total = 0;
  for (const key of keys) total += probabilityOf(group[key]);
  const random = world.random.stream('script');
  const drawn = Number.isInteger(total) ? Math.floor(random.next() * (total + 1)) : random.next() * total;
  let reached = 0;
  for (const key of keys) {
    reached += probabilityOf(group[key]);
    if (drawn < reached) return key;
  }
  return keys.at(-1);
}

function probabilityOf(entry: unknown) {
  const { probability } = (entry ?? {}) as { readonly probability?: unknown };
  const number = Number(probability);
  return Number.isFinite(number) && number > 0 ? number : 0;
}
