import { describe, expect, test } from 'vitest';
import { mergeWalls, type Rectangle, wallCells } from '../../engine/physics/walls.ts';
import { Kind, rowOf } from '../../engine/world/entity.ts';
import { type Plan, tilesOf } from '../support/world.ts';
import { box, scene } from './scene.ts';

function merged(plan: Plan): string[] {
  const columns = plan[0]!.length;
  const { solid } = wallCells(columns, plan.length, tilesOf(plan));
  return mergeWalls(solid, columns, plan.length).map(
    ({ column, row, width, height }: Rectangle) => `${width}x${height} at ${column},${row}`,
  );
}

describe('walls are merged into rectangles', () => {
  test.each<{ shape: string; plan: Plan; rectangles: string[] }>([
    { shape: 'nothing', plan: ['..', '..'], rectangles: [] },
    { shape: 'single', plan: ['...', '.#.', '...'], rectangles: ['1x1 at 1,1'] },
    { shape: 'full', plan: ['###', '###'], rectangles: ['3x2 at 0,0'] },
    { shape: 'row', plan: ['.###'], rectangles: ['3x1 at 1,0'] },
    { shape: 'column', plan: ['#.', '#.', '#.'], rectangles: ['1x3 at 0,0'] },
    {
      shape: 'an L: the row below has a neighbour on the right',
      plan: ['#..', '#..', '###'],
      rectangles: ['1x2 at 0,0', '3x1 at 0,2'],
    },
    { shape: 'a mirrored L: … on the left', plan: ['..#', '..#', '###'], rectangles: ['1x2 at 2,0', '3x1 at 0,2'] },
    { shape: 'a U', plan: ['#.#', '#.#', '###'], rectangles: ['1x2 at 0,0', '1x2 at 2,0', '3x1 at 0,2'] },
    { shape: 'a T', plan: ['###', '.#.', '.#.'], rectangles: ['3x1 at 0,0', '1x2 at 1,1'] },
    {
      shape: 'a hole',
      plan: ['###', '#.#', '###'],
      rectangles: ['3x1 at 0,0', '1x1 at 0,1', '1x1 at 2,1', '3x1 at 0,2'],
    },
    { shape: 'a gap in a column', plan: ['#', '.', '#'], rectangles: ['1x1 at 0,0', '1x1 at 0,2'] },
    { shape: 'stairs', plan: ['##..', '.##.', '..##'], rectangles: ['2x1 at 0,0', '2x1 at 1,1', '2x1 at 2,2'] },
    { shape: 'a checkerboard', plan: ['#.#', '.#.'], rectangles: ['1x1 at 0,0', '1x1 at 2,0', '1x1 at 1,1'] },
    { shape: 'a block at the right edge', plan: ['..##', '..##'], rectangles: ['2x2 at 2,0'] },
    {
      shape: 'a row end is no neighbour of the next row',
      plan: ['..#', '#..'],
      rectangles: ['1x1 at 2,0', '1x1 at 0,1'],
    },
  ])('$shape', ({ plan, rectangles }) => {
    expect(merged(plan)).toEqual(rectangles);
  });

  test('every solid cell is covered once, whatever the map', () => {
    let seed = 7;
    const random = () => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed / 2147483648;
    };
    for (let round = 0; round < 200; round++) {
      const columns = 1 + Math.floor(random() * 12);
      const rows = 1 + Math.floor(random() * 12);
      const solid = Uint8Array.from({ length: columns * rows }, () => (random() < 0.6 ? 1 : 0));
      const covered = new Uint8Array(columns * rows);
      for (const { column, row, width, height } of mergeWalls(solid, columns, rows)) {
        for (let y = row; y < row + height; y++) {
          for (let x = column; x < column + width; x++) covered[y * columns + x]!++;
        }
      }
      expect(covered).toEqual(solid);
    }
  });
});

describe('wall cells', () => {
  test.each([
    { tile: 0, solid: 0, blocked: 0 },
    { tile: 1, solid: 1, blocked: 1 },
    { tile: 2147483712, solid: 0, blocked: 1 },
    { tile: 2147483713, solid: 1, blocked: 1 },
    { tile: -1, solid: 0, blocked: 1 },
  ])('tile $tile', ({ tile, solid, blocked }) => {
    const cells = wallCells(1, 1, [tile]);
    expect([cells.solid[0], cells.blocked[0]]).toEqual([solid, blocked]);
  });

  test('a layer with missing cells is empty there', () => {
    expect([...wallCells(2, 2, [1]).solid]).toEqual([1, 0, 0, 0]);
  });

  test('a map of excessive size has no walls', () => {
    const cells = wallCells(1e9, 1e9, [1]);
    expect(cells.solid).toHaveLength(0);
    expect(mergeWalls(cells.solid, 1e9, 1e9)).toEqual([]);
  });

  test.each([
    { x: 0, y: 0, wall: false },
    { x: 64, y: 64, wall: true },
    { x: 127.9, y: 127.9, wall: true },
    { x: 128, y: 64, wall: false },
    { x: -1, y: 64, wall: false },
    { x: 1000, y: 64, wall: false },
    { x: Number.NaN, y: 64, wall: false },
  ])('at $x, $y', ({ x, y, wall }) => {
    const { physics } = scene({ plan: ['...', '.#.', '...'] });
    expect(physics.isWall(x, y)).toBe(wall);
  });

  test.each([
    { dontResize: true, cell: 16 },
    { dontResize: false, cell: 64 },
  ])('cells of tiles of 16 px measure $cell with dontResize: $dontResize', ({ dontResize, cell }) => {
    const { physics } = scene({ plan: ['.#'], tileSize: 16, defaultData: { dontResize } });
    expect([physics.cellSize, physics.mapWidth, physics.mapHeight]).toEqual([cell, 2 * cell, cell]);
    expect([physics.isWall(cell - 1, 1), physics.isWall(cell, 1)]).toEqual([false, true]);
  });
});

describe('wall bodies', () => {
  test('are created in reverse order of discovery, one entity each', () => {
    const { world, physics, of } = scene({ plan: ['#.#', '#.#', '###'] });
    physics.buildWalls();
    const walls = world.lists[Kind.wall]!.entries;
    expect(walls.map((wall) => [of(wall, 'x'), of(wall, 'y'), of(wall, 'width'), of(wall, 'height')])).toEqual([
      [96, 160, 192, 64],
      [160, 64, 64, 128],
      [32, 64, 64, 128],
    ]);
    expect(walls.map((wall) => world.ref(wall)?.id)).toEqual(['w1', 'w2', 'w3']);
  });

  test('stop a unit', () => {
    const { physics, add, update, of, contacts } = scene({ plan: ['......', '....#.', '......'] });
    physics.buildWalls();
    const unit = add('unit', box(), { x: 96, y: 96 });
    update();
    physics.setVelocity(unit, 10, 0);
    update(40);
    expect(of(unit, 'x')).toBeGreaterThan(230);
    expect(of(unit, 'x')).toBeLessThan(237);
    expect(contacts()).toEqual(['w1 + u1']);
  });

  test('are rebuilt in the next update after a change of tiles', () => {
    const { world, physics, add, update, contacts } = scene({ plan: ['...', '.#.', '...'] });
    physics.buildWalls();
    add('unit', box(), { x: 96, y: 96 });
    update();
    expect(contacts()).toEqual(['w1 + u1']);
    physics.rebuildWalls(tilesOf(['#..', '...', '...']));
    expect([physics.isWall(96, 96), physics.isWall(10, 10)]).toEqual([false, true]);
    update();
    expect(contacts()).toHaveLength(1);
    expect(
      world.lists[Kind.wall]!.entries.filter((wall) => world.exists(wall)).map((wall) => world.ref(wall)?.id),
    ).toEqual(['w2']);
    update(5);
    expect(contacts()).toEqual([]);
  });

  test('exist even if the limit of entities is reached', () => {
    const { world, physics, add, update, contacts } = scene({ plan: ['#.#', '...', '#.#'], limits: { entities: 3 } });
    const unit = add('unit', box(), { x: 160, y: 160 });
    const other = add('unit', box(), { x: 160, y: 32 });
    physics.buildWalls();
    update();
    expect(world.faults.list().map((fault) => fault.code)).toEqual(['limit-entities']);
    expect(contacts().sort()).toEqual(['nobody + u2', 'w1 + u1'].sort());
    expect([rowOf(unit), rowOf(other)]).toEqual([1, 2]);
  });
});
