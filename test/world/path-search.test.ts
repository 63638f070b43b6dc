import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLineClear, type Journey, PathSearch, type Terrain } from '../../engine/world/path-search.ts';
import { runs } from '../support/property.ts';

/** One for all tests, as one game has: what is left of a search must not matter. */
const search = new PathSearch();

/** Rows of cells of 64 px: `#` is a wall. Letters are places that a test speaks of. */
function terrainOf(...plan: string[]): Terrain {
  const columns = plan[0]!.length;
  const blocked = Uint8Array.from(plan.join('').replaceAll(/[^#]/g, '0').replaceAll('#', '1'), Number);
  return { columns, rows: plan.length, blocked, cellWidth: 64, cellHeight: 64 };
}

function centreOf(plan: readonly string[], letter: string): { x: number; y: number } {
  const row = plan.findIndex((cells) => cells.includes(letter));
  return { x: (plan[row]!.indexOf(letter) + 0.5) * 64, y: (row + 0.5) * 64 };
}

interface Walk {
  readonly isFound: boolean;
  /** `column,row`, from the first step to the goal. */
  readonly steps: string[];
}

/** From S to G, for a body of so many px. */
function walk(plan: readonly string[], size = 40): Walk {
  const start = centreOf(plan, 'S');
  const goal = centreOf(plan, 'G');
  return journeyOn(terrainOf(...plan), { ...start, width: size, height: size, toX: goal.x, toY: goal.y });
}

function journeyOn(terrain: Terrain, journey: Journey): Walk {
  const path: number[] = [];
  const isFound = search.find(terrain, journey, path);
  const steps: string[] = [];
  for (let i = path.length - 2; i >= 0; i -= 2) steps.push(`${path[i]},${path[i + 1]}`);
  return { isFound, steps };
}

describe('a way', () => {
  test('is the cell of the goal where nothing lies between', () => {
    expect(walk(['S....', '.....', '....G'])).toEqual({ isFound: true, steps: ['4,2'] });
  });

  test('is the cell of the goal for somebody who is in it', () => {
    const terrain = terrainOf('#.#', '...', '#.#');
    const here = { x: 80, y: 80, width: 40, height: 40 };
    expect(journeyOn(terrain, { ...here, toX: 100, toY: 110 })).toEqual({ isFound: true, steps: ['1,1'] });
  });

  test('leads around a wall, step by step', () => {
    expect(walk(['S#G', '.#.', '...'])).toEqual({
      isFound: true,
      steps: ['0,1', '0,2', '1,2', '2,2', '2,1', '2,0'],
    });
  });

  test('is only the goal where there is none', () => {
    expect(walk(['S#G', '.#.', '.#.'])).toEqual({ isFound: false, steps: ['2,0'] });
  });

  test('into a wall is only the goal', () => {
    const terrain = terrainOf('..#', '...');
    const here = { x: 32, y: 32, width: 40, height: 40 };
    expect(journeyOn(terrain, { ...here, toX: 160, toY: 32 })).toEqual({ isFound: false, steps: ['2,0'] });
  });

  test('to a place outside the map leads to the nearest cell in it', () => {
    const terrain = terrainOf('....', '....');
    const here = { x: 32, y: 32, width: 40, height: 40 };
    expect(journeyOn(terrain, { ...here, toX: 1e15, toY: -1e15 })).toEqual({ isFound: true, steps: ['3,0'] });
  });

  test('on a map without cells leads nowhere', () => {
    const terrain = { columns: 0, rows: 0, blocked: new Uint8Array(0), cellWidth: 64, cellHeight: 64 };
    expect(journeyOn(terrain, { x: 1, y: 1, width: 4, height: 4, toX: 9, toY: 9 })).toEqual({
      isFound: false,
      steps: [],
    });
  });

  test('heads for the goal as long as it can, even if that is not the shortest', () => {
    // A step nearer costs 1, any other 10: into the pocket and along its wall costs less than going round it from the start.
    const { isFound, steps } = walk(['.......', 'S...#.G', '....#..', '.......']);
    expect(isFound).toBe(true);
    expect(steps.slice(0, 3)).toEqual(['1,1', '2,1', '3,1']);
  });

  test('prefers the row above to the row below where both are as good', () => {
    const { steps } = walk(['.....', 'S.#.G', '.....']);
    expect(steps).toContain('2,0');
    expect(steps).not.toContain('2,2');
  });
});

describe('sight', () => {
  test.each([
    { case: 'straight past nothing', plan: ['S...G'], direct: true },
    { case: 'through a wall', plan: ['.....', 'S.#.G', '.....'], direct: false },
    { case: 'close by a wall beside the way', plan: ['S...G', '..#..'], direct: false },
    { case: 'with a wall beside the goal', plan: ['S...G', '....#'], direct: false },
    { case: 'with room all around', plan: ['.....', '.....', 'S...G', '.....', '.....'], direct: true },
  ])('$case: $direct', ({ plan, direct }) => {
    expect(walk(plan).steps.length === 1).toBe(direct);
  });

  test.each([
    { case: 'clear', from: [32, 32], to: [288, 32], clear: true },
    { case: 'crossing a corner', from: [32, 96], to: [160, 32], clear: true },
    { case: 'starting in a wall', from: [160, 96], to: [32, 32], clear: false },
    { case: 'ending in a wall', from: [32, 32], to: [160, 96], clear: false },
    { case: 'up and left through a wall', from: [288, 120], to: [32, 80], clear: false },
    { case: 'far outside the map and back', from: [-1e12, 1e12], to: [1e12, 1e12], clear: true },
    { case: 'a point', from: [32, 32], to: [32, 32], clear: true },
    { case: 'a point in a wall', from: [160, 96], to: [160, 96], clear: false },
  ])('of a line, $case: $clear', ({ from, to, clear }) => {
    const terrain = terrainOf('.....', '..#..');
    expect(isLineClear(terrain, from[0]!, from[1]!, to[0]!, to[1]!)).toBe(clear);
  });
});

describe('room', () => {
  const gap = ['...S...', '.......', '###.###', '.......', '...G...'];

  test('a body narrower than a cell passes a gap of one cell', () => {
    expect(walk(gap, 40).isFound).toBe(true);
  });

  test('a body wider than a cell does not, because it would catch on the corners', () => {
    expect(walk(gap, 80)).toEqual({ isFound: false, steps: ['3,4'] });
  });

  test('a wide body passes a gap of three cells through its middle', () => {
    const { isFound, steps } = walk(['....S..', '.......', '##...##', '.......', 'G......'], 80);
    expect(isFound).toBe(true);
    expect(steps).toContain('3,2');
  });

  test('a wide body walks between straight walls', () => {
    const terrain = terrainOf('#######', '.......', '#######');
    const here = { x: 32, y: 96, width: 80, height: 80 };
    expect(journeyOn(terrain, { ...here, toX: 416, toY: 96 }).isFound).toBe(true);
  });

  test('the goal itself may be beside a corner', () => {
    expect(walk(['.....', 'S...G', '...#.', '.....'], 80).isFound).toBe(true);
  });
});

const plans = fc.tuple(fc.integer({ min: 2, max: 9 }), fc.integer({ min: 2, max: 9 })).chain(([columns, rows]) =>
  fc.record({
    columns: fc.constant(columns),
    rows: fc.constant(rows),
    cells: fc.array(fc.boolean(), { minLength: columns * rows, maxLength: columns * rows }),
    start: fc.integer({ min: 0, max: columns * rows - 1 }),
    goal: fc.integer({ min: 0, max: columns * rows - 1 }),
  }),
);

/** Cells that can be reached from one, by flooding: what the search has to agree with. */
function flood(terrain: Terrain, start: number): Set<number> {
  const reached = new Set([start]);
  const waiting = [start];
  for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
    const column = cell % terrain.columns;
    for (const [step, fits] of [
      [1, column < terrain.columns - 1],
      [-1, column > 0],
      [terrain.columns, true],
      [-terrain.columns, true],
    ] as const) {
      const next = cell + step;
      if (!fits || next < 0 || next >= terrain.blocked.length || terrain.blocked[next] === 1 || reached.has(next))
        continue;
      reached.add(next);
      waiting.push(next);
    }
  }
  return reached;
}

test('a way is found where there is one, is made of free neighbouring cells, and is the same every time', () => {
  fc.assert(
    fc.property(plans, ({ columns, rows, cells, start, goal }) => {
      const blocked = Uint8Array.from(cells, Number);
      blocked[start] = 0;
      const terrain = { columns, rows, blocked, cellWidth: 64, cellHeight: 64 };
      const centre = (cell: number) => ({
        x: ((cell % columns) + 0.5) * 64,
        y: (Math.floor(cell / columns) + 0.5) * 64,
      });
      const to = centre(goal);
      const journey = { ...centre(start), width: 40, height: 40, toX: to.x, toY: to.y };
      const { isFound, steps } = journeyOn(terrain, journey);
      expect(journeyOn(terrain, journey)).toEqual({ isFound, steps });
      expect(isFound).toBe(blocked[goal] === 0 && flood(terrain, start).has(goal));
      expect(steps.at(-1)).toBe(`${goal % columns},${Math.floor(goal / columns)}`);
      if (!isFound || steps.length === 1) return;
      let column = start % columns;
      let row = Math.floor(start / columns);
      for (const step of steps) {
        const [nextColumn, nextRow] = step.split(',').map(Number) as [number, number];
        expect(Math.abs(nextColumn - column) + Math.abs(nextRow - row)).toBe(1);
        expect(blocked[nextRow * columns + nextColumn]).toBe(0);
        column = nextColumn;
        row = nextRow;
      }
    }),
    runs(),
  );
});
