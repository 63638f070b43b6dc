/** Still and moving pictures of a game: how things look, as SVG, PNG and GIF. */

// Pictures.
export { addToLegend, picture } from './picture.ts';
export { NoRenderer, pngOf, renderer } from './png.ts';
export { gifOf } from './gif.ts';

// How things look, also for pages that draw by themselves.
export { colorOr, type FigureKind, TypeLooks } from './type-looks.ts';
export { Legend, type LegendFigure } from './legend.ts';
export { personName } from './label.ts';
export { alteredColor, mapColors, sideColors, typeColors } from './palette.ts';
export {
  baseOpacity,
  type CellArea,
  type FloorLayer,
  floorOf,
  placeOf,
  runsOf,
  type TiledMap,
  upperInset,
  upperOpacity,
  wallLayerOf,
} from './floor.ts';
