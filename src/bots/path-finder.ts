import type { Surroundings } from './surroundings.ts';

/** Farther than so many cells a bot does not think ahead. */
const cellsMax = 6000;

/** Finds ways around walls, cell by cell. One per game; what it reads of the walls is as they are now. */
export class PathFinder {
  private readonly game: Pick<Surroundings, 'walls'>;
  // Reused by every search: by cell, the cell it was reached from plus 1, and which search that was.
  private from = new Int32Array(0);
  private stamp = new Int32Array(0);
  private search = 0;
  private readonly open: number[] = [];

  constructor(game: Pick<Surroundings, 'walls'>) {
    this.game = game;
  }

  /** Centres of cells to walk over, x and y in turn, the goal's own last; undefined where there is no way, or none is needed. Positions are px. */
  around(x: number, y: number, toX: number, toY: number): number[] | undefined {
    const { walls: map } = this.game;
    if (map === undefined) return undefined;
    const { columns, rows, cellWidth, cellHeight, tiles: walls } = map;
    const cellAt = (px: number, py: number) => {
      const column = Math.floor(px / cellWidth);
      const row = Math.floor(py / cellHeight);
      return column >= 0 && column < columns && row >= 0 && row < rows ? row * columns + column : -1;
    };
    const start = cellAt(x, y);
    const goal = cellAt(toX, toY);
    if (start < 0 || goal < 0 || start === goal || walls[goal] !== 0) return undefined;
    if (!this.reach(start, goal, walls, columns, rows)) return undefined;
    const way: number[] = [];
    for (let cell = goal; cell !== start; cell = this.from[cell]! - 1) {
      way.push((Math.floor(cell / columns) + 0.5) * cellHeight, ((cell % columns) + 0.5) * cellWidth);
    }
    return way.reverse();
  }

  /** Breadth first: the shortest way in cells, and always the same one. */
  private reach(start: number, goal: number, walls: readonly number[], columns: number, rows: number): boolean {
    const { open } = this;
    if (this.from.length < columns * rows) {
      this.from = new Int32Array(columns * rows);
      this.stamp = new Int32Array(columns * rows);
    }
    const search = ++this.search;
    open.length = 0;
    open.push(start);
    this.stamp[start] = search;
    for (let at = 0; at < open.length && at < cellsMax; at++) {
      const cell = open[at]!;
      if (cell === goal) return true;
      const column = cell % columns;
      if (column + 1 < columns) this.step(cell, cell + 1, walls, search);
      if (column > 0) this.step(cell, cell - 1, walls, search);
      if (cell >= columns) this.step(cell, cell - columns, walls, search);
      if (cell + columns < columns * rows) this.step(cell, cell + columns, walls, search);
    }
    return false;
  }

  private step(from: number, to: number, walls: readonly number[], search: number): void {
    if (this.stamp[to] === search || (walls[to] ?? 0) !== 0) return;
    this.stamp[to] = search;
    this.from[to] = from + 1;
    this.open.push(to);
  }
}
