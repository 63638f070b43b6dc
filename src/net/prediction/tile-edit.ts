/** A rectangle of tiles, in cells, and the tile that it gets. */
export interface TileEdit {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly gid: number;
}

/** Sets the tiles of a layer in a rectangle, as far as it lies on the map. */
export function fillTiles(tiles: number[], columns: number, { x, y, width, height, gid }: TileEdit) {
  const rows = tiles.length / columns;
  for (let row = Math.max(0, y); row < Math.min(rows, y + height); row++)
    for (let column = Math.max(0, x); column < Math.min(columns, x + width); column++)
      tiles[row * columns + column] = gid;
}
