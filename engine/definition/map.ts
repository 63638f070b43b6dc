import { FrozenMap } from './frozen-map.ts';
import { describe } from './reader.ts';
import {
  array,
  arrayOf,
  boolean,
  type Convert,
  closedEnum,
  convert,
  defaulted,
  entry,
  type Infer,
  ignoredFields,
  integer,
  integerIn,
  type Json,
  makeSchema,
  named,
  number,
  object,
  type ReadLocation,
  required,
  shapes,
  string,
} from './schema.ts';

/** A version may be a number or a string. */
const version = shapes<string>('a number or a string', {
  string,
  number: convert(number, (value): string => String(value)),
});

const tileset = object({
  name: defaulted(string, ''),
  image: string,
  firstgid: defaulted(integer, 1),
  tilewidth: integer,
  tileheight: integer,
  tilecount: integer,
  columns: integer,
  imagewidth: integer,
  imageheight: integer,
  margin: integer,
  spacing: integer,
  rows: integer,
  isMaped: boolean,
  ...ignoredFields('type', 'key', 'tiles'),
});
export type Tileset = Infer<typeof tileset>;
export const tilesets = array(tileset);

const mapObject = object({
  id: integer,
  x: defaulted(number, 0),
  y: defaulted(number, 0),
  width: defaulted(number, 0),
  height: defaulted(number, 0),
  /** Degrees. */
  rotation: defaulted(number, 0),
  visible: defaulted(boolean, true),
  type: string,
  name: version,
  gid: integer,
  density: number,
  friction: number,
  restitution: number,
  igeId: string,
  ...ignoredFields('properties', 'polygon'),
});
export type MapObject = Infer<typeof mapObject>;

/** Tile numbers row by row, 0 for empty; checked to be integers, not copied. */
const tiles = makeSchema<readonly number[]>(arrayOf({ type: 'integer' }), {
  kind: 'convert',
  of: { kind: 'raw', only: ['array'] },
  convert: checkedTiles as Convert,
});

/** Reports at most one issue per layer, at its first invalid number. */
function checkedTiles(list: readonly Json[], place: ReadLocation): readonly Json[] {
  let wrong = 0;
  for (const tile of list) if (!Number.isInteger(tile)) wrong++;
  if (wrong === 0) return list;
  const first = list.findIndex((tile) => !Number.isInteger(tile));
  const found = describe(list[first]);
  const message = `Expected a tile number, found ${found}.`;
  place.report('wrong-type', message, { expected: 'an integer', found, ...(wrong > 1 ? { count: wrong } : {}) }, first);
  return Object.freeze(list.map((tile) => (Number.isInteger(tile) ? tile : 0)));
}

/** One layer of either kind: a tile layer has `data`, an object group has `objects`. */
const layer = entry('MapLayer', 'A layer of the map: tiles or objects.', {
  name: defaulted(string, ''),
  type: defaulted(closedEnum(['tilelayer', 'objectgroup']), 'tilelayer'),
  id: integer,
  x: integer,
  y: integer,
  /** Tiles. */
  width: integer,
  height: integer,
  visible: boolean,
  opacity: number,
  data: defaulted(tiles, []),
  draworder: string,
  objects: defaulted(array(mapObject), []),
  ...ignoredFields('locked', 'properties', 'image', 'offsetx', 'offsety'),
});
export type MapLayer = Infer<typeof layer>;

/** Not in the specification. No known game comes near this limit, and beyond it, the grids derived from a map would not fit into memory. */
const tilesAcrossMax = 4096;

const layout = named(
  'Map',
  'The tile map.',
  object({
    type: closedEnum(['map']),
    /** Tiles. */
    width: required(integerIn({ min: 0, max: tilesAcrossMax }), 0),
    height: required(integerIn({ min: 0, max: tilesAcrossMax }), 0),
    /** Pixels. */
    tilewidth: defaulted(integerIn({ min: 1 }), 64),
    tileheight: defaulted(integerIn({ min: 1 }), 64),
    originalTileWidth: integer,
    originalTileHeight: integer,
    version,
    tiledversion: version,
    orientation: string,
    renderorder: string,
    infinite: boolean,
    compressionlevel: integer,
    nextobjectid: integer,
    nextlayerid: integer,
    tilesets: defaulted(tilesets, []),
    layers: required(array(layer), []),
    backgroundcolor: string,
    ...ignoredFields('editorsettings', 'properties', 'wasEdited', 'class'),
  }),
);

export interface GameMap extends Infer<typeof layout> {
  /** By name; the last of several layers with the same name wins (reference: physics#walls). */
  readonly layerByName: ReadonlyMap<string, MapLayer>;
}

export const gameMap = convert(layout, (value, place): GameMap => {
  const layerByName = new Map<string, MapLayer>();
  for (const each of value.layers) {
    layerByName.set(each.name, each);
  }
  for (const { key, name, type, data, width = value.width, height = value.height } of value.layers) {
    if (type !== 'tilelayer') continue;
    if (name === 'walls' && (width !== value.width || height !== value.height)) {
      place.report(
        'map-size-mismatch',
        `The map is ${value.width} by ${value.height} tiles, but its layer "${name}" is ${width} by ${height}.`,
        { expected: `${width} by ${height}`, found: `${value.width} by ${value.height}` },
        'width',
      );
    }
    if (data.length === width * height) continue;
    place.report(
      'map-size-mismatch',
      `Layer "${name}" is ${width} by ${height} tiles, but has ${data.length} tile numbers.`,
      { expected: `${width * height} tile numbers`, found: String(data.length) },
      'layers',
      key,
    );
  }
  return Object.freeze({ ...value, layerByName: new FrozenMap(layerByName) });
});

/** Pixels per map cell: 64, whatever the size of the tile images, unless the game sets `dontResize` (reference: physics#walls). */
export interface CellSize {
  readonly width: number;
  readonly height: number;
}
const resized: CellSize = Object.freeze({ width: 64, height: 64 });
export function cellSizeOf(map: GameMap | undefined, dontResize: boolean): CellSize {
  return map !== undefined && dontResize ? Object.freeze({ width: map.tilewidth, height: map.tileheight }) : resized;
}
