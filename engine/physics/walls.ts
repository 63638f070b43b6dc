import { cached } from '../core/cached.ts';
import type { GameMap } from '../definition/map.ts';

/** The only tile number above 0 without a body (reference: physics#walls). */
const bodilessTile = 2147483712;

/** The wall layer as cells, row by row, each 1 or 0. */
export interface WallCells {
  readonly columns: number;
  readonly rows: number;
  /** 1 for cells that a path cannot cross: those with any tile number except 0. */
  readonly blocked: Uint8Array;
  /** 1 for cells that get a body. */
  readonly solid: Uint8Array;
}

/**
 * The number of cells of a map of 4096 by 4096. A larger map is a mistake or an attack, and is played without walls.
 */
export const cellsMax = 16_777_216;

export function wallCells(columns: number, rows: number, tiles: ArrayLike<number>): WallCells {
  const count = columns * rows <= cellsMax ? columns * rows : 0;
  const blocked = new Uint8Array(count);
  const solid = new Uint8Array(count);
  for (let cell = 0; cell < blocked.length; cell++) {
    const tile = tiles[cell] ?? 0;
    blocked[cell] = tile !== 0 ? 1 : 0;
    solid[cell] = tile > 0 && tile !== bodilessTile ? 1 : 0;
  }
  return { columns, rows, blocked, solid };
}

const known = new WeakMap<GameMap, WallCells>();

/** The cells of a map of a definition, shared by all its simulations. */
export function wallCellsOf(map: GameMap | undefined): WallCells {
  if (map === undefined) return wallCells(0, 0, []);
  return cached(known, map, ({ width, height }) => wallCells(width, height, wallTiles(map)));
}

/** Tile numbers of the layer named `walls`; empty if the map has no such tile layer. */
function wallTiles(map: GameMap | undefined): ArrayLike<number> {
  const layer = map?.layerByName.get('walls');
  return layer?.type === 'tilelayer' ? layer.data : [];
}

/** A rectangle of the map, in cells. */
export interface Rectangle {
  readonly column: number;
  readonly row: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Covers the solid cells with rectangles, in order of discovery: rows from the top, columns from the left. A rectangle
 * is as wide as the run of solid cells in its first row. It grows down as long as the next row has a run of solid cells
 * in exactly the same columns (reference: physics#walls).
 */
export function mergeWalls(solid: Uint8Array, columns: number, rows: number): Rectangle[] {
  if (solid.length === 0) return [];
  const used = new Uint8Array(columns * rows);
  const isSolid = (column: number, row: number) =>
    column >= 0 && column < columns && solid[row * columns + column] === 1;
  const continues = (column: number, width: number, row: number) => {
    if (isSolid(column - 1, row) || isSolid(column + width, row)) return false;
    for (let i = 0; i < width; i++) {
      if (!isSolid(column + i, row)) return false;
    }
    return true;
  };
  const rectangles: Rectangle[] = [];
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (!isSolid(column, row) || used[row * columns + column] === 1) continue;
      let width = 1;
      while (isSolid(column + width, row)) width++;
      let height = 1;
      while (row + height < rows && continues(column, width, row + height)) height++;
      for (let i = 0; i < height; i++) {
        const start = (row + i) * columns + column;
        used.fill(1, start, start + width);
      }
      rectangles.push({ column, row, width, height });
    }
  }
  return rectangles;
}
