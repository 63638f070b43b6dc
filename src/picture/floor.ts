import { cached } from '../../engine/core/index.ts';
import type { Definition } from '../../engine/index.ts';

/**
 * Colours for kinds of tiles. They are drawn translucently over the colour of the floor, which makes them suitable for
 * light and dark backgrounds.
 */
export const floorColors = '#3f8f46 #2f78b8 #b08432 #8a5a3c #7b5fb0 #2f9a92 #a8506a #6d7f22 #5d6b7d #b8663c'.split(' ');
export const baseOpacity = 0.2;
export const upperOpacity = 0.38;
/** The margin on each side of a cell that the tiles of upper layers leave free, as a fraction of the cell's size. */
export const upperInset = 0.16;

/**
 * A layer of tiles, other than the walls, in the form in which it is drawn if the images of the tiles are not shown.
 */
export interface FloorLayer {
  /**
   * The kind of each cell, row by row: 0 for an empty cell or plain floor, otherwise 1 + the index of its colour in
   * `floorColors`.
   */
  readonly kinds: readonly number[];
  /**
   * Whether this is the lowest layer, whose tiles fill their cells. The tiles of other layers are drawn smaller, on top
   * of it.
   */
  readonly isBase: boolean;
}

type Source = NonNullable<Definition['map']>;

/** The current tiles of a map, with the definition of the map. */
export interface TiledMap {
  readonly source: Source | undefined;
  readonly width: number;
  readonly height: number;
  readonly layers: readonly { readonly name: string; readonly type: string; readonly tiles: readonly number[] }[];
}

/**
 * The index of the layer whose tiles are walls. If several layers have the name `walls`, it is the last one; if none
 * has, -1.
 */
export function wallLayerOf(layers: readonly { readonly name: string; readonly type: string }[]): number {
  return layers.findLastIndex(({ name, type }) => name === 'walls' && type === 'tilelayer');
}

/**
 * The layers of tiles, other than the walls, lowest first; empty layers are left out. The most common kind of the
 * lowest layer counts as plain floor.
 */
export function floorOf({ source, width, height, layers }: TiledMap): FloorLayer[] {
  const wallLayer = wallLayerOf(layers);
  const isDrawn = ({ type, tiles }: TiledMap['layers'][number], i: number) =>
    i !== wallLayer && type === 'tilelayer' && tiles.some((tile) => tile !== 0);
  const kinds = kindsOf(source);
  return layers.filter(isDrawn).map(({ tiles }, i) => {
    const kindOf = (tile: number) => {
      const kind = kinds(tile);
      return tile === 0 || (i === 0 && kind === 0) ? 0 : 1 + ((i === 0 ? kind - 1 : kind) % floorColors.length);
    };
    // The tiles are cut to the size of the map, because a layer may have more.
    return { kinds: tiles.slice(0, width * height).map(kindOf), isBase: i === 0 };
  });
}

/** A rectangle of cells of a map. `right` and `bottom` are exclusive. */
export interface CellArea {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/**
 * Joins neighbouring cells of the same colour in a row of the base layer, so that there are fewer shapes. Default area:
 * the whole map.
 */
export function* runsOf({ kinds, isBase }: FloorLayer, columns: number, area?: CellArea) {
  const { left, top, right, bottom } = area ?? { left: 0, top: 0, right: columns, bottom: kinds.length / columns };
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const kind = kinds[row * columns + column] ?? 0;
      if (kind === 0) continue;
      const start = column;
      while (isBase && column + 1 < right && kinds[row * columns + column + 1] === kind) column++;
      yield { color: floorColors[kind - 1]!, column: start, row, length: column - start + 1 };
    }
  }
}

/**
 * In large tile sets, blocks of this many columns and rows usually show one material with its corners and edges, so
 * they count as one kind.
 */
const blockTiles = 3;
/** In tile sets with at most this many tiles, each tile is its own kind. */
const smallSheet = 32;
/** Tiled uses the highest three bits of a tile number for mirroring. This mask removes them. */
const flipBits = 0x1fffffff;

/**
 * Returns a function that ranks the kind of a tile: 0 for the most common kind in the layers of the definition, then 1,
 * and so on. Tiles of the same block are one kind.
 */
function kindsOf(source: Source | undefined): (tile: number) => number {
  const blockOf = (tile: number) => {
    const { number, tileset } = placeOf(tile, source);
    const { columns = 1, tilecount = 0 } = tileset ?? {};
    if (tilecount <= smallSheet || columns < 1) return `${tile}`;
    const part = (at: number) => Math.floor(at / blockTiles);
    return `${tileset!.firstgid} ${part(number % columns)} ${part(Math.floor(number / columns))}`;
  };
  const tiles = new Map<number, number>();
  const layers = (source?.layers ?? []).filter(({ name, type }) => type === 'tilelayer' && name !== 'walls');
  for (const { data } of layers) for (const tile of data) if (tile !== 0) tiles.set(tile, (tiles.get(tile) ?? 0) + 1);
  const counts = new Map<string, number>();
  for (const [tile, count] of tiles) counts.set(blockOf(tile), (counts.get(blockOf(tile)) ?? 0) + count);
  const ranks = new Map([...counts].sort((a, b) => b[1] - a[1]).map(([block], rank) => [block, rank]));
  const known = new Map<number, number>();
  return (tile) => {
    return cached(known, tile, () => ranks.get(blockOf(tile)) ?? ranks.size + (tile % floorColors.length));
  };
}

/** The tile set that contains a tile, and the index of the tile in this set. */
function placeOf(tile: number, source: Source | undefined) {
  const plain = tile & flipBits;
  const tileset = source?.tilesets.findLast(({ firstgid }) => firstgid <= plain);
  return { tileset, number: plain - (tileset?.firstgid ?? 0) };
}

/** A rectangle of an image, in image pixels. */
export interface TileImage {
  readonly url: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The image of a tile; undefined if its tile set has none. */
export function tileImageOf(tile: number, source: Source | undefined): TileImage | undefined {
  const { tileset, number } = placeOf(tile, source);
  const { image, columns = 0, tilewidth = 64, tileheight = 64, margin = 0, spacing = 0 } = tileset ?? {};
  if (tile === 0 || image === undefined || columns < 1) return undefined;
  return {
    url: image,
    x: margin + (number % columns) * (tilewidth + spacing),
    y: margin + Math.floor(number / columns) * (tileheight + spacing),
    width: tilewidth,
    height: tileheight,
  };
}
