/** Fields that several schemas have, described once. */
import { convert, defaulted, integer, key, number, string, stringOrNumber } from './schema.ts';

export const name = ['The display name in game clients and editors.', defaulted(string, '')] as const;

/** The folder and the position of an entry in the editor. */
export const parent = ['The id of the editor folder that contains the entry.', key] as const;
export const order = ["The position in the editor's list.", integer] as const;

export const streamMode = [
  'Which clients receive updates: none (0), all (1), only the client of the owner (3), or the name of a mode.',
  convert(stringOrNumber, (mode) => (mode.trim() === '' || Number.isNaN(Number(mode)) ? mode : Number(mode))),
] as const;

/** Coordinates in pixels, unless the schema that uses them says otherwise. */
export const coordinates = {
  x: ['The x coordinate, from the left.', defaulted(number, 0)],
  y: ['The y coordinate, from the top.', defaulted(number, 0)],
} as const;
