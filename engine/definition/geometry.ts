import { countsAsTrue } from './reference-reading.ts';
import { defaulted, ignoredFields, integer, notNegative, object, string, wholePositive } from './schema.ts';
import { coordinates } from './shared-fields.ts';

/** `{x, y}`; pixels unless the field says otherwise. */
export const position = object({
  ...coordinates,
  ...ignoredFields({ z: 'The height.' }),
});

export const size = object({
  width: ['The width.', notNegative],
  height: ['The height.', notNegative],
  ...ignoredFields({ depth: 'The drawing depth; larger numbers are drawn in front.' }),
});

export const zIndex = object({
  layer: ['The drawing layer.', integer],
  depth: ['The drawing depth; larger numbers are drawn in front.', integer],
  ...ignoredFields({ offset: 'The offset from the centre.', debris: 'Settings for debris.' }),
});

/** An image that is cut into cells, which are numbered row by row from 1. */
export const cellSheet = object({
  url: ['The URL of an image.', string],
  rowCount: ['The number of rows of frames in the sprite sheet.', wholePositive],
  columnCount: ['The number of columns of frames in the sprite sheet.', wholePositive],
});

export const mouseBehaviour = object({
  rotateToFaceMouseCursor: ['Whether the entity turns to the mouse.', defaulted(countsAsTrue, false)],
  flipSpriteHorizontallyWRTMouse: [
    'Whether the sprite is mirrored when the mouse is to the left of the sprite.',
    defaulted(countsAsTrue, false),
  ],
});
