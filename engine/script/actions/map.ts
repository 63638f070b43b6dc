import { changes, tells } from '../../rules/effects.ts';
import { editTiles, loadMap, setLayerOpacity } from '../../rules/world/map.ts';
import { action, compiledAction, family } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';

const tiles = P.measured('tiles', P.amount);

/**
 * Edits tiles. `given` contains the tile number, layer, column, row, width and height. In the reference, all of them
 * must be numbers (reference: operations#editmaptile).
 */
function edit({ game, world }: ScriptContext, given: readonly (number | string | undefined)[]) {
  const [gid, layer, x, y, width, height] = given.filter((number) => typeof number === 'number');
  if (height !== undefined) editTiles(game, { gid: gid!, layer: layer!, x: x!, y: y!, width: width!, height });
  else if (!given.includes(undefined))
    world.fault('wrong-value', 'The tile number, layer, position and size of an edit must be numbers, not strings.');
}

/** Changes of the tile map. Layers are counted from 0 in the order of the map, cells from the top-left corner. */
export const mapActions = family('map', {
  editMapTile: compiledAction(
    'Sets a tile of a layer. `x` and `y` are the column and row, counted from 0. Tile 0 is empty.',
    { gid: P.amount, layer: P.amount, x: tiles, y: tiles },
    ({ gid, layer, x, y }) =>
      (context) =>
        edit(context, [gid(context), layer(context), x(context), y(context), 1, 1]),
    changes('tiles'),
    tells('map.tiles'),
  ),
  /** The rectangle is clipped to the map. */
  editMapTiles: compiledAction(
    {
      sentence: 'Sets all tiles of a layer in a rectangle. Its position and size are in cells, not in pixels.',
      operands: { height: 'The number of rows of tiles.', width: 'The number of columns of tiles.' },
    },
    { gid: P.amount, layer: P.amount, x: tiles, y: tiles, width: tiles, height: tiles },
    ({ gid, layer, x, y, width, height }) =>
      (context) =>
        edit(context, [gid(context), layer(context), x(context), y(context), width(context), height(context)]),
    changes('tiles'),
    tells('map.tiles'),
  ),
  /** Newer editors write the opacity under the key `alpha`, which the original engines do not read. */
  changeLayerOpacity: action(
    'Sets the opacity of a layer of the map: 0 is invisible, 1 is opaque.',
    { layer: P.number, opacity: P.alias(P.number, 'alpha') },
    ({ game }, { layer, opacity }) => setLayerOpacity(game, layer, opacity),
    changes('look'),
    tells('map.layerOpacity'),
  ),
  loadMapFromString: action(
    {
      sentence: 'Replaces the map with a map that is given as a JSON string.',
      operands: { string: 'The map as a JSON string.' },
    },
    { string: P.text },
    ({ game }, { string }) => loadMap(game, string),
    changes('tiles'),
    tells('map.replace'),
  ),
});
