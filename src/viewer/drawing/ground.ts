import { floorOf, type TiledMap, type TileImage, tileImageOf, wallLayerOf } from '../../picture/index.ts';
import { isFileAllowed } from './images.ts';
import type { Ground } from './scene.ts';

/** Converts a map to the form in which the stage draws it. `cell` is the size of a cell in world pixels. */
export function groundOf(map: TiledMap, cell: { readonly width: number; readonly height: number }): Ground {
  const { width, height, layers } = map;
  const walls = layers[wallLayerOf(layers)]?.tiles ?? [];
  return {
    columns: width,
    rows: height,
    cellWidth: cell.width,
    cellHeight: cell.height,
    walls: Array.from({ length: width * height }, (_, i) => (walls[i] ?? 0) !== 0),
    floor: floorOf(map),
    images: imagesOf(map),
  };
}

/** For each layer, the source images of its tiles. */
function imagesOf({ source, layers }: TiledMap): NonNullable<Ground['images']> {
  const known = new Map<number, TileImage | undefined>();
  const imageOf = (tile: number): TileImage | undefined => {
    if (!known.has(tile)) {
      const image = tileImageOf(tile, source);
      known.set(tile, image && isFileAllowed('image', image.url) ? image : undefined);
    }
    return known.get(tile);
  };
  return layers.filter(({ type }) => type === 'tilelayer').map(({ tiles }) => tiles.map(imageOf));
}
