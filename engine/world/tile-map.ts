import type { GameMap } from '../definition/map.ts';
import {
  constant,
  count,
  f64,
  flag,
  type Infer,
  json,
  type Kind,
  list,
  oneOf,
  optional,
  record,
  type Scope,
  text,
  where,
} from '../schema/index.ts';

const isTiles = (tiles: unknown, { parts }: Scope): boolean =>
  parts.isOf('map', tiles) || (Array.isArray(tiles) && tiles.every((tile) => typeof tile === 'number'));

/** One layer of the played map. */
const tileLayer = record({
  name: constant(text()),
  type: oneOf(['tilelayer', 'objectgroup']),
  /** The opacity that clients draw it with; undefined for none. */
  opacity: optional(f64()),
  /** Tile numbers row by row; the definition's own list, shared and frozen, until the layer is edited. */
  tiles: where(json() as Kind<readonly number[]>, 'no list of tiles', isTiles),
  /** Whether `tiles` is a list of the world's own, which may change. */
  isEdited: flag(),
});
export type TileLayer = Infer<typeof tileLayer>;

/** The map as it is now: the definition's, or one that a script loaded in its place, with the tiles that scripts have changed. */
export const tileMapState = record({
  source: json() as Kind<GameMap | undefined>,
  /** In tiles. */
  width: count(),
  height: count(),
  /** Tile numbers of the first tileset, beyond which scripts may not go. */
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

/** The list of a layer's tiles to write to: a copy of its own, made at the first edit. */
export function editableTiles(layer: TileLayer, cells: number): number[] {
  if (!layer.isEdited) {
    const tiles = new Array<number>(cells).fill(0);
    for (let i = 0; i < Math.min(cells, layer.tiles.length); i++) tiles[i] = layer.tiles[i]!;
    layer.tiles = tiles;
    layer.isEdited = true;
  }
  return layer.tiles as number[];
}
