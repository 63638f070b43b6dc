import { AABB, type BroadPhase, type FixtureProxy, Vec2 } from '../planck/planck.ts';
import type { FlatProxy } from './graph.ts';
import { boxStride, FlatTree } from './tree.ts';

type BoxLike = Parameters<BroadPhase['createProxy']>[0];
type QueryCallback = Parameters<BroadPhase['query']>[1];
type RayInput = Parameters<BroadPhase['rayCast']>[0];
type RayCallback = Parameters<BroadPhase['rayCast']>[1];

export const blank = -1;

export type PairCallback = (older: FlatProxy, newer: FlatProxy) => void;
export type PairTest = (older: FlatProxy, newer: FlatProxy) => boolean;

/** planck's broad phase over a flat tree, with planck's interface. It finds the same pairs in the same order. */
export class FlatBroadPhase {
  readonly tree = new FlatTree();
  /** By leaf. */
  readonly proxies: (FlatProxy | undefined)[] = [];
  /** The space of a fixture from the start of its last movement to its end, without margins; by leaf, as boxes of the tree. */
  tight = new Float64Array(0);
  /** A box and how far it has moved in x and y, for `move`. An array, because six numbers handed over would be six boxes on the heap. */
  readonly target = new Float64Array(6);
  /** Leaves that have been made or have moved since pairs were last looked for; the newest are looked at first. */
  protected moved = new Int32Array(256);
  protected movedCount = 0;
  private readonly leaves = new Map<number, number>();
  // Reused by every query.
  protected stack = new Int32Array(256);
  private readonly fat = new AABB();

  // planck's interface.

  getUserData(id: number): FlatProxy {
    return this.proxies[this.leaves.get(id)!]!;
  }

  getFatAABB(id: number): AABB {
    return this.boxOf(this.leaves.get(id)!, this.tree.boxes);
  }

  testOverlap(a: number, b: number): boolean {
    return this.tree.overlaps(this.leaves.get(a)!, this.leaves.get(b)!);
  }

  createProxy(box: BoxLike, proxy: FixtureProxy): number {
    const { tree } = this;
    const leaf = tree.allocate();
    const id = tree.ids[leaf]!;
    const { lowerBound, upperBound } = box;
    this.target.set([lowerBound.x, lowerBound.y, upperBound.x, upperBound.y, 0, 0]);
    tree.setBox(leaf, this.target);
    this.adopt(leaf, proxy as FlatProxy);
    this.setTight(leaf, lowerBound.x, lowerBound.y, upperBound.x, upperBound.y);
    this.insertLeaf(leaf);
    this.touch(leaf);
    return id;
  }

  destroyProxy(id: number): void {
    const leaf = this.leaves.get(id)!;
    const { moved } = this;
    for (let i = 0; i < this.movedCount; i++) if (moved[i] === leaf) moved[i] = blank;
    this.leaves.delete(id);
    this.proxies[leaf] = undefined;
    this.removeLeaf(leaf);
    this.tree.release(leaf);
  }

  moveProxy(id: number, { lowerBound, upperBound }: AABB, { x, y }: { x: number; y: number }): void {
    this.target.set([lowerBound.x, lowerBound.y, upperBound.x, upperBound.y, x, y]);
    this.move(this.leaves.get(id)!);
  }

  touchProxy(id: number): void {
    this.touch(this.leaves.get(id)!);
  }

  query(area: BoxLike, callback: QueryCallback): void {
    const { lowerBound, upperBound } = area;
    const { tree } = this;
    if (tree.root === blank) return;
    // Of its own, because the callback may ask again.
    const stack = [tree.root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const { boxes } = tree;
      const i = node * boxStride;
      const isApart =
        lowerBound.x > boxes[i + 2]! ||
        lowerBound.y > boxes[i + 3]! ||
        boxes[i]! > upperBound.x ||
        boxes[i + 1]! > upperBound.y;
      if (isApart) continue;
      if (!tree.isLeaf(node)) stack.push(tree.first(node), tree.second(node));
      else if (callback(tree.ids[node]!) === false) return;
    }
  }

  /** As planck's own, to the last product: what a ray meets first depends on it. */
  rayCast(input: RayInput, callback: RayCallback): void {
    const { p1, p2 } = input;
    const { tree } = this;
    const direction = Vec2.sub(p2, p1);
    direction.normalize();
    const across = Vec2.crossNumVec2(1, direction);
    const size = Vec2.abs(across);
    let { maxFraction } = input;
    const way = new AABB();
    way.combinePoints(p1, Vec2.combine(1 - maxFraction, p1, maxFraction, p2));
    const stack = tree.root === blank ? [] : [tree.root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const box = this.boxOf(node, tree.boxes);
      if (!AABB.testOverlap(box, way)) continue;
      const apart = Math.abs(Vec2.dot(across, Vec2.sub(p1, box.getCenter()))) - Vec2.dot(size, box.getExtents());
      if (apart > 0) continue;
      if (!tree.isLeaf(node)) {
        stack.push(tree.first(node), tree.second(node));
        continue;
      }
      const value = callback({ p1: Vec2.clone(p1), p2: Vec2.clone(p2), maxFraction }, tree.ids[node]!);
      if (value === 0) return;
      if (value <= 0) continue;
      maxFraction = value;
      way.combinePoints(p1, Vec2.combine(1 - maxFraction, p1, maxFraction, p2));
    }
  }

  /** planck calls the length of its list of moved proxies so. */
  getProxyCount(): number {
    return this.movedCount;
  }

  getTreeHeight(): number {
    return this.tree.root === blank ? 0 : this.tree.heightOf(this.tree.root);
  }

  getTreeBalance(): number {
    let most = 0;
    this.eachNode((node) => {
      const { tree } = this;
      if (tree.isLeaf(node)) return;
      most = Math.max(most, Math.abs(tree.heightOf(tree.second(node)) - tree.heightOf(tree.first(node))));
    });
    return most;
  }

  getTreeQuality(): number {
    if (this.tree.root === blank) return 0;
    let sum = 0;
    this.eachNode((node) => {
      sum += this.boxOf(node, this.tree.boxes).getPerimeter();
    });
    return sum / this.boxOf(this.tree.root, this.tree.boxes).getPerimeter();
  }

  shiftOrigin({ x, y }: { x: number; y: number }): void {
    this.eachNode((node) => {
      const { boxes } = this.tree;
      const i = node * boxStride;
      boxes[i]! -= x;
      boxes[i + 1]! -= y;
      boxes[i + 2]! -= x;
      boxes[i + 3]! -= y;
    });
  }

  // For the step.

  /** Puts a leaf where `target` says that it is now, if its fat box does not hold that. */
  move(leaf: number): void {
    const { tree, target } = this;
    const { boxes } = tree;
    const left = target[0]!;
    const top = target[1]!;
    const right = target[2]!;
    const bottom = target[3]!;
    const i = leaf * boxStride;
    this.setTight(leaf, left, top, right, bottom);
    if (boxes[i]! <= left && boxes[i + 1]! <= top && right <= boxes[i + 2]! && bottom <= boxes[i + 3]!) return;
    this.place(leaf);
    this.touch(leaf);
  }

  /** Gives a leaf the box that `target` says, with margins. */
  protected place(leaf: number): void {
    const { tree, target } = this;
    tree.remove(leaf);
    tree.setBox(leaf, target);
    tree.insert(leaf);
  }

  protected insertLeaf(leaf: number): void {
    this.tree.insert(leaf);
  }

  protected removeLeaf(leaf: number): void {
    this.tree.remove(leaf);
  }

  /** The new pairs of whatever has moved, the older proxy first; each query in planck's order. */
  updatePairs(found: PairCallback, isNew: PairTest): void {
    const { tree, proxies } = this;
    while (this.movedCount > 0) {
      const leaf = this.moved[--this.movedCount]!;
      if (leaf === blank) continue;
      const { boxes, ids } = tree;
      const i = leaf * boxStride;
      const left = boxes[i]!;
      const top = boxes[i + 1]!;
      const right = boxes[i + 2]!;
      const bottom = boxes[i + 3]!;
      const id = ids[leaf]!;
      const proxy = proxies[leaf]!;
      let { stack } = this;
      let count = 0;
      stack[count++] = tree.root;
      while (count > 0) {
        const node = stack[--count]!;
        const at = node * boxStride;
        if (left > boxes[at + 2]! || top > boxes[at + 3]! || boxes[at]! > right || boxes[at + 1]! > bottom) continue;
        const first = tree.first(node);
        if (first !== blank) {
          if (count + 2 > stack.length) stack = this.largerStack();
          stack[count++] = first;
          stack[count++] = tree.second(node);
        } else if (node !== leaf) {
          const other = proxies[node]!;
          const older = ids[node]! < id ? other : proxy;
          const newer = older === other ? proxy : other;
          if (isNew(older, newer)) found(older, newer);
        }
      }
    }
  }

  /** The tight box of a leaf, in planck's form. */
  tightBox(leaf: number, to: AABB): AABB {
    return this.boxOf(leaf, this.tight, to);
  }

  // For snapshots.

  /** Whether a leaf is kept beside the tree. */
  isLoose(_leaf: number): boolean {
    return false;
  }

  /** A leaf that was saved and hangs in no tree. Its box is there. */
  adoptLoose(leaf: number): void {
    this.insertLeaf(leaf);
  }

  /** After all that was saved has been adopted. */
  adopted(): void {}

  /** Leaves whose pairs will be looked for, oldest first. */
  saveMoved(): number[] {
    return Array.from(this.moved.subarray(0, this.movedCount)).filter((leaf) => leaf !== blank);
  }

  /** Makes a node of the tree a leaf of a proxy. */
  adopt(leaf: number, proxy: FlatProxy): void {
    const { tree } = this;
    const i = leaf * boxStride;
    this.proxies[leaf] = proxy;
    proxy.leaf = leaf;
    this.leaves.set(tree.ids[leaf]!, leaf);
    this.setTight(leaf, tree.boxes[i]!, tree.boxes[i + 1]!, tree.boxes[i + 2]!, tree.boxes[i + 3]!);
  }

  /** Looks for the pairs of a leaf in the next step. */
  touch(leaf: number): void {
    if (this.movedCount === this.moved.length) {
      const grown = new Int32Array(this.movedCount * 2);
      grown.set(this.moved);
      this.moved = grown;
    }
    this.moved[this.movedCount++] = leaf;
  }

  private setTight(leaf: number, left: number, top: number, right: number, bottom: number): void {
    const i = leaf * boxStride;
    if (i >= this.tight.length) {
      const grown = new Float64Array(this.tree.boxes.length);
      grown.set(this.tight);
      this.tight = grown;
    }
    const { tight } = this;
    tight[i] = left;
    tight[i + 1] = top;
    tight[i + 2] = right;
    tight[i + 3] = bottom;
  }

  protected boxOf(node: number, boxes: Float64Array, to = this.fat): AABB {
    const i = node * boxStride;
    to.lowerBound.x = boxes[i]!;
    to.lowerBound.y = boxes[i + 1]!;
    to.upperBound.x = boxes[i + 2]!;
    to.upperBound.y = boxes[i + 3]!;
    return to;
  }

  protected eachNode(visit: (node: number) => void): void {
    const { tree } = this;
    const stack = tree.root === blank ? [] : [tree.root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      visit(node);
      if (!tree.isLeaf(node)) stack.push(tree.second(node), tree.first(node));
    }
  }

  protected largerStack(): Int32Array<ArrayBuffer> {
    const grown = new Int32Array(this.stack.length * 2);
    grown.set(this.stack);
    this.stack = grown;
    return grown;
  }
}
