import { floorOf, placeOf, type TiledMap, wallLayerOf } from '../../picture/index.ts';
import { isFileAllowed } from './images.ts';
import type { Ground, TileImage } from './scene.ts';

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
    if (!known.has(tile)) known.set(tile, tile === 0 ? undefined : newImage(tile, source));
    return known.get(tile);
  };
  return layers.filter(({ type }) => type === 'tilelayer').map(({ tiles }) => tiles.map(imageOf));
}

function newImage(tile: number, source: TiledMap['source']): TileImage | undefined {
  const { tileset, number } = placeOf(tile, source);
  const { image, columns = 0, tilewidth = 64, tileheight = 64, margin = 0, spacing = 0 } = tileset ?? {};
  if (image === undefined || columns < 1 || !isFileAllowed('image', image)) return undefined;
  return {
    url: image,
    x: margin + (number % columns) * (tilewidth + spacing),
    y: margin + Math.floor(number / columns) * (tileheight + spacing),
    width: tilewidth,
    height: tileheight,
  };
}
