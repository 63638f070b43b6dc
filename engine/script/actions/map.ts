import { editTiles, loadMap, setLayerOpacity } from '../../game/map.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

/** Changes of the tile map. Layers count from 0 in the map's own order, cells from the top-left corner. */
export const mapActions = family('map', {
  editMapTile: action({
    params: { gid: P.number, layer: P.number, x: P.number, y: P.number },
    compile:
      ({ gid, layer, x, y }) =>
      (frame) => {
        const edit = { gid: gid(frame), layer: layer(frame), x: x(frame), y: y(frame) };
        if (edit.gid === undefined || edit.layer === undefined || edit.x === undefined || edit.y === undefined) return;
        editTiles(frame.game, { gid: edit.gid, layer: edit.layer, x: edit.x, y: edit.y, width: 1, height: 1 });
      },
  }),
  /** The part of the rectangle that lies in the map. */
  editMapTiles: action({
    params: { gid: P.number, layer: P.number, x: P.number, y: P.number, width: P.number, height: P.number },
    compile:
      ({ gid, layer, x, y, width, height }) =>
      (frame) => {
        const tile = gid(frame);
        const of = layer(frame);
        const left = x(frame);
        const top = y(frame);
        const wide = width(frame);
        const high = height(frame);
        if (tile === undefined || of === undefined || left === undefined || top === undefined) return;
        if (wide === undefined || high === undefined) return;
        editTiles(frame.game, { gid: tile, layer: of, x: left, y: top, width: wide, height: high });
      },
  }),
  /** The later editor writes `alpha`, which no engine reads; it says the same. */
  changeLayerOpacity: action({
    params: { layer: P.number, opacity: P.alias(P.number, 'alpha') },
    compile:
      ({ layer, opacity }) =>
      (frame) => {
        const of = layer(frame);
        const to = opacity(frame);
        if (of !== undefined && to !== undefined) setLayerOpacity(frame.game, of, to);
      },
  }),
  loadMapFromString: action({
    params: { string: P.text },
    compile:
      ({ string }) =>
      (frame) => {
        const json = string(frame);
        if (json !== undefined) loadMap(frame.game, json);
      },
  }),
});
