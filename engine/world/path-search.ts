/** A grid of walls: `blocked` holds the cells row by row, 1 for a wall. Sizes in px. */
export interface Terrain {
  readonly columns: number;
  readonly rows: number;
  readonly blocked: Uint8Array;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /**
   * Whether the cell to the right of a row's last cell is the first cell of the next row, as in the reference. If
   * false, nothing outside the map is blocked.
   */
  readonly wraps: boolean;
}

/** Centre, size and goal of the body that needs a path, px. */
export interface PathQuery {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly toX: number;
  readonly toY: number;
}

/**
 * The cost of a step that reduces the distance to the goal, and the cost of any other step (reference:
 * units#path-finding).
 */
const stepNearer = 1;
const stepAside = 10;

/** Right, left, up, down: the order in which neighbours are explored, which decides between paths of equal cost. */
const stepColumns = [1, -1, 0, 0];
const stepRows = [0, 0, -1, 1];

/**
 * Finds paths over a terrain. Its buffers are reused by every search; their contents carry no state from one search to
 * the next.
 */
export class PathSearch {
  /**
   * The number of the current search. The elements of `seen` and `closed` are the numbers of the searches that last set
   * them, so the two arrays need not be cleared.
   */
  private search = 0;
  private seen = new Uint32Array(0);
  private closed = new Uint32Array(0);
  private cost = new Int32Array(0);
  private parent = new Int32Array(0);
  /** The order in which this search first reached the cells: it breaks ties of cost, earliest first. */
  private order = new Int32Array(0);
  private heap = new Int32Array(0);
  private heapAt = new Int32Array(0);
  private heapSize = 0;

  /**
   * Finds a path and writes its cells to `path`, goal first, as column, row, column, row, and so on. The start cell is
   * left out, so the path to the start cell itself is empty. Returns false if there is no path; `path` then holds only
   * the goal's cell, for which the unit heads. Coordinates outside the map are clamped to the nearest cell.
   */
  find(terrain: Terrain, journey: PathQuery, path: number[]): boolean {
    const { columns, rows, blocked } = terrain;
    path.length = 0;
    if (columns === 0 || rows === 0) return false;
    const goal = cellAt(terrain, journey.toX, journey.toY);
    const start = cellAt(terrain, journey.x, journey.y);
    this.begin(terrain);
    if (blocked[goal] === 1 || !this.reach(terrain, journey, start, goal)) {
      pushCell(terrain, goal, path);
      return false;
    }
    for (let cell = goal; cell !== start; cell = this.parent[cell]!) pushCell(terrain, cell, path);
    return true;
  }

  /**
   * Searches for the cheapest path. The costs make the search greedy: it heads for the goal and turns aside only if it
   * must. The resulting path is not always the shortest, but it is the path that units take in the reference.
   */
  private reach(terrain: Terrain, journey: PathQuery, start: number, goal: number) {
    const { columns, rows, blocked } = terrain;
    const goalColumn = goal % columns;
    const goalRow = Math.floor(goal / columns);
    const aside = Math.floor((journey.width + terrain.cellWidth) / 2 / terrain.cellWidth);
    const ahead = Math.floor((journey.height + terrain.cellHeight) / 2 / terrain.cellHeight);
    const clearance = Math.sqrt(aside * aside + ahead * ahead);
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
        if (isTight(terrain, column, row, nextColumn, nextRow, clearance)) continue;
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

  private begin({ columns, rows }: Terrain) {
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

  // The following methods implement a binary heap of cells, cheapest first; ties are broken by `order`.

  private isBefore(a: number, b: number) {
    return this.cost[a]! < this.cost[b]! || (this.cost[a] === this.cost[b] && this.order[a]! < this.order[b]!);
  }

  private put(cell: number, at: number) {
    this.heap[at] = cell;
    this.heapAt[cell] = at;
  }

  private add(cell: number) {
    this.put(cell, this.heapSize++);
    this.rise(this.heapSize - 1);
  }

  private rise(from: number) {
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

  private takeCheapest() {
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

/** Writes a path without searching: only the goal's cell, clamped to the map. */
export function straightPath(terrain: Terrain, x: number, y: number, path: number[]): void {
  path.length = 0;
  if (terrain.columns > 0 && terrain.rows > 0) pushCell(terrain, cellAt(terrain, x, y), path);
}

/** Whether any cell of a path has become blocked. */
export function isWayBlocked({ columns, blocked }: Terrain, path: readonly number[]): boolean {
  for (let i = 0; i < path.length; i += 2) if (blocked[path[i + 1]! * columns + path[i]!] === 1) return true;
  return false;
}

function cellAt(terrain: Terrain, x: number, y: number) {
  const column = cellOf(x, terrain.cellWidth, terrain.columns);
  return cellOf(y, terrain.cellHeight, terrain.rows) * terrain.columns + column;
}

function pushCell({ columns }: Terrain, cell: number, path: number[]) {
  path.push(cell % columns, Math.floor(cell / columns));
}

/** The column or row that contains a coordinate, clamped to the map. */
function cellOf(coordinate: number, size: number, count: number) {
  return Math.max(0, Math.min(count - 1, Math.floor(coordinate / size)));
}

function squareOf(value: number) {
  return value * value;
}

/**
 * Whether a body that needs `clearance` free cells around it would get stuck on walls during a step. A body gets stuck
 * if walls are near both cells of the step, except in a passage, where both cells have walls at their sides and corners
 * (reference: units#path-finding).
 */
function isTight(
  terrain: Terrain,
  column: number,
  row: number,
  nextColumn: number,
  nextRow: number,
  clearance: number,
) {
  for (let reach = 1; reach <= clearance; reach++) {
    const next = wallsAround(terrain, nextColumn, nextRow, reach);
    if (next === 0) continue;
    const here = wallsAround(terrain, column, row, reach);
    if (here !== 0 && !(here === atAllSides && next === atAllSides)) return true;
  }
  return false;
}

const atSides = 1;
const atCorners = 2;
const atAllSides = atSides | atCorners;

/**
 * In which directions cells at distance `reach` from a cell are blocked: straight (`atSides`), diagonal (`atCorners`),
 * both, or none (0).
 */
function wallsAround(terrain: Terrain, column: number, row: number, reach: number) {
  const straight =
    isBlocked(terrain, column + reach, row) ||
    isBlocked(terrain, column - reach, row) ||
    isBlocked(terrain, column, row + reach) ||
    isBlocked(terrain, column, row - reach);
  const diagonal =
    isBlocked(terrain, column + reach, row + reach) ||
    isBlocked(terrain, column - reach, row - reach) ||
    isBlocked(terrain, column - reach, row + reach) ||
    isBlocked(terrain, column + reach, row - reach);
  return (straight ? atSides : 0) | (diagonal ? atCorners : 0);
}

function isBlocked({ columns, rows, blocked, wraps }: Terrain, column: number, row: number) {
  if (!wraps && (column < 0 || column >= columns || row < 0 || row >= rows)) return false;
  return blocked[row * columns + column] === 1;
}
