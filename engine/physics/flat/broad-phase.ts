import { enlarged } from '../../core/enlarged.ts';
import { Grid } from './grid.ts';
import { LeafList } from './leaf-list.ts';
import type { RayPath } from './ray-path.ts';
import { BoxTree, boxStride, none } from './tree.ts';

/**
 * The order in which pairs of bodies are found: that of planck's tree, or the age of the bodies, with a grid for small
 * boxes.
 */
export type PairOrder = 'tree' | 'age';

type PairCallback<R> = (older: number, newer: number) => R;

/**
 * Finds boxes that overlap. Every body has one box, its leaf. With order `tree`, results come in planck's order. With
 * order `age`, small boxes are in a grid, which is faster, and results are sorted by id, so that it does not matter
 * which boxes are in the grid.
 */
export class BroadPhase {
  readonly tree = new BoxTree();
  /** The row of the body of each leaf. */
  rows = new Int32Array(0);
  /** A box and its movement in x and y, for `move`. An array, because six arguments would be boxed on the heap. */
  readonly target = new Float64Array(6);
  /**
   * The number of pairs that this step may still examine. Below 0, the remaining moved leaves wait for the next step.
   */
  pairsLeft = 0;
  private readonly grid: Grid | undefined;
  /** Leaves that are new or have moved since the last search for pairs; the last one is examined first. */
  private moved = new Int32Array(32);
  private movedCount = 0;
  // Reused by every search.
  private readonly found = new LeafList();
  private readonly area = new Float64Array(4);

  constructor(order: PairOrder) {
    this.grid = order === 'age' ? new Grid(this.tree) : undefined;
  }

  /** Adds the box of `target` for a body; returns its leaf. */
  create(row: number): number {
    const leaf = this.tree.allocate();
    this.tree.setBox(leaf, this.target);
    this.setRow(leaf, row);
    this.insert(leaf);
    this.touch(leaf);
    return leaf;
  }

  destroy(leaf: number): void {
    const { moved } = this;
    for (let i = 0; i < this.movedCount; i++) if (moved[i] === leaf) moved[i] = none;
    if (this.grid?.has(leaf)) this.grid.remove(leaf);
    else this.tree.remove(leaf);
    this.tree.release(leaf);
  }

  /** Moves a leaf to `target`, unless its box, which has a margin, still contains `target`. */
  move(leaf: number): void {
    const { tree, target, grid } = this;
    const { boxes } = tree;
    const i = leaf * boxStride;
    const isInside =
      boxes[i]! <= target[0]! &&
      boxes[i + 1]! <= target[1]! &&
      target[2]! <= boxes[i + 2]! &&
      target[3]! <= boxes[i + 3]!;
    if (isInside) return;
    const wasInGrid = grid?.has(leaf) === true;
    if (!wasInGrid) tree.remove(leaf);
    tree.setBox(leaf, target);
    if (!wasInGrid) this.insert(leaf);
    else if (grid!.fits(leaf)) grid!.relocate(leaf);
    else {
      grid!.remove(leaf);
      tree.insert(leaf);
    }
    this.touch(leaf);
  }

  /** Makes the next step search for the pairs of a leaf. */
  touch(leaf: number): void {
    if (this.movedCount === this.moved.length) this.moved = enlarged(this.moved, this.movedCount * 2);
    this.moved[this.movedCount++] = leaf;
  }

  /**
   * Searches for pairs of the leaves that have moved, as far as `pairsLeft` allows. Calls `found` with the rows of each
   * pair for which `isNew` is true.
   */
  updatePairs(isNew: PairCallback<boolean>, found: PairCallback<void>): void {
    const { tree, rows, area, found: list } = this;
    const { boxes, ids } = tree;
    while (this.movedCount > 0 && this.pairsLeft >= 0) {
      const leaf = this.moved[--this.movedCount]!;
      if (leaf === none) continue;
      const i = leaf * boxStride;
      area[0] = boxes[i]!;
      area[1] = boxes[i + 1]!;
      area[2] = boxes[i + 2]!;
      area[3] = boxes[i + 3]!;
      const id = ids[leaf]!;
      const row = rows[leaf]!;
      list.clear();
      tree.find(area, leaf, list);
      this.grid?.find(area, leaf, list);
      // Only the new pairs are sorted, because most pairs are already known.
      const { leaves, length } = list;
      this.pairsLeft -= length;
      list.clear();
      for (let j = 0; j < length; j++) {
        const other = rows[leaves[j]!]!;
        if (ids[leaves[j]!]! < id ? isNew(other, row) : isNew(row, other)) list.add(leaves[j]!);
      }
      if (this.grid !== undefined) list.sort(ids);
      for (let j = 0; j < list.length; j++) {
        const other = rows[leaves[j]!]!;
        if (ids[leaves[j]!]! < id) found(other, row);
        else found(row, other);
      }
    }
    if (this.movedCount > 0) this.dropRepeats();
  }

  /** Removes repeated leaves, because leaves that move again while they are queued would otherwise fill the memory. */
  private dropRepeats() {
    const waiting = new Set(this.moved.subarray(0, this.movedCount));
    waiting.delete(none);
    this.moved.set([...waiting]);
    this.movedCount = waiting.size;
  }

  /** The rows of all bodies whose boxes overlap an area. */
  findInArea(area: Float64Array): Int32Array {
    const { found } = this;
    found.clear();
    this.tree.find(area, none, found);
    this.grid?.find(area, none, found);
    return this.foundRows();
  }

  /** The rows of all bodies whose boxes a ray meets. */
  findAlong(ray: RayPath): Int32Array {
    const { found, tree } = this;
    found.clear();
    tree.find(ray.box, none, found);
    this.grid?.find(ray.box, none, found);
    const { leaves, length } = found;
    found.clear();
    for (let i = 0; i < length; i++) if (ray.meets(tree.boxes, leaves[i]! * boxStride)) found.add(leaves[i]!);
    return this.foundRows();
  }

  /** The rows of the bodies that were found, as a copy, because the caller may search again while it reads the rows. */
  private foundRows(): Int32Array {
    const { found, rows } = this;
    if (this.grid !== undefined) found.sort(this.tree.ids);
    return found.leaves.slice(0, found.length).map((leaf) => rows[leaf]!);
  }

  private insert(leaf: number) {
    if (this.grid?.fits(leaf)) this.grid.insert(leaf);
    else this.tree.insert(leaf);
  }

  // The following methods save and restore snapshots.

  /**
   * Creates a leaf with its saved id for a body. The caller then restores its box, and either restores the tree or
   * calls `restoreLoose`.
   */
  restore(row: number, id: number): number {
    const leaf = this.tree.allocate(id);
    this.setRow(leaf, row);
    return leaf;
  }

  /** Inserts a leaf, unless it is part of the restored tree. */
  restoreLoose(leaf: number): void {
    if (this.tree.isLoose(leaf)) this.insert(leaf);
  }

  /** Rows of bodies whose pairs the next step searches for, in the order of `touch`. */
  saveMoved(): number[] {
    return Array.from(this.moved.subarray(0, this.movedCount))
      .filter((leaf) => leaf !== none)
      .map((leaf) => this.rows[leaf]!);
  }

  private setRow(leaf: number, row: number) {
    if (leaf >= this.rows.length) this.rows = enlarged(this.rows, this.tree.ids.length);
    this.rows[leaf] = row;
  }
}
