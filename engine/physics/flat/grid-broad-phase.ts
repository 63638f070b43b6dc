import { AABB, type BroadPhase, Vec2 } from '../planck/planck.ts';
import { blank, FlatBroadPhase, type PairCallback, type PairTest } from './broad-phase.ts';
import { Grid } from './grid.ts';
import { boxStride } from './tree.ts';

type BoxLike = Parameters<BroadPhase['query']>[0];
type QueryCallback = Parameters<BroadPhase['query']>[1];
type RayInput = Parameters<BroadPhase['rayCast']>[0];
type RayCallback = Parameters<BroadPhase['rayCast']>[1];

/**
 * A broad phase that keeps small boxes in a grid and the others in the tree. It finds planck's pairs; those of one proxy come in the order of ids,
 * and so does what a query finds.
 */
export class GridBroadPhase extends FlatBroadPhase {
  private readonly grid = new Grid(this.tree);

  override query(area: BoxLike, callback: QueryCallback): void {
    const { grid } = this;
    this.setArea(area);
    this.find(blank);
    grid.sortFound();
    // A copy, because the callback may ask again.
    const found = grid.found.slice(0, grid.foundCount);
    for (const leaf of found) if (callback(this.tree.ids[leaf]!) === false) return;
  }

  override rayCast(input: RayInput, callback: RayCallback): void {
    const { p1, p2 } = input;
    const { tree, grid } = this;
    let { maxFraction } = input;
    const end = Vec2.combine(1 - maxFraction, p1, maxFraction, p2);
    const way = new AABB();
    way.combinePoints(p1, end);
    grid.clearFound();
    this.setArea(way);
    this.findInTree(blank);
    grid.findAlong(p1.x, p1.y, end.x, end.y);
    grid.sortFound();
    const direction = Vec2.sub(p2, p1);
    direction.normalize();
    const across = Vec2.crossNumVec2(1, direction);
    const size = Vec2.abs(across);
    const found = grid.found.slice(0, grid.foundCount);
    for (const leaf of found) {
      const box = this.boxOf(leaf, tree.boxes);
      if (!AABB.testOverlap(box, way)) continue;
      const apart = Math.abs(Vec2.dot(across, Vec2.sub(p1, box.getCenter()))) - Vec2.dot(size, box.getExtents());
      if (apart > 0) continue;
      const value = callback({ p1: Vec2.clone(p1), p2: Vec2.clone(p2), maxFraction }, tree.ids[leaf]!);
      if (value === 0) return;
      if (value <= 0) continue;
      maxFraction = value;
      way.combinePoints(p1, Vec2.combine(1 - maxFraction, p1, maxFraction, p2));
    }
  }

  override shiftOrigin(origin: { x: number; y: number }): void {
    const { boxes } = this.tree;
    super.shiftOrigin(origin);
    this.eachInGrid((leaf) => {
      const i = leaf * boxStride;
      boxes[i]! -= origin.x;
      boxes[i + 1]! -= origin.y;
      boxes[i + 2]! -= origin.x;
      boxes[i + 3]! -= origin.y;
      this.grid.relocate(leaf);
    });
  }

  override isLoose(leaf: number): boolean {
    return this.grid.has(leaf);
  }

  /** A tree that was saved from a world without a grid holds small boxes, too. */
  override adopted(): void {
    for (let leaf = 0; leaf < this.proxies.length; leaf++) {
      if (this.proxies[leaf] === undefined || this.tree.isLoose(leaf) || !this.grid.fits(leaf)) continue;
      this.tree.remove(leaf);
      this.grid.insert(leaf);
    }
  }

  override updatePairs(found: PairCallback, isNew: PairTest): void {
    const { tree, proxies, grid } = this;
    while (this.movedCount > 0) {
      const leaf = this.moved[--this.movedCount]!;
      if (leaf === blank) continue;
      const { boxes, ids } = tree;
      const i = leaf * boxStride;
      const { area } = grid;
      area[0] = boxes[i]!;
      area[1] = boxes[i + 1]!;
      area[2] = boxes[i + 2]!;
      area[3] = boxes[i + 3]!;
      this.find(leaf);
      const id = ids[leaf]!;
      const proxy = proxies[leaf]!;
      // Most pairs are known: there is no need to sort them.
      const { foundCount } = grid;
      grid.clearFound();
      for (let j = 0; j < foundCount; j++) {
        const node = grid.found[j]!;
        const other = proxies[node]!;
        if (ids[node]! < id ? isNew(other, proxy) : isNew(proxy, other)) grid.add(node);
      }
      grid.sortFound();
      for (let j = 0; j < grid.foundCount; j++) {
        const node = grid.found[j]!;
        const other = proxies[node]!;
        if (ids[node]! < id) found(other, proxy);
        else found(proxy, other);
      }
    }
  }

  protected override place(leaf: number): void {
    const { tree, grid, target } = this;
    const wasInGrid = grid.has(leaf);
    if (!wasInGrid) tree.remove(leaf);
    tree.setBox(leaf, target);
    if (!grid.fits(leaf)) {
      if (wasInGrid) grid.remove(leaf);
      tree.insert(leaf);
    } else if (wasInGrid) grid.relocate(leaf);
    else grid.insert(leaf);
  }

  protected override insertLeaf(leaf: number): void {
    if (this.grid.fits(leaf)) this.grid.insert(leaf);
    else this.tree.insert(leaf);
  }

  protected override removeLeaf(leaf: number): void {
    if (this.grid.has(leaf)) this.grid.remove(leaf);
    else this.tree.remove(leaf);
  }

  private setArea({ lowerBound, upperBound }: BoxLike): void {
    const { area } = this.grid;
    area[0] = lowerBound.x;
    area[1] = lowerBound.y;
    area[2] = upperBound.x;
    area[3] = upperBound.y;
  }

  /** All leaves whose boxes meet the area of the grid, save one, in no order. */
  private find(but: number): void {
    this.grid.clearFound();
    this.findInTree(but);
    this.grid.find(but);
  }

  private findInTree(but: number): void {
    const { tree, grid } = this;
    const { area } = grid;
    const left = area[0]!;
    const top = area[1]!;
    const right = area[2]!;
    const bottom = area[3]!;
    const { boxes } = tree;
    let { stack } = this;
    let count = 0;
    if (tree.root !== blank) stack[count++] = tree.root;
    while (count > 0) {
      const node = stack[--count]!;
      const at = node * boxStride;
      if (left > boxes[at + 2]! || top > boxes[at + 3]! || boxes[at]! > right || boxes[at + 1]! > bottom) continue;
      const first = tree.first(node);
      if (first !== blank) {
        if (count + 2 > stack.length) stack = this.largerStack();
        stack[count++] = first;
        stack[count++] = tree.second(node);
      } else if (node !== but) grid.add(node);
    }
  }

  private eachInGrid(visit: (leaf: number) => void): void {
    for (let leaf = 0; leaf < this.proxies.length; leaf++) if (this.grid.has(leaf)) visit(leaf);
  }
}
