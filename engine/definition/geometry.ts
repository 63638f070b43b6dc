import { countsAsTrue } from './reference-reading.ts';
import { defaulted, type Infer, integer, loose, number, object, string } from './schema.ts';

/** `{x, y}`; pixels unless the field says otherwise. */
export const position = object({ x: defaulted(number, 0), y: defaulted(number, 0), ...loose('z') });
export type Position = Infer<typeof position>;

export const size = object({ width: number, height: number, ...loose('depth') });
export type Size = Infer<typeof size>;

export const zIndex = object({ layer: integer, depth: integer, ...loose('offset', 'debris') });
export type ZIndex = Infer<typeof zIndex>;

/** A picture cut into cells, numbered row by row from 1. */
export const cellSheet = object({
  url: string,
  rowCount: integer,
  columnCount: integer,
});
export type CellSheet = Infer<typeof cellSheet>;

export const mouseBehaviour = object({
  rotateToFaceMouseCursor: defaulted(countsAsTrue, false),
  flipSpriteHorizontallyWRTMouse: defaulted(countsAsTrue, false),
});
export type MouseBehaviour = Infer<typeof mouseBehaviour>;
