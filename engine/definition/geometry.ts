import { countsAsTrue } from './reference-reading.ts';
import { defaulted, ignoredFields, integer, number, object, string } from './schema.ts';

/** `{x, y}`; pixels unless the field says otherwise. */
export const position = object({ x: defaulted(number, 0), y: defaulted(number, 0), ...ignoredFields('z') });

export const size = object({ width: number, height: number, ...ignoredFields('depth') });

export const zIndex = object({ layer: integer, depth: integer, ...ignoredFields('offset', 'debris') });

/** A picture cut into cells, numbered row by row from 1. */
export const cellSheet = object({
  url: string,
  rowCount: integer,
  columnCount: integer,
});

export const mouseBehaviour = object({
  rotateToFaceMouseCursor: defaulted(countsAsTrue, false),
  flipSpriteHorizontallyWRTMouse: defaulted(countsAsTrue, false),
});
