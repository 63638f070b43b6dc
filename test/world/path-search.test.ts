import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isWayBlocked,
  type PathQuery,
  PathSearch,
  straightPath,
  type Terrain,
} from '../../engine/world/path-search.ts';
import { runs } from '../support/property.ts';

/** Shared by all tests, as by a game, because results must not depend on earlier searches. */
const search = new PathSearch();

/** Rows of cells of 64 px: `#` is a wall. Letters name cells that a test refers to. */
function terrainOf(...plan: string[]): Terrain {
  const columns = plan[0]!.length;
  const blocked = Uint8Array.from(plan.join('').replaceAll(/[^#]/g, '0').replaceAll('#', '1'), Number);
  return { columns, rows: plan.length, blocked, cellWidth: 64, cellHeight: 64, wraps: false };
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

/** From S to G, for a body of this many px. */
function walk(plan: readonly string[], size = 40): Walk {
  const start = centreOf(plan, 'S');
  const goal = centreOf(plan, 'G');
  return journeyOn(terrainOf(...plan), { ...start, width: size, height: size, toX: goal.x, toY: goal.y });
}

function journeyOn(terrain: Terrain, journey: PathQuery): Walk {
  const path: number[] = [];
  const isFound = search.find(terrain, journey, path);
  const steps: string[] = [];
  for (let i = path.length - 2; i >= 0; i -= 2) steps.push(`${path[i]},${path[i + 1]}`);
  return { isFound, steps };
}

describe('a path', () => {
  test('that needs no search is the cell of the goal', () => {
    const path: number[] = [];
    straightPath(terrainOf('.....', '.....'), 300, -5, path);
    expect(path).toEqual([4, 0]);
  });

  test('is empty if the start is in the cell of the goal', () => {
    const terrain = terrainOf('#.#', '...', '#.#');
    const here = { x: 80, y: 80, width: 40, height: 40 };
    expect(journeyOn(terrain, { ...here, toX: 100, toY: 110 })).toEqual({ isFound: true, steps: [] });
  });

  test('is blocked when a wall stands in one of its cells', () => {
    expect(isWayBlocked(terrainOf('..#', '...'), [2, 1, 1, 1])).toBe(false);
    expect(isWayBlocked(terrainOf('..#', '...'), [2, 0, 1, 1])).toBe(true);
  });

  test('leads around a wall, step by step', () => {
    expect(walk(['S#G', '.#.', '...'])).toEqual({
      isFound: true,
      steps: ['0,1', '0,2', '1,2', '2,2', '2,1', '2,0'],
    });
  });

  test('is only the goal if there is none', () => {
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
    expect(journeyOn(terrain, { ...here, toX: 1e15, toY: -1e15 })).toEqual({
      isFound: true,
      steps: ['1,0', '2,0', '3,0'],
    });
  });

  test('on a map without cells leads nowhere', () => {
    const terrain = { columns: 0, rows: 0, blocked: new Uint8Array(0), cellWidth: 64, cellHeight: 64, wraps: false };
    expect(journeyOn(terrain, { x: 1, y: 1, width: 4, height: 4, toX: 9, toY: 9 })).toEqual({
      isFound: false,
      steps: [],
    });
  });

  test('heads for the goal first, even if that is not the shortest', () => {
    // A step closer to the goal costs 1, any other 10, so going into the pocket and along its wall is cheaper than
    // going around it.
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

describe('the width of a body', () => {
  test('a body within one cell passes any gap', () => {
    expect(walk(['...S...', '###.###', '...G...'], 40).isFound).toBe(true);
  });

  test.each([
    { what: 'a corner that lies ahead is walked around', plan: ['S...', '..#.', '...G'], steps: 'far' },
    {
      what: 'a passage with walls at the sides and corners of each cell is walked',
      plan: ['###', 'S.G', '###'],
      steps: 'through',
    },
  ])('a wide body: $what', ({ plan, steps }) => {
    const way = walk(plan, 80);
    expect(way.isFound).toBe(steps === 'through');
  });

  test('beyond the edge of the map nothing is blocked in standard, and the next row begins in moddio', () => {
    const plan = ['..SG', '##..'];
    const terrain = terrainOf(...plan);
    const here = { ...centreOf(plan, 'S'), width: 80, height: 80, toX: 224, toY: 32 };
    const straight = journeyOn(terrain, here);
    const wrapped = journeyOn({ ...terrain, wraps: true }, here);
    expect([straight.isFound, wrapped.isFound]).toEqual([true, false]);
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

/** The cells that a flood fill reaches from a cell; the path search must agree with it. */
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

test('an existing path is found, consists of free neighbouring cells, and is deterministic', () => {
  fc.assert(
    fc.property(plans, ({ columns, rows, cells, start, goal }) => {
      const blocked = Uint8Array.from(cells, Number);
      blocked[start] = 0;
      const terrain = { columns, rows, blocked, cellWidth: 64, cellHeight: 64, wraps: false };
      const centre = (cell: number) => ({
        x: ((cell % columns) + 0.5) * 64,
        y: (Math.floor(cell / columns) + 0.5) * 64,
      });
      const to = centre(goal);
      const journey = { ...centre(start), width: 40, height: 40, toX: to.x, toY: to.y };
      const { isFound, steps } = journeyOn(terrain, journey);
      expect(journeyOn(terrain, journey)).toEqual({ isFound, steps });
      expect(isFound).toBe(blocked[goal] === 0 && flood(terrain, start).has(goal));
      expect(steps.at(-1)).toBe(
        start === goal && isFound ? undefined : `${goal % columns},${Math.floor(goal / columns)}`,
      );
      if (!isFound) return;
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
