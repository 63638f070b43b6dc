import type { GameMap, MapLayer, Tileset } from './map.ts';
import type { ReferenceReport } from './reference-report.ts';

/** The upper three bits of a tile number are flags for flipping the tile. */
const tileNumberBits = 0x1fffffff;

/**
 * Reports tile numbers that do not belong to any tileset of the map: one issue per tile layer, at the first such tile,
 * and one per object.
 */
export function checkTiles(map: GameMap, report: ReferenceReport): void {
  for (const layer of map.layers) {
    let count = 0;
    let first = -1;
    for (let index = 0; index < layer.data.length; index++) {
      if (isTile(layer.data[index]!, map.tilesets)) continue;
      if (count === 0) first = index;
      count++;
    }
    if (count > 0) dangling(report, layer, layer.data[first]!, count, `data/${first}`);
    for (let index = 0; index < layer.objects.length; index++) {
      const { gid } = layer.objects[index]!;
      if (gid !== undefined && !isTile(gid, map.tilesets)) dangling(report, layer, gid, 1, `objects/${index}/gid`);
    }
  }
}

function dangling(report: ReferenceReport, layer: MapLayer, tile: number, count: number, below: string) {
  const message = `Tile number ${tile} on layer "${layer.name}" does not belong to any tileset.`;
  report.add(
    'dangling-tileset',
    message,
    { found: String(tile), ...(count > 1 && { count }) },
    `${layer.pointer}/${below}`,
  );
}

function isTile(number: number, tilesets: readonly Tileset[]) {
  if (number === 0) return true;
  if (number < 0) return false;
  const tile = number & tileNumberBits;
  if (tile === 0) return true;
  for (const { firstgid, tilecount } of tilesets) {
    if (tile >= firstgid && (tilecount === undefined || tile < firstgid + tilecount)) return true;
  }
  return false;
}
