import { enlarged } from '../../core/enlarged.ts';
import type { LeafList } from './leaf-list.ts';
import { type BoxTree, boxStride, none } from './tree.ts';

/**
 * The side of a cell, in metres. A box that is not larger than a cell is kept in the cell of its centre, so the boxes
 * that it overlaps are at most one cell away.
 */
const cellSize = 2;
const perMetre = 1 / cellSize;
const half = cellSize / 2;
/** Minimum number of buckets per leaf, so that few lists contain leaves of several cells. */
const bucketsPerLeaf = 4;
const bucketsMax = 1 << 14;
/** Maximum number of cells that a search visits. For larger areas, all boxes are compared instead. */
const cellsMax = 4096;
/**
 * The largest coordinate of boxes in the grid, in metres. Boxes beyond it belong to the tree, because their cell
 * numbers would not fit into 32 bits.
 */
const edge = 1 << 30;

/** Small boxes by cell, in lists of a hash table. The boxes themselves are in the arrays of the tree. */
export class Grid {
  /** The first leaf of each bucket; the number of buckets is a power of 2. */
  private heads = new Int32Array(1).fill(none);
  /**
   * By leaf: the next and the previous leaf in its bucket, and the bucket, which is `none` for leaves that are not in
   * the grid.
   */
  private next = new Int32Array(0);
  private previous = new Int32Array(0);
  private buckets = new Int32Array(0);
  private cellX = new Int32Array(0);
  private cellY = new Int32Array(0);

  constructor(private readonly tree: BoxTree) {}

  has(leaf: number): boolean {
    return leaf < this.buckets.length && this.buckets[leaf] !== none;
  }

  /** Whether the box of a leaf is small enough for the grid. */
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
    this.cellX[leaf] = x;
    this.cellY[leaf] = y;
    this.link(leaf);
  }

  private link(leaf: number) {
    const bucket = bucketOf(this.cellX[leaf]!, this.cellY[leaf]!, this.heads.length);
    const head = this.heads[bucket]!;
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

  /** Moves a leaf whose box has changed to its cell. The box must still fit. */
  relocate(leaf: number): void {
    const { boxes } = this.tree;
    const i = leaf * boxStride;
    const x = Math.floor((boxes[i]! + boxes[i + 2]!) * 0.5 * perMetre);
    const y = Math.floor((boxes[i + 1]! + boxes[i + 3]!) * 0.5 * perMetre);
    if (x === this.cellX[leaf] && y === this.cellY[leaf]) return;
    this.remove(leaf);
    this.insert(leaf);
  }

  /** Adds to `found` the leaves whose boxes overlap an area, without the leaf `except`. */
  find(area: Float64Array, except: number, found: LeafList): void {
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
        if (buckets[leaf] === none || leaf === except) continue;
        const i = leaf * boxStride;
        if (left > boxes[i + 2]! || top > boxes[i + 3]! || boxes[i]! > right || boxes[i + 1]! > bottom) continue;
        found.add(leaf);
      }
      return;
    }
    for (let y = y0; y <= y1; y++) {
      for (let x = x0; x <= x1; x++) {
        for (let leaf = heads[bucketOf(x, y, heads.length)]!; leaf !== none; leaf = next[leaf]!) {
          const i = leaf * boxStride;
          if (left > boxes[i + 2]! || top > boxes[i + 3]! || boxes[i]! > right || boxes[i + 1]! > bottom) continue;
          if (leaf !== except && cellX[leaf] === x && cellY[leaf] === y) found.add(leaf);
        }
      }
    }
  }

  private grow() {
    const length = this.tree.boxes.length / boxStride;
    const { buckets } = this;
    this.buckets = enlarged(buckets, length).fill(none, buckets.length);
    for (const name of ['next', 'previous', 'cellX', 'cellY'] as const) this[name] = enlarged(this[name], length);
    if (this.heads.length === bucketsMax) return;
    this.heads = new Int32Array(Math.min(length * bucketsPerLeaf, bucketsMax)).fill(none);
    for (let leaf = 0; leaf < length; leaf++) if (this.buckets[leaf] !== none) this.link(leaf);
  }
}

function bucketOf(x: number, y: number, count: number): number {
  return (Math.imul(x, 73_856_093) ^ Math.imul(y, 19_349_663)) & (count - 1);
}
