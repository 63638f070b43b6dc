import { mapJson } from '../../rules/world/map.ts';
import type { ScriptContext } from '../context.ts';
import { family, type ValueRow, value } from '../op.ts';
import * as P from '../params.ts';
import { countJson } from '../work.ts';
import { coerced, number } from './operands.ts';

/** A place to ask about: a literal whose members are operands themselves, or any operand that gives a position. */
const literalPosition: P.ParamKind<{ readonly x: number; readonly y: number } | undefined> = {
  ...P.position,
  compile: (compiler, node, place) => {
    if (node.kind !== 'data' || node.isList || node.member('function').kind !== 'nothing')
      return P.position.compile(compiler, node, place);
    const x = compiler.value(node.member('x'));
    const y = compiler.value(node.member('y'));
    return (context) => ({ x: coerced(x(context)), y: coerced(y(context)) });
  },
};

function isWallAt({ game }: ScriptContext, x: number, y: number): boolean {
  return game.physics.isWall(x, y);
}

/** As the reference does: cells are counted row by row, so that what is right of the map is its next row. A coordinate of 0 is none. */
function isWallByNumber({ game: { physics, world } }: ScriptContext, x: number, y: number): boolean {
  const { width, height } = world.map;
  if (!x || !y || width === 0 || height === 0) return false;
  const cellWidth = physics.mapWidth / width;
  const cellHeight = physics.mapHeight / height;
  const cell = Math.floor(x / cellWidth) + Math.floor(y / cellHeight) * width;
  if (!(cell >= 0)) return false;
  return physics.isWall(((cell % width) + 0.5) * cellWidth, (Math.floor(cell / width) + 0.5) * cellHeight);
}

/** The map as it is now, with what scripts have changed. Sizes in px, cells from the top-left corner. */
export const mapValues = family<ValueRow>('map', {
  /** False outside the map. */
  isPositionInWall: value({
    about: 'Whether a position is in a wall of the map.',
    params: { position: literalPosition },
    returns: 'boolean',
    compile: ({ position }, { dialect }) => {
      const isWall = dialect.wallsEndWithMap ? isWallAt : isWallByNumber;
      return (context) => {
        const at = position(context);
        return at !== undefined && isWall(context, at.x, at.y);
      };
    },
  }),
  getMapWidth: value({
    about: 'The width of the map, px.',
    params: {},
    returns: 'number',
    compile:
      () =>
      ({ game: { physics } }) =>
        physics.mapWidth,
  }),
  getMapHeight: value({
    about: 'The height of the map, px.',
    params: {},
    returns: 'number',
    compile:
      () =>
      ({ game: { physics } }) =>
        physics.mapHeight,
  }),
  getMapJson: value({
    about: 'The map as JSON text.',
    params: {},
    returns: 'string',
    compile: () => (context) => {
      const json = mapJson(context.world);
      countJson(context, json.length);
      const { stringLength } = context.world.limits;
      if (json.length <= stringLength) return json;
      context.world.fault(
        'limit-string',
        `The map as text has ${json.length} characters, which is more than ${stringLength}.`,
      );
      return undefined;
    },
  }),
  /** 0 for an empty cell. Column, row and layer must be whole numbers and inside the map; of anything else there is no tile. */
  getMapTileId: value({
    about:
      'The tile of a cell of a layer; `x` and `y` are columns and rows from 0. A cell that is not there is a fault.',
    params: { x: number, y: number, layer: number },
    returns: 'number',
    compile:
      ({ x, y, layer }) =>
      (context) => {
        const column = x(context);
        const row = y(context);
        const index = layer(context);
        if (!isWhole(column) || !isWhole(row) || !isWhole(index)) return undefined;
        const { map } = context.world;
        const tiles = map.layers[index];
        if (tiles?.type !== 'tilelayer') {
          context.world.fault('no-such-reference', `getMapTileId: the map has no layer of tiles ${index}.`);
          return undefined;
        }
        if (column < 0 || row < 0 || column >= map.width || row >= map.height) {
          context.world.fault('wrong-value', `getMapTileId: the map has no cell ${column}, ${row}.`);
          return undefined;
        }
        return tiles.tiles[row * map.width + column];
      },
  }),
});

function isWhole(given: unknown): given is number {
  return typeof given === 'number' && Number.isInteger(given);
}
