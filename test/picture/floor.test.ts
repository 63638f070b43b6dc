import { expect, test } from 'vitest';
import { floorColors, floorOf, runsOf } from '../../src/picture/floor.ts';

const tileset = { firstgid: 1, tilecount: 540, columns: 27, image: 'tiles.png', name: '' };

function mapOf(floor: readonly number[], more: readonly number[] = floor.map(() => 0)) {
  const layers = [
    { name: 'floor', type: 'tilelayer', tiles: floor, data: floor },
    { name: 'walls', type: 'tilelayer', tiles: floor, data: floor },
    { name: 'trees', type: 'tilelayer', tiles: more, data: more },
  ];
  return { width: 4, height: 2, layers, source: { tilesets: [tileset], layers } as never };
}

test('tiles of the same material have one colour, and the most common one is plain floor', () => {
  // 1, 2 and 28 are in the same block of three by three tiles, 4 is in the next one, 85 in the row of blocks below.
  const [base, ...others] = floorOf(mapOf([1, 2, 28, 1, 4, 4, 85, 0]));
  expect(base).toEqual({ kinds: [0, 0, 0, 0, 1, 1, 2, 0], isBase: true });
  expect(others).toEqual([]);
  // A mirrored tile is the same tile.
  expect(floorOf(mapOf([1, 1, 4, 0x80000004]))[0]!.kinds).toEqual([0, 0, 1, 1]);
});

test('what lies on the floor always has a colour; neighbours of the floor are one shape, those on it are not', () => {
  const [base, upper] = floorOf(mapOf([4, 4, 4, 4, 4, 1, 1, 1], [0, 9, 9, 0, 0, 0, 0, 4]));
  const shapes = (layer: typeof base) =>
    [...runsOf(layer!, 4)].map(({ color, ...place }) => [floorColors.indexOf(color), place]);
  expect(shapes(base)).toEqual([[0, { column: 1, row: 1, length: 3 }]]);
  expect(shapes(upper)).toEqual([
    [2, { column: 1, row: 0, length: 1 }],
    [2, { column: 2, row: 0, length: 1 }],
    [0, { column: 3, row: 1, length: 1 }],
  ]);
});

test('of layers with more tiles than the map has, only those of the map are drawn', () => {
  const [base] = floorOf(mapOf([1, 1, 1, 1, 4, 4, 4, 1, 85, 85, 85, 85, 4, 4]));
  expect(base!.kinds).toEqual([0, 0, 0, 0, 1, 1, 1, 0]);
});
