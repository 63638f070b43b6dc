/** The colours of maps and charts on pages, in pictures and in GIFs. */

/**
 * The colours of types and of lines in charts, readable on light and dark backgrounds. The first eight are easiest to
 * distinguish. If there are more types than colours, the colours repeat.
 */
export const typeColors =
  '#3b82f6 #e5484d #2f9e62 #e09200 #9866dd #1299ac #dd5596 #a0643c #7f9a12 #5560c8 #f47a3e #4fc08d #b23a9f #5fb0ee #b8424a #b59a3a'.split(
    ' ',
  );

export const debrisColor = '#7d8896';

/** The edge colours of sides, if the game does not define distinct ones. They are never used to fill a shape. */
export const sideColors = ['#e0b400', '#c22fb0', '#0a9aa8', '#7a4ff0', '#3f9d2f', '#d63a3a'] as const;

/**
 * The colour of the dashed edge of an entity that is not in the first state of its type. If the entity has a side, the
 * edge has the colour of the side instead.
 */
export const alteredColor = '#ffffff';

export interface MapColors {
  /** The area outside the map. */
  readonly outside: string;
  readonly floor: string;
  readonly grid: string;
  readonly wall: string;
  /** The edge of walls, and the outline of every figure. */
  readonly wallEdge: string;
  readonly region: string;
  /** The ring around marked entities: the selected one, or the subject of an expectation. */
  readonly mark: string;
  readonly text: string;
}

export const mapColors: { readonly light: MapColors; readonly dark: MapColors } = {
  light: {
    outside: '#dfe4ea',
    floor: '#f8fafc',
    grid: '#e6ebf1',
    wall: '#5a6675',
    wallEdge: '#2b3543',
    region: '#1f5fc4',
    mark: '#e08a00',
    text: '#18202c',
  },
  dark: {
    outside: '#0a0d12',
    floor: '#1b222c',
    grid: '#232c38',
    wall: '#596677',
    wallEdge: '#05070a',
    region: '#7fb0ff',
    mark: '#ffb02e',
    text: '#e4e8ee',
  },
};
