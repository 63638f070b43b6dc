import type { RoomProperties } from '../../cluster/index.ts';

/** The policies for a new player's room: the fullest with a free seat, or the emptiest. */
export const placements = ['fill', 'spread'] as const;
export type PlacementPolicy = (typeof placements)[number];

/** The values that properties of a room must have, by name. */
export type RoomFilter = ReadonlyMap<string, string>;

/** A client's request for a room. */
interface WantedRoom {
  /** The id of a room or the name of a game; undefined if any room will do. */
  readonly name: string | undefined;
  /** The code of a private room. */
  readonly code: string | undefined;
  readonly filter: RoomFilter;
}

/** Omits digits and letters that are easily confused when read aloud or copied: 0 and O, 1 and I, and U. */
const digits = '23456789ABCDEFGHJKLMNPQRSTVWXYZ';
const codeDigits = 8;

/** Parses a request: `ID`, `GAME`, `GAME?mode=ranked`, `?mode=ranked`, or `#CODE`. */
export function wantedRoom(text: string | undefined): WantedRoom {
  if (text?.startsWith('#')) return { name: undefined, code: normalCode(text.slice(1)), filter: new Map() };
  const [name = '', query = ''] = (text ?? '').split('?', 2);
  return { name: name === '' ? undefined : name, code: undefined, filter: new Map(new URLSearchParams(query)) };
}

/** Normalizes a code, which people may write with spaces, hyphens and lower-case letters. */
function normalCode(text: string) {
  return text.toUpperCase().replace(/[^0-9A-Z]/g, '');
}

/** Makes a code from random bytes. It has about 40 bits, which cannot be guessed at the permitted rate of attempts. */
export function newCode(random: (count: number) => Uint8Array): string {
  let code = '';
  while (code.length < codeDigits) {
    for (const byte of random(codeDigits)) {
      // Bytes above the largest multiple of `digits.length` are skipped, because their remainders would make the first
      // digits more likely.
      if (byte < 256 - (256 % digits.length) && code.length < codeDigits) code += digits[byte % digits.length];
    }
  }
  return code;
}

export function matches(properties: RoomProperties | undefined, filter: RoomFilter): boolean {
  for (const [name, value] of filter) {
    const own = properties !== undefined && Object.hasOwn(properties, name) ? String(properties[name]) : undefined;
    if (own !== value) return false;
  }
  return true;
}

/** Sorts rooms by preference, the best one first. */
export function byPreference<T>(rooms: readonly T[], playersOf: (room: T) => number, placement: PlacementPolicy): T[] {
  const sign = placement === 'fill' ? -1 : 1;
  return rooms.toSorted((a, b) => sign * (playersOf(a) - playersOf(b)));
}
