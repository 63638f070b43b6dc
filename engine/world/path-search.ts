import { hypot } from '../core/dmath.ts';

/** Where walls are: cells row by row, 1 where nothing can pass. Sizes in px. */
export interface Terrain {
  readonly columns: number;
  readonly rows: number;
  readonly blocked: Uint8Array;
  readonly cellWidth: number;
  readonly cellHeight: number;
}

/** Centre, size and goal of the body that looks for a path, px. */
export interface Journey {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly toX: number;
  readonly toY: number;
}

/** Costs of a step towards the goal and of any other step (reference: units#path-finding). */
const stepNearer = 1;
const stepAside = 10;

/** Right, left, up, down: the order in which equally good ways are tried. */
const stepColumns = [1, -1, 0, 0];
const stepRows = [0, 0, -1, 1];

/** Looks for ways over a terrain. Its memory is reused by every search, and what is in it means nothing to the next one. */
export class PathSearch {
  /** `seen` and `closed` hold the number of the search that last set them. */
  private search = 0;
  private seen = new Uint32Array(0);
  private closed = new Uint32Array(0);
  private cost = new Int32Array(0);
  private parent = new Int32Array(0);
  /** When a cell was first reached in this search: of equal costs the oldest wins. */
  private order = new Int32Array(0);
  private heap = new Int32Array(0);
  private heapAt = new Int32Array(0);
  private heapSize = 0;

  /**
   * Finds a way and writes its cells to `path`, goal first, as column, row, column, row …; the cell one stands in is left out. Where nothing
   * lies between start and goal, the goal's cell is the whole way. False when there is no way: `path` then holds the goal's cell, for want of
   * anything better to head for. Coordinates outside the map count as the nearest cell in it.
   */
  find(terrain: Terrain, journey: Journey, path: number[]): boolean {
    const { columns, rows, blocked } = terrain;
    path.length = 0;
    if (columns === 0 || rows === 0) return false;
    const startColumn = cellOf(journey.x, terrain.cellWidth, columns);
    const startRow = cellOf(journey.y, terrain.cellHeight, rows);
    const goalColumn = cellOf(journey.toX, terrain.cellWidth, columns);
    const goalRow = cellOf(journey.toY, terrain.cellHeight, rows);
    const start = startRow * columns + startColumn;
    const goal = goalRow * columns + goalColumn;
    if (blocked[goal] === 1) {
      path.push(goalColumn, goalRow);
      return false;
    }
    this.begin(terrain);
    const isFound = start === goal || isInSight(terrain, journey) || this.reach(terrain, journey, start, goal);
    if (!isFound || start === goal || this.closed[goal] !== this.search) {
      path.push(goalColumn, goalRow);
      return isFound;
    }
    for (let cell = goal; cell !== start; cell = this.parent[cell]!)
      path.push(cell % columns, Math.floor(cell / columns));
    return true;
  }

  /**
   * Cheapest way over the cells. The costs make the search greedy: it heads for the goal and turns aside only where it must. The path is not the
   * shortest, and units of these games move that way.
   */
  private reach(terrain: Terrain, journey: Journey, start: number, goal: number): boolean {
    const { columns, rows, blocked } = terrain;
    const goalColumn = goal % columns;
    const goalRow = Math.floor(goal / columns);
    const aside = Math.floor((journey.width + terrain.cellWidth) / 2 / terrain.cellWidth);
    const ahead = Math.floor((journey.height + terrain.cellHeight) / 2 / terrain.cellHeight);
    let reached = 0;
    this.seen[start] = this.search;
    this.cost[start] = 0;
    this.order[start] = reached++;
    this.parent[start] = start;
    this.add(start);
    while (this.heapSize > 0) {
      const cell = this.takeCheapest();
      this.closed[cell] = this.search;
      if (cell === goal) return true;
      const column = cell % columns;
      const row = Math.floor(cell / columns);
      const distance = squareOf(goalColumn - column) + squareOf(goalRow - row);
      for (let i = 0; i < 4; i++) {
        const nextColumn = column + stepColumns[i]!;
        const nextRow = row + stepRows[i]!;
        if (nextColumn < 0 || nextColumn >= columns || nextRow < 0 || nextRow >= rows) continue;
        const next = nextRow * columns + nextColumn;
        if (blocked[next] === 1 || this.closed[next] === this.search) continue;
        if (next !== goal && touchesCorner(terrain, nextColumn, nextRow, aside, ahead)) continue;
        const isNearer = squareOf(goalColumn - nextColumn) + squareOf(goalRow - nextRow) < distance;
        const total = this.cost[cell]! + (isNearer ? stepNearer : stepAside);
        if (this.seen[next] !== this.search) {
          this.seen[next] = this.search;
          this.cost[next] = total;
          this.order[next] = reached++;
          this.parent[next] = cell;
          this.add(next);
        } else if (total < this.cost[next]!) {
          this.cost[next] = total;
          this.parent[next] = cell;
          this.rise(this.heapAt[next]!);
        }
      }
    }
    return false;
  }

  private begin({ columns, rows }: Terrain): void {
    const cells = columns * rows;
    if (this.seen.length < cells || this.search === 0xffffffff) {
      this.search = 0;
      this.seen = new Uint32Array(cells);
      this.closed = new Uint32Array(cells);
      this.cost = new Int32Array(cells);
      this.parent = new Int32Array(cells);
      this.order = new Int32Array(cells);
      this.heap = new Int32Array(cells);
      this.heapAt = new Int32Array(cells);
    }
    this.search++;
    this.heapSize = 0;
  }

  // A binary heap of cells, cheapest first, of equal ones the first reached.

  private isBefore(a: number, b: number): boolean {
    return this.cost[a]! < this.cost[b]! || (this.cost[a] === this.cost[b] && this.order[a]! < this.order[b]!);
  }

  private put(cell: number, at: number): void {
    this.heap[at] = cell;
    this.heapAt[cell] = at;
  }

  private add(cell: number): void {
    this.put(cell, this.heapSize++);
    this.rise(this.heapSize - 1);
  }

  private rise(from: number): void {
    const cell = this.heap[from]!;
    let at = from;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.isBefore(cell, this.heap[above]!)) break;
      this.put(this.heap[above]!, at);
      at = above;
    }
    this.put(cell, at);
  }

  private takeCheapest(): number {
    const first = this.heap[0]!;
    const last = this.heap[--this.heapSize]!;
    if (this.heapSize > 0) {
      let at = 0;
      for (;;) {
        let below = at * 2 + 1;
        if (below >= this.heapSize) break;
        if (below + 1 < this.heapSize && this.isBefore(this.heap[below + 1]!, this.heap[below]!)) below++;
        if (!this.isBefore(this.heap[below]!, last)) break;
        this.put(this.heap[below]!, at);
        at = below;
      }
      this.put(last, at);
    }
    return first;
  }
}

/** The cell a coordinate lies in; the nearest of the map for one outside. */
function cellOf(coordinate: number, size: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor(coordinate / size)));
}

/** Five rays from a body to its goal and around it, none of which meets a wall (reference: units#path-finding). */
function isInSight(terrain: Terrain, { width, height, ...journey }: Journey): boolean {
  const x = inside(journey.x, terrain.cellWidth * terrain.columns);
  const y = inside(journey.y, terrain.cellHeight * terrain.rows);
  const toX = inside(journey.toX, terrain.cellWidth * terrain.columns);
  const toY = inside(journey.toY, terrain.cellHeight * terrain.rows);
  if (crossesWall(terrain, x, y, toX, toY)) return false;
  const near = hypot(width, height) / 2;
  const farX = (terrain.cellWidth / 2) * Math.SQRT2;
  const farY = (terrain.cellHeight / 2) * Math.SQRT2;
  for (let i = 0; i < 4; i++) {
    const signX = (i & 1) === 0 ? 1 : -1;
    const signY = (i & 2) === 0 ? 1 : -1;
    if (crossesWall(terrain, x + signX * near, y + signY * near, toX + signX * farX, toY + signY * farY)) return false;
  }
  return true;
}

/** Whether nothing blocks the line between two points (px), as far as it lies in the map. */
export function isLineClear(terrain: Terrain, fromX: number, fromY: number, toX: number, toY: number): boolean {
  const mapWidth = terrain.cellWidth * terrain.columns;
  const mapHeight = terrain.cellHeight * terrain.rows;
  return !crossesWall(
    terrain,
    inside(fromX, mapWidth),
    inside(fromY, mapHeight),
    inside(toX, mapWidth),
    inside(toY, mapHeight),
  );
}

/** The walk along a line is as long as the line, so lines to far outside the map are cut. */
function inside(coordinate: number, size: number): number {
  return Math.max(0, Math.min(size, coordinate));
}

/** Whether the line between two points (px) passes through a blocked cell, its ends included. Outside the map nothing is blocked. */
function crossesWall(terrain: Terrain, fromX: number, fromY: number, toX: number, toY: number): boolean {
  const { columns, rows, blocked, cellWidth, cellHeight } = terrain;
  let column = Math.floor(fromX / cellWidth);
  let row = Math.floor(fromY / cellHeight);
  const lastColumn = Math.floor(toX / cellWidth);
  const lastRow = Math.floor(toY / cellHeight);
  const dx = toX - fromX;
  const dy = toY - fromY;
  const stepX = dx > 0 ? 1 : -1;
  const stepY = dy > 0 ? 1 : -1;
  // Parts of the line at which it enters the next column and row.
  let nextX = dx === 0 ? Number.POSITIVE_INFINITY : ((dx > 0 ? column + 1 : column) * cellWidth - fromX) / dx;
  let nextY = dy === 0 ? Number.POSITIVE_INFINITY : ((dy > 0 ? row + 1 : row) * cellHeight - fromY) / dy;
  const perColumn = Math.abs(cellWidth / dx);
  const perRow = Math.abs(cellHeight / dy);
  // The number of borders to cross is known, so that no rounding can carry the walk past its end.
  let borders = Math.abs(lastColumn - column) + Math.abs(lastRow - row);
  for (;;) {
    const isInside = column >= 0 && column < columns && row >= 0 && row < rows;
    if (isInside && blocked[row * columns + column] === 1) return true;
    if (borders-- === 0) return false;
    if (row === lastRow || (column !== lastColumn && nextX < nextY)) {
      column += stepX;
      nextX += perColumn;
    } else {
      row += stepY;
      nextY += perRow;
    }
  }
}

function squareOf(value: number): number {
  return value * value;
}

/**
 * Whether a body that covers so many cells to each side would catch on the corner of a wall here. Such a corner is a blocked cell, diagonally within
 * reach, whose two sides towards this cell are open. Along a straight wall a body slides, so that one does not count.
 */
function touchesCorner(terrain: Terrain, column: number, row: number, aside: number, ahead: number): boolean {
  if (aside === 0 && ahead === 0) return false;
  const reachSquare = aside * aside + ahead * ahead;
  const reach = Math.max(aside, ahead);
  for (let dy = -reach; dy <= reach; dy++) {
    if (dy === 0) continue;
    for (let dx = -reach; dx <= reach; dx++) {
      if (dx === 0 || dx * dx + dy * dy > reachSquare) continue;
      if (!isBlocked(terrain, column + dx, row + dy)) continue;
      const isCorner =
        !isBlocked(terrain, column + dx - Math.sign(dx), row + dy) &&
        !isBlocked(terrain, column + dx, row + dy - Math.sign(dy));
      if (isCorner) return true;
    }
  }
  return false;
}

function isBlocked({ columns, rows, blocked }: Terrain, column: number, row: number): boolean {
  return column >= 0 && column < columns && row >= 0 && row < rows && blocked[row * columns + column] === 1;
}
