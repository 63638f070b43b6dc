import type { GameMap } from '../definition/map.ts';

/** One layer of the played map. */
export interface TileLayer {
  readonly name: string;
  readonly type: 'tilelayer' | 'objectgroup';
  /** What clients draw it with; undefined where nothing was said. */
  opacity: number | undefined;
  /** Tile numbers row by row; the definition's own list, shared and frozen, until the layer is edited. */
  tiles: readonly number[];
  /** Whether `tiles` is a list of the world's own, which may change. */
  isEdited: boolean;
}

/** The map as it is now: the definition's, or one that a script loaded in its place, with the tiles that scripts have changed. */
export interface TileMap {
  readonly source: GameMap | undefined;
  /** In tiles. */
  readonly width: number;
  readonly height: number;
  /** Tile numbers of the first tileset, beyond which scripts may not go. */
  readonly tileCount: number;
  readonly layers: TileLayer[];
}

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
