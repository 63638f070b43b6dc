import { reads } from '../../rules/effects.ts';
import { mapJson } from '../../rules/world/map.ts';
import { compiledValue, family, nullary, type ValueRow } from '../op.ts';
import * as P from '../params.ts';
import type { ScriptContext } from '../running/context.ts';
import { countJson } from '../running/work.ts';
import { coerced, number } from './operands.ts';

/** A position: a literal whose members are operands, or any operand that evaluates to a position. */
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

function isWallAt({ game }: ScriptContext, x: number, y: number) {
  return game.physics.isWall(x, y);
}

/**
 * As in the reference, cells are numbered row by row, so a point right of the map falls into the next row. A coordinate
 * of 0 counts as missing.
 */
function isWallByNumber({ game: { physics, world } }: ScriptContext, x: number, y: number) {
  const { width, height } = world.map;
  if (!x || !y || width === 0 || height === 0) return false;
  const cellWidth = physics.mapWidth / width;
  const cellHeight = physics.mapHeight / height;
  const cell = Math.floor(x / cellWidth) + Math.floor(y / cellHeight) * width;
  if (!(cell >= 0)) return false;
  return physics.isWall(((cell % width) + 0.5) * cellWidth, (Math.floor(cell / width) + 0.5) * cellHeight);
}

/** The current map, including changes by scripts. Sizes in px, cells counted from the top-left corner. */
export const mapValues = family<ValueRow>('map', {
  /** A position outside the map is not in a wall. */
  isPositionInWall: compiledValue(
    'Whether a position is in a wall of the map.',
    { position: literalPosition },
    'boolean',
    ({ position }, { dialect }) => {
      const isWall = dialect.wallsEndAtMapEdge ? isWallAt : isWallByNumber;
      return (context) => {
        const at = position(context);
        return at !== undefined && isWall(context, at.x, at.y);
      };
    },
    reads('tiles'),
  ),
  getMapWidth: nullary('The width of the map, px.', 'number', ({ game }) => game.physics.mapWidth),
  getMapHeight: nullary('The height of the map, px.', 'number', ({ game }) => game.physics.mapHeight),
  getMapJson: nullary(
    'The map as a JSON string.',
    'string',
    (context) => {
      const json = mapJson(context.world.map);
      countJson(context, json.length);
      const { stringLength } = context.world.limits;
      if (json.length <= stringLength) return json;
      context.world.fault(
        'limit-string',
        `The JSON of the map has ${json.length} characters, which exceeds the limit of ${stringLength}.`,
      );
      return undefined;
    },
    reads('tiles'),
  ),
  /** The value is 0 for an empty cell, and undefined unless column, row and layer are whole numbers within the map. */
  getMapTileId: compiledValue(
    'The tile of a layer at column `x` and row `y`, counted from 0. A cell outside the map is a fault.',
    { x: number, y: number, layer: number },
    'number',
    ({ x, y, layer }) =>
      (context) => {
        const column = x(context);
        const row = y(context);
        const index = layer(context);
        if (!isWhole(column) || !isWhole(row) || !isWhole(index)) return undefined;
        const { map } = context.world;
        const tiles = map.layers[index];
        if (tiles?.type !== 'tilelayer') {
          context.world.fault('no-such-reference', `getMapTileId: the map has no tile layer ${index}.`);
          return undefined;
        }
        if (column < 0 || row < 0 || column >= map.width || row >= map.height) {
          context.world.fault('wrong-value', `getMapTileId: the cell ${column}, ${row} is outside the map.`);
          return undefined;
        }
        return tiles.tiles[row * map.width + column];
      },
    reads('tiles'),
  ),
});

function isWhole(given: unknown): given is number {
  return typeof given === 'number' && Number.isInteger(given);
}
