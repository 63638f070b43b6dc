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
  notNegative,
  number,
  object,
  type ReadLocation,
  required,
  shapes,
  share,
  string,
  wholeNotNegative,
  wholePositive,
} from './schema.ts';
import { coordinates, name } from './shared-fields.ts';

/** A version may be a number or a string. */
const version = shapes<string>('a number or a string', {
  string,
  number: convert(number, (value): string => String(value)),
});

const tileset = object({
  name,
  image: ['The URL of an image.', string],
  firstgid: ['The number of the first tile of the image.', defaulted(integer, 1)],
  tilewidth: ['The width of a tile, in pixels.', integer],
  tileheight: ['The height of a tile, in pixels.', integer],
  tilecount: ['The number of tiles in the image.', wholePositive],
  columns: ['The number of columns of tiles in the image.', wholePositive],
  imagewidth: ['The width of the image, in pixels.', integer],
  imageheight: ['The height of the image, in pixels.', integer],
  margin: ['The margin around the tiles of the image, in pixels.', wholeNotNegative],
  spacing: ['The space between the tiles of the image, in pixels.', wholeNotNegative],
  rows: ['The number of rows of tiles in the image.', integer],
  isMaped: ['Used by the editor only.', boolean],
  ...ignoredFields({
    type: 'The kind of the entry.',
    key: 'The id of the entry, the same as its key.',
    tiles: 'Properties of individual tiles.',
  }),
});
export type Tileset = Infer<typeof tileset>;
export const tilesets = array(tileset);

const mapObject = object({
  id: ['The id of the entry.', integer],
  ...coordinates,
  width: ['The width.', defaulted(notNegative, 0)],
  height: ['The height.', defaulted(notNegative, 0)],
  rotation: ['The angle, in degrees.', defaulted(number, 0)],
  visible: ['Whether the object is shown.', defaulted(boolean, true)],
  type: ['The kind of the entry.', string],
  name: ['The display name in game clients and editors.', version],
  gid: ['The number of the tile.', integer],
  density: ['The mass per area.', notNegative],
  friction: ['The friction coefficient.', notNegative],
  restitution: ['How much the object bounces: 0 not at all, 1 fully.', notNegative],
  igeId: ['The id of the object in an older engine.', string],
  ...ignoredFields({ properties: 'Custom properties.', polygon: 'The corners of the polygon, in pixels.' }),
});
export type MapObject = Infer<typeof mapObject>;

/** Tile numbers row by row; 0 means no tile. The reader checks that they are integers, but does not copy the list. */
const tiles = makeSchema<readonly number[]>(arrayOf({ type: 'integer' }), {
  kind: 'convert',
  of: { kind: 'raw', only: ['array'] },
  convert: checkedTiles as Convert,
});

/** Checks that tile numbers are integers. Reports at most one issue per layer, at its first invalid number. */
function checkedTiles(list: readonly Json[], place: ReadLocation): readonly Json[] {
  let wrong = 0;
  for (const tile of list) if (!Number.isInteger(tile)) wrong++;
  if (wrong === 0) return list;
  const first = list.findIndex((tile) => !Number.isInteger(tile));
  const found = describe(list[first]);
  const message = `Expected a tile number, found ${found}.`;
  place.report('wrong-type', message, { expected: 'an integer', found, ...(wrong > 1 && { count: wrong }) }, first);
  return Object.freeze(list.map((tile) => (Number.isInteger(tile) ? tile : 0)));
}

/** One layer of either kind: a tile layer has `data`, an object group has `objects`. */
const layer = entry('MapLayer', 'A layer of the map: tiles or objects.', {
  name,
  type: [
    'Whether the layer holds tiles (tilelayer) or objects (objectgroup).',
    defaulted(closedEnum(['tilelayer', 'objectgroup']), 'tilelayer'),
  ],
  id: ['The id of the entry.', integer],
  x: ['The x coordinate, from the left.', integer],
  y: ['The y coordinate, from the top.', integer],
  width: ['The width, in tiles.', integer],
  height: ['The height, in tiles.', integer],
  visible: ['Whether the layer is shown.', boolean],
  opacity: ['The opacity, from 0 (invisible) to 1 (opaque).', share],
  data: ['The tile numbers, row by row.', defaulted(tiles, [])],
  draworder: ['The order in which objects are drawn.', string],
  objects: ['The objects of the layer.', defaulted(array(mapObject), [])],
  ...ignoredFields({
    locked: 'Used by the map editor only.',
    properties: 'Custom properties.',
    image: 'The URL of an image.',
    offsetx: 'The horizontal offset in pixels; positive is right.',
    offsety: 'The vertical offset in pixels; positive is down.',
  }),
});
export type MapLayer = Infer<typeof layer>;

/**
 * Maximum width and height of a map, which the specification does not limit. No known game comes near this limit; the
 * grids derived from a larger map would not fit into memory.
 */
const tilesAcrossMax = 4096;

const layout = named(
  'Map',
  'The tile map.',
  object({
    type: ['Always `map`.', closedEnum(['map'])],
    width: ['The width, in tiles.', required(integerIn({ min: 0, max: tilesAcrossMax }), 0)],
    height: ['The height, in tiles.', required(integerIn({ min: 0, max: tilesAcrossMax }), 0)],
    tilewidth: ['The width of a tile, in pixels.', defaulted(integerIn({ min: 1 }), 64)],
    tileheight: ['The height of a tile, in pixels.', defaulted(integerIn({ min: 1 }), 64)],
    originalTileWidth: ['The width of a tile before scaling, in pixels.', integer],
    originalTileHeight: ['The height of a tile before scaling, in pixels.', integer],
    version: ['The version of the map format.', version],
    tiledversion: ['The version of the Tiled map editor.', version],
    orientation: ['How the cells are arranged.', string],
    renderorder: ['The order in which cells are drawn.', string],
    infinite: ['Whether the map is infinite.', boolean],
    compressionlevel: ['The compression of the layers.', integer],
    nextobjectid: ['Used by the map editor only.', integer],
    nextlayerid: ['Used by the map editor only.', integer],
    tilesets: ['Images of tiles.', defaulted(tilesets, [])],
    layers: ['The layers of the map: tiles, walls and debris.', required(array(layer), [])],
    backgroundcolor: ['The colour behind the map.', string],
    ...ignoredFields({
      editorsettings: 'Used by the map editor only.',
      properties: 'Custom properties.',
      wasEdited: 'Whether a script has changed the map.',
      class: 'The class of the map in the map editor.',
    }),
  }),
);

export interface GameMap extends Infer<typeof layout> {
  /** The layers by name; the last of several with the same name wins (reference: physics#walls). */
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

/**
 * The size of a map cell in pixels: 64, regardless of the size of the tile images, unless the game sets `dontResize`
 * (reference: physics#walls).
 */
export interface CellSize {
  readonly width: number;
  readonly height: number;
}
const resized: CellSize = Object.freeze({ width: 64, height: 64 });
export function cellSizeOf(map: GameMap | undefined, dontResize: boolean): CellSize {
  return map !== undefined && dontResize ? Object.freeze({ width: map.tilewidth, height: map.tileheight }) : resized;
}
