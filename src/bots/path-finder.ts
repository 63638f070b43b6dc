import type { Surroundings } from './surroundings.ts';

/** The maximum number of cells that a search visits. */
const cellsMax = 6000;

/** Finds paths around walls on the grid. One per game; reads the walls as they currently are. */
export class PathFinder {
  // Reused by every search. For each cell: its predecessor plus 1, and the number of the search that wrote it.
  private from = new Int32Array(0);
  private stamp = new Int32Array(0);
  private search = 0;
  private readonly open: number[] = [];

  constructor(private readonly game: Pick<Surroundings, 'walls'>) {}

  /**
   * The centres of the cells on the path to the goal, in pixels, alternating x and y; the last one is the centre of the
   * goal's cell. Undefined if there is no path, or if start and goal are in the same cell.
   */
  findPath(x: number, y: number, toX: number, toY: number): number[] | undefined {
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

  /** Breadth-first search. Finds a shortest path in cells; always the same one, if there are several. */
  private reach(start: number, goal: number, walls: readonly number[], columns: number, rows: number) {
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

  private step(from: number, to: number, walls: readonly number[], search: number) {
    if (this.stamp[to] === search || (walls[to] ?? 0) !== 0) return;
    this.stamp[to] = search;
    this.from[to] = from + 1;
    this.open.push(to);
  }
}
