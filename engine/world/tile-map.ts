import type { GameMap } from '../definition/map.ts';
import {
  constant,
  count,
  type FieldType,
  f64,
  flag,
  type Infer,
  json,
  list,
  oneOf,
  optional,
  record,
  type Scope,
  text,
  withCheck,
} from '../schema/index.ts';

const isTiles = (tiles: unknown, { parts }: Scope) =>
  parts.isOf('map', tiles) || (Array.isArray(tiles) && tiles.every((tile) => typeof tile === 'number'));

/** One layer of the map. */
const tileLayer = record({
  name: constant(text()),
  type: oneOf(['tilelayer', 'objectgroup']),
  /** The opacity with which clients draw the layer; undefined if none is set. */
  opacity: optional(f64()),
  /** Tile numbers row by row: the frozen list of the definition until the layer is first edited (copy on write). */
  tiles: withCheck(json() as FieldType<readonly number[]>, 'not a list of tiles', isTiles),
  /** Whether `tiles` is the world's own mutable copy. */
  isEdited: flag(),
});
export type TileLayer = Infer<typeof tileLayer>;

/** The current map: that of the definition or one loaded by a script, with the tiles that scripts have changed. */
export const tileMapState = record({
  source: json() as FieldType<GameMap | undefined>,
  /** The width of the map, in tiles. */
  width: count(),
  height: count(),
  /** Number of tiles in the first tileset: the upper limit of the tile numbers that scripts may set. */
  tileCount: f64(),
  layers: list(tileLayer),
});
export type TileMap = Infer<typeof tileMapState>;

export function tileMap(source: GameMap | undefined): TileMap {
  return {
    source,
    width: source?.width ?? 0,
    height: source?.height ?? 0,
    tileCount: source?.tilesets[0]?.tilecount ?? 0,
    layers: (source?.layers ?? []).map(({ name, type, opacity, data }) => {
      return { name, type, opacity, tiles: data, isEdited: false };
    }),
  };
}

/** Returns the mutable tiles of a layer. The first call copies the tiles of the definition. */
export function editableTiles(layer: TileLayer, cells: number): number[] {
  if (!layer.isEdited) {
    const tiles = new Array<number>(cells).fill(0);
    for (let i = 0; i < Math.min(cells, layer.tiles.length); i++) tiles[i] = layer.tiles[i]!;
    layer.tiles = tiles;
    layer.isEdited = true;
  }
  return layer.tiles as number[];
}
