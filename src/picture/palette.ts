/** The colours of maps and charts on pages, in pictures and in GIFs. */

/**
 * The colours of types and lines, readable on light and dark backgrounds. The first eight are the most distinct; after
 * the last they repeat.
 */
export const typeColors = [
  '#3b82f6',
  '#e5484d',
  '#2f9e62',
  '#e09200',
  '#9866dd',
  '#1299ac',
  '#dd5596',
  '#a0643c',
  '#7f9a12',
  '#5560c8',
  '#f47a3e',
  '#4fc08d',
  '#b23a9f',
  '#5fb0ee',
  '#b8424a',
  '#b59a3a',
] as const;

export const debrisColor = '#7d8896';

/** The edge colours of sides for which the game defines none. Never used as fills. */
export const sideColors = ['#e0b400', '#c22fb0', '#0a9aa8', '#7a4ff0', '#3f9d2f', '#d63a3a'] as const;

/** The dashed edge of entities that are not in the first state of their type. */
export const alteredColor = '#ffffff';

interface MapColors {
  /** The area outside the map. */
  readonly outside: string;
  readonly floor: string;
  readonly grid: string;
  readonly wall: string;
  /** Also the outline of every figure. */
  readonly wallEdge: string;
  readonly region: string;
  /** The selected entity, or the subject of an expectation. */
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
