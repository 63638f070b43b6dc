import { editTiles, loadMap, setLayerOpacity } from '../../rules/world/map.ts';
import { changes, tells } from '../effects.ts';
import { action, family } from '../op.ts';
import * as P from '../params.ts';

const tiles = P.measured('tiles', P.number);

/** Changes of the tile map. Layers are counted from 0 in the order of the map, cells from the top-left corner. */
export const mapActions = family('map', {
  editMapTile: action({
    about: 'Sets a tile of a layer. `x` and `y` are column and row, counted from 0; tile 0 is empty.',
    effects: [changes('tiles'), tells('map.tiles')],
    params: { gid: P.number, layer: P.number, x: tiles, y: tiles },
    compile:
      ({ gid, layer, x, y }) =>
      (context) => {
        const edit = { gid: gid(context), layer: layer(context), x: x(context), y: y(context) };
        if (edit.gid === undefined || edit.layer === undefined || edit.x === undefined || edit.y === undefined) return;
        editTiles(context.game, { gid: edit.gid, layer: edit.layer, x: edit.x, y: edit.y, width: 1, height: 1 });
      },
  }),
  /** The rectangle is clipped to the map. */
  editMapTiles: action({
    about: {
      sentence: 'Sets all tiles of a layer in a rectangle, which is given in cells.',
      operands: { height: 'The number of rows of tiles.', width: 'The number of columns of tiles.' },
    },
    effects: [changes('tiles'), tells('map.tiles')],
    params: { gid: P.number, layer: P.number, x: tiles, y: tiles, width: tiles, height: tiles },
    compile:
      ({ gid, layer, x, y, width, height }) =>
      (context) => {
        const tile = gid(context);
        const of = layer(context);
        const left = x(context);
        const top = y(context);
        const wide = width(context);
        const high = height(context);
        if (tile === undefined || of === undefined || left === undefined || top === undefined) return;
        if (wide === undefined || high === undefined) return;
        editTiles(context.game, { gid: tile, layer: of, x: left, y: top, width: wide, height: high });
      },
  }),
  /** Newer editors write `alpha` with the same meaning, which the original engines do not read. */
  changeLayerOpacity: action({
    about: 'Sets the opacity of a layer of the map: 0 is invisible, 1 is opaque.',
    effects: [changes('look'), tells('map.layerOpacity')],
    params: { layer: P.number, opacity: P.alias(P.number, 'alpha') },
    run: ({ game }, { layer, opacity }) => setLayerOpacity(game, layer, opacity),
  }),
  loadMapFromString: action({
    about: {
      sentence: 'Replaces the tiles of the map with those of a map given as a JSON string.',
      operands: { string: 'The map as a JSON string.' },
    },
    effects: [changes('tiles'), tells('map.replace')],
    params: { string: P.text },
    run: ({ game }, { string }) => loadMap(game, string),
  }),
});
