import { describe, expect, test } from 'vitest';
import { Simulation } from '../../engine/index.ts';
import { PathFinder } from '../../src/bots/path-finder.ts';
import { SimulationSurroundings } from '../../src/bots/surroundings.ts';
import { load } from '../support/play.ts';

/** One string per row; `#` is a wall. Cells are 64 px. */
function way(plan: readonly string[], from: [number, number], to: [number, number]): string[] | undefined {
  const width = plan[0]!.length;
  const data = plan.flatMap((row) => [...row].map((cell) => (cell === '#' ? 1 : 0)));
  const layers = [{ name: 'walls', type: 'tilelayer', width, height: plan.length, data }];
  const map = { width, height: plan.length, tilewidth: 64, tileheight: 64, layers, tilesets: [] };
  const sim = new Simulation(load({ map }), {});
  const centre = (cell: number) => cell * 64 + 32;
  const found = new PathFinder(new SimulationSurroundings(sim)).findPath(
    centre(from[0]),
    centre(from[1]),
    centre(to[0]),
    centre(to[1]),
  );
  if (found === undefined) return undefined;
  const cells: string[] = [];
  for (let i = 0; i < found.length; i += 2)
    cells.push(`${Math.floor(found[i]! / 64)},${Math.floor(found[i + 1]! / 64)}`);
  return cells;
}

describe('a bot knows the way', () => {
  test('around a wall, with the fewest cells', () => {
    expect(way(['....', '.##.', '....'], [0, 1], [3, 1])).toHaveLength(5);
  });

  test('through the only gap', () => {
    expect(way(['.#.', '.#.', '...'], [0, 0], [2, 0])).toEqual(['0,1', '0,2', '1,2', '2,2', '2,1', '2,0']);
  });

  test.each([
    ['out of a closed room', ['.#.', '##.', '...'], [0, 0], [2, 2]],
    ['into a wall', ['...', '.#.', '...'], [0, 0], [1, 1]],
    ['off the map', ['...', '...', '...'], [0, 0], [5, 5]],
    ['to where it is', ['...', '...', '...'], [1, 1], [1, 1]],
  ] as [string, string[], [number, number], [number, number]][])('has no path %s', (_, plan, from, to) => {
    expect(way(plan, from, to)).toBeUndefined();
  });
});
