/** Still and moving pictures of a game as SVG, PNG and GIF, and the colours and shapes that they use. */

// Drawing pictures and encoding them.
export { addToLegend, picture } from './picture.ts';
export { pngOf, renderer } from './png.ts';
export { gifOf } from './gif.ts';

// Colours, shapes and labels. Pages that draw by themselves use them, too.
export { colorOr, type FigureKind, type ImageLook, isEmbedded, TypeLooks } from './type-looks.ts';
export { Legend, type LegendFigure } from './legend.ts';
export { personName } from './label.ts';
export { alteredColor, type MapColors, mapColors, typeColors } from './palette.ts';
export {
  baseOpacity,
  type CellArea,
  type FloorLayer,
  floorOf,
  runsOf,
  type TiledMap,
  type TileImage,
  tileImageOf,
  upperInset,
  upperOpacity,
  wallLayerOf,
} from './floor.ts';
