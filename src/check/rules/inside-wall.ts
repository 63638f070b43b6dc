import type { Operand } from '../../../engine/index.ts';
import { toPoint, wallCellsOf } from '../../../engine/tools.ts';
import { readOf } from '../../model/index.ts';
import { areStopped, placingsOf } from '../map-positions.ts';
import { readBy } from '../play.ts';
import type { Rule } from '../rule.ts';

/**
 * Finds start positions in a wall: a literal position, the position in a variable, or a random position in a region
 * that is filled with walls.
 */
export const insideWall: Rule = {
  about: 'Entities that walls stop are created inside a wall, or moved into one.',
  because:
    'The entities get stuck, or are pushed out on the wrong side. Choose a tile that is free in the layer `walls`.',
  wrong: `{
  "map": { "width": 2, "height": 1, "tilewidth": 64, "tileheight": 64, "tilesets": [{ "firstgid": 1, "tilecount": 4 }], "layers": [{ "name": "walls", "type": "tilelayer", "width": 2, "height": 1, "data": [0, 1] }] },
  "unitTypes": { "wolf": { "states": { "default": { "body": "b" } }, "bodies": { "b": { "type": "dynamic", "width": 9, "height": 9, "fixtures": [{ "density": 1, "shape": { "type": "circle" } }], "collidesWith": { "walls": true } } } } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "computerPlayer", "number": 1 }, "unitType": "wolf", "position": { "x": 96, "y": 32 }, "angle": 0 }] } }
}`,
  right: `{
  "map": { "width": 2, "height": 1, "tilewidth": 64, "tileheight": 64, "tilesets": [{ "firstgid": 1, "tilecount": 4 }], "layers": [{ "name": "walls", "type": "tilelayer", "width": 2, "height": 1, "data": [0, 1] }] },
  "unitTypes": { "wolf": { "states": { "default": { "body": "b" } }, "bodies": { "b": { "type": "dynamic", "width": 9, "height": 9, "fixtures": [{ "density": 1, "shape": { "type": "circle" } }], "collidesWith": { "walls": true } } } } },
  "scripts": { "s": { "triggers": [{ "type": "gameStart" }], "actions": [{ "type": "createUnitAtPosition", "entity": { "function": "computerPlayer", "number": 1 }, "unitType": "wolf", "position": { "x": 32, "y": 32 }, "angle": 0 }] } }
}`,
  check({ definition, once, play, report }) {
    const { map, cellSize, variables } = definition;
    const { setVariables } = play;
    const placings = once(placingsOf);
    if (placings.length === 0) return;
    const { solid, columns, rows } = wallCellsOf(map);
    const isSolid = (x: number, y: number) => {
      const [column, row] = [Math.floor(x / cellSize.width), Math.floor(y / cellSize.height)];
      return column >= 0 && row >= 0 && column < columns && row < rows && solid[row * columns + column] === 1;
    };
    for (const { at: position, kind, isNew, types } of placings) {
      if (!types.every(areStopped)) continue;
      const region = regionOf(position);
      const read = readBy(region ?? position);
      const place: unknown =
        read === undefined ? position.json : variables.get(read.of === 'game' ? read.key : '')?.default;
      // A variable that scripts set can have other values, too.
      const point = read !== undefined && setVariables.has(read.key) ? undefined : toPoint(place);
      if (point === undefined) continue;
      const { width = 0, height = 0 } = (region === undefined ? {} : place) as { width?: number; height?: number };
      const [xs, ys] = [steps(point.x, width, cellSize.width), steps(point.y, height, cellSize.height)];
      if (!xs.every((x) => ys.every((y) => isSolid(x, y)))) continue;
      report(
        position,
        `The ${kind} is ${isNew ? 'created inside' : 'moved into'} a wall: the tile at ${point.x}, ${point.y} is solid.`,
        'a tile without a wall',
        `${point.x}, ${point.y}`,
      );
    }
  },
};

/** Coordinates along one side of a region, at least one for each tile that the side touches. */
function steps(from: number, length: number, step: number): readonly number[] {
  const all = [from + length];
  for (let at = from; at <= from + length; at += step) all.push(at);
  return all;
}

/** The region from which a function draws its position without regard to walls; undefined for any other position. */
function regionOf(position: Operand): Operand | undefined {
  const of = readOf(position, 'tiles') === undefined ? readOf(position, 'position')?.of : undefined;
  if (position.kind !== 'call' || of === undefined || position.rule?.params[of]?.name !== 'region') return undefined;
  return position.rule.returns === 'position' ? position.operand(of) : undefined;
}
