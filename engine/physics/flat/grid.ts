import { boxStride, type FlatTree } from './tree.ts';

/** m. A box that is no larger than a cell is in the cell of its middle. The boxes that it meets are at most a cell away. */
const cellSize = 2;
const perMetre = 1 / cellSize;
const half = cellSize / 2;
/** A little more, for what is rounded on the way of a ray. */
const reach = half + 1e-3;
const bucketCount = 1 << 14;
const bucketMask = bucketCount - 1;
/** An area of more cells than this, or a way along more, is compared with all boxes instead. */
const cellsMax = 4096;
/** m. Boxes farther out belong to the tree. Numbers of their cells have more than 32 bits, and beyond 2^53 no successor. */
const edge = 1 << 30;
/** Up to here, sorting by insertion is the fastest. */
const insertedMax = 48;
const none = -1;

/** Small boxes of a tree's leaves by cell, in lists of a hash table. The boxes are where those of the tree are. */
export class Grid {
  private readonly tree: FlatTree;
  private readonly heads = new Int32Array(bucketCount).fill(none);
  /** By leaf; the bucket is `none` for what is not in the grid. */
  private next = new Int32Array(0);
  private previous = new Int32Array(0);
  private buckets = new Int32Array(0);
  private cellX = new Int32Array(0);
  private cellY = new Int32Array(0);
  /** Left, top, right and bottom of the box that `find` compares with. An array, because four numbers handed over would be four boxes on the heap. */
  readonly area = new Float64Array(4);
  /** The results of `find`; its first `foundCount` entries. */
  found = new Int32Array(256);
  foundCount = 0;

  constructor(tree: FlatTree) {
    this.tree = tree;
  }

  has(leaf: number): boolean {
    return leaf < this.buckets.length && this.buckets[leaf] !== none;
  }

  /** Whether the box of a leaf is for the grid. */
  fits(leaf: number): boolean {
    const { boxes } = this.tree;
    const i = leaf * boxStride;
    const left = boxes[i]!;
    const top = boxes[i + 1]!;
    const right = boxes[i + 2]!;
    const bottom = boxes[i + 3]!;
    if (left < -edge || top < -edge || right > edge || bottom > edge) return false;
    return right - left <= cellSize && bottom - top <= cellSize;
  }

  insert(leaf: number): void {
    if (leaf >= this.buckets.length) this.grow();
    const { boxes } = this.tree;
    const i = leaf * boxStride;
    const x = Math.floor((boxes[i]! + boxes[i + 2]!) * 0.5 * perMetre);
    const y = Math.floor((boxes[i + 1]! + boxes[i + 3]!) * 0.5 * perMetre);
    const bucket = bucketOf(x, y);
    const head = this.heads[bucket]!;
    this.cellX[leaf] = x;
    this.cellY[leaf] = y;
    this.buckets[leaf] = bucket;
    this.next[leaf] = head;
    this.previous[leaf] = none;
    if (head !== none) this.previous[head] = leaf;
    this.heads[bucket] = leaf;
  }

  remove(leaf: number): void {
    const after = this.next[leaf]!;
    const before = this.previous[leaf]!;
    if (before === none) this.heads[this.buckets[leaf]!] = after;
    else this.next[before] = after;
    if (after !== none) this.previous[after] = before;
    this.buckets[leaf] = none;
  }

  /** After the box of a leaf in the grid, which is small still, has changed. */
  relocate(leaf: number): void {
    const { boxes } = this.tree;
    const i = leaf * boxStride;
    const x = Math.floor((boxes[i]! + boxes[i + 2]!) * 0.5 * perMetre);
    const y = Math.floor((boxes[i + 1]! + boxes[i + 3]!) * 0.5 * perMetre);
    if (x === this.cellX[leaf] && y === this.cellY[leaf]) return;
    this.remove(leaf);
    this.insert(leaf);
  }

  clearFound(): void {
    this.foundCount = 0;
  }

  add(leaf: number): void {
    if (this.foundCount === this.found.length) {
      const grown = new Int32Array(this.foundCount * 2);
      grown.set(this.found);
      this.found = grown;
    }
    this.found[this.foundCount++] = leaf;
  }

  /** Adds the leaves in the grid whose boxes meet the area, save one. */
  find(but: number): void {
    const { area } = this;
    const left = area[0]!;
    const top = area[1]!;
    const right = area[2]!;
    const bottom = area[3]!;
    const { boxes } = this.tree;
    const { heads, next, cellX, cellY, buckets } = this;
    const x0 = Math.floor((Math.max(left, -edge) - half) * perMetre);
    const x1 = Math.floor((Math.min(right, edge) + half) * perMetre);
    const y0 = Math.floor((Math.max(top, -edge) - half) * perMetre);
    const y1 = Math.floor((Math.min(bottom, edge) + half) * perMetre);
    if (x0 > x1 || y0 > y1) return;
    if ((x1 - x0 + 1) * (y1 - y0 + 1) > cellsMax) {
      for (let leaf = 0; leaf < buckets.length; leaf++) {
        if (buckets[leaf] === none || leaf === but) continue;
        const i = leaf * boxStride;
        if (left > boxes[i + 2]! || top > boxes[i + 3]! || boxes[i]! > right || boxes[i + 1]! > bottom) continue;
        this.add(leaf);
      }
      return;
    }
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        for (let leaf = heads[bucketOf(x, y)]!; leaf !== none; leaf = next[leaf]!) {
          const i = leaf * boxStride;
          if (left > boxes[i + 2]! || top > boxes[i + 3]! || boxes[i]! > right || boxes[i + 1]! > bottom) continue;
          if (leaf !== but && cellX[leaf] === x && cellY[leaf] === y) this.add(leaf);
        }
      }
    }
  }

  /** Adds the leaves in the grid whose boxes a way from one point to another may meet, and some that lie beside it. */
  findAlong(x1: number, y1: number, x2: number, y2: number): void {
    const isFlat = Math.abs(x2 - x1) >= Math.abs(y2 - y1);
    // Along the axis on which it is longer, cell by cell; across, from where it enters the cell's surroundings to where it leaves them.
    const isForward = isFlat ? x1 <= x2 : y1 <= y2;
    const from = isFlat ? Math.min(x1, x2) : Math.min(y1, y2);
    const to = isFlat ? Math.max(x1, x2) : Math.max(y1, y2);
    const length = to - from;
    const farthest = Math.max(Math.abs(x1), Math.abs(y1), Math.abs(x2), Math.abs(y2));
    if (length > cellsMax * cellSize || farthest > edge) {
      for (let leaf = 0; leaf < this.buckets.length; leaf++) if (this.has(leaf)) this.add(leaf);
      return;
    }
    const start = isForward ? (isFlat ? y1 : x1) : isFlat ? y2 : x2;
    const end = isForward ? (isFlat ? y2 : x2) : isFlat ? y1 : x1;
    const slope = length > 0 ? (end - start) / length : 0;
    const last = Math.floor((to + reach) * perMetre);
    for (let along = Math.floor((from - reach) * perMetre); along <= last; along++) {
      const enter = Math.max(along * cellSize - reach - from, 0);
      const leave = Math.min((along + 1) * cellSize + reach - from, length);
      const one = start + slope * enter;
      const two = start + slope * leave;
      const lastAcross = Math.floor((Math.max(one, two) + reach) * perMetre);
      for (let across = Math.floor((Math.min(one, two) - reach) * perMetre); across <= lastAcross; across++) {
        if (isFlat) this.addCell(along, across);
        else this.addCell(across, along);
      }
    }
  }

  private addCell(x: number, y: number): void {
    const { heads, next, cellX, cellY } = this;
    for (let leaf = heads[bucketOf(x, y)]!; leaf !== none; leaf = next[leaf]!) {
      if (cellX[leaf] === x && cellY[leaf] === y) this.add(leaf);
    }
  }

  /** Puts what was found into the order of ids: the structure that it was found in leaves no trace. */
  sortFound(): void {
    const { found, foundCount } = this;
    const { ids } = this.tree;
    if (foundCount > insertedMax) {
      found.subarray(0, foundCount).sort((a, b) => ids[a]! - ids[b]!);
      return;
    }
    for (let i = 1; i < foundCount; i++) {
      const leaf = found[i]!;
      const id = ids[leaf]!;
      let j = i;
      for (; j > 0 && ids[found[j - 1]!]! > id; j--) found[j] = found[j - 1]!;
      found[j] = leaf;
    }
  }

  private grow(): void {
    const length = this.tree.boxes.length / boxStride;
    const grown = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const made = new Int32Array(length).fill(none);
      made.set(old);
      return made;
    };
    this.next = grown(this.next);
    this.previous = grown(this.previous);
    this.buckets = grown(this.buckets);
    this.cellX = grown(this.cellX);
    this.cellY = grown(this.cellY);
  }
}

function bucketOf(x: number, y: number): number {
  return (Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663)) & bucketMask;
}
