import { enlarged } from '../../core/enlarged.ts';
import type { LeafList } from './leaf-list.ts';
import { boxMargin, boxMovementFactor } from './settings.ts';

/** Offsets of the members of a node in `links`; nodes are `linkStride` apart. */
const parent = 0;
const child1 = 1;
const child2 = 2;
const height = 3;
const linkStride = 4;
/** The number of elements per box: left, top, right and bottom. */
export const boxStride = 4;
export const none = -1;

/**
 * planck's dynamic tree of boxes in typed arrays, with the same shape and ids as planck's after the same calls. The
 * shape decides which pairs are found first, and so the results of a step. A node is an index into the arrays and is
 * reused; its id, which counts all nodes ever made, is never reused.
 */
export class BoxTree {
  boxes = new Float64Array(0);
  /** Parent, children and height. A leaf has no children; the parent of a free node is the next free one. */
  links = new Int32Array(0);
  ids = new Float64Array(0);
  root = none;
  lastId = 0;
  private freeNode = none;
  private capacity = 0;
  // Reused by every search.
  private stack = new Int32Array(32);

  constructor() {
    this.grow(32);
  }

  /** Returns a node without parent and children, with the next id unless one is given. */
  allocate(id = ++this.lastId): number {
    if (this.freeNode === none) this.grow(this.capacity * 2);
    const node = this.freeNode;
    const { links } = this;
    const at = node * linkStride;
    this.freeNode = links[at + parent]!;
    links[at + parent] = none;
    links[at + child1] = none;
    links[at + child2] = none;
    links[at + height] = 0;
    this.ids[node] = id;
    return node;
  }

  release(node: number): void {
    this.links[node * linkStride + parent] = this.freeNode;
    this.freeNode = node;
  }

  /** Whether a leaf is not part of the tree. */
  isLoose(leaf: number): boolean {
    return leaf !== this.root && this.links[leaf * linkStride + parent] === none;
  }

  overlaps(a: number, b: number): boolean {
    const { boxes } = this;
    const i = a * boxStride;
    const j = b * boxStride;
    return !(
      boxes[j]! > boxes[i + 2]! ||
      boxes[j + 1]! > boxes[i + 3]! ||
      boxes[i]! > boxes[j + 2]! ||
      boxes[i + 1]! > boxes[j + 3]!
    );
  }

  /** Adds to `found` the leaves whose boxes overlap an area, without the leaf `except`, in planck's order. */
  find(area: Float64Array, except: number, found: LeafList): void {
    if (this.root === none) return;
    const { links, boxes } = this;
    const left = area[0]!;
    const top = area[1]!;
    const right = area[2]!;
    const bottom = area[3]!;
    let { stack } = this;
    let count = 0;
    stack[count++] = this.root;
    while (count > 0) {
      const node = stack[--count]!;
      const i = node * boxStride;
      if (left > boxes[i + 2]! || top > boxes[i + 3]! || boxes[i]! > right || boxes[i + 1]! > bottom) continue;
      const one = links[node * linkStride + child1]!;
      if (one === none) {
        if (node !== except) found.add(node);
        continue;
      }
      if (count + 2 > stack.length) stack = this.growStack();
      stack[count++] = one;
      stack[count++] = links[node * linkStride + child2]!;
    }
  }

  /**
   * Gives a leaf that is not in the tree the box of `target`, with a margin, and extended in the direction of the last
   * movement. `target` contains left, top, right, bottom, and the movement in x and y. It is an array, because six
   * arguments would be boxed on the heap.
   */
  setBox(leaf: number, target: Float64Array): void {
    const { boxes } = this;
    const i = leaf * boxStride;
    const x = target[4]!;
    const y = target[5]!;
    const left = target[0]! - boxMargin;
    const top = target[1]! - boxMargin;
    const right = target[2]! + boxMargin;
    const bottom = target[3]! + boxMargin;
    boxes[i] = x < 0 ? left + x * boxMovementFactor : left;
    boxes[i + 1] = y < 0 ? top + y * boxMovementFactor : top;
    boxes[i + 2] = x < 0 ? right : right + x * boxMovementFactor;
    boxes[i + 3] = y < 0 ? bottom : bottom + y * boxMovementFactor;
  }

  insert(leaf: number): void {
    if (this.root === none) {
      this.root = leaf;
      this.links[leaf * linkStride + parent] = none;
      return;
    }
    const made = this.allocate();
    const { links } = this;
    const sibling = this.siblingFor(leaf);
    const above = links[sibling * linkStride + parent]!;
    links[made * linkStride + parent] = above;
    this.join(made, sibling, leaf);
    this.replaceChild(above, sibling, made);
    this.refit(made);
  }

  remove(leaf: number): void {
    if (leaf === this.root) {
      this.root = none;
      return;
    }
    const { links } = this;
    const node = links[leaf * linkStride + parent]!;
    const above = links[node * linkStride + parent]!;
    const first = links[node * linkStride + child1]!;
    const sibling = first === leaf ? links[node * linkStride + child2]! : first;
    links[sibling * linkStride + parent] = above;
    this.replaceChild(above, node, sibling);
    this.release(node);
    if (above !== none) this.refit(above);
  }

  /**
   * All nodes, each before its children: a leaf is saved as its index, an inner node as -1, because the box and height
   * of an inner node follow from its children.
   */
  save(): number[] {
    const { links } = this;
    const saved: number[] = [];
    const stack = this.root === none ? [] : [this.root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const isLeaf = links[node * linkStride + child1] === none;
      saved.push(isLeaf ? node : none);
      if (!isLeaf) stack.push(links[node * linkStride + child2]!, links[node * linkStride + child1]!);
    }
    return saved;
  }

  /** Makes two nodes the children of a third, while a saved tree is restored. */
  join(node: number, one: number, two: number): void {
    const { links } = this;
    links[node * linkStride + child1] = one;
    links[node * linkStride + child2] = two;
    links[one * linkStride + parent] = node;
    links[two * linkStride + parent] = node;
    this.combine(node);
  }

  /** Finds the sibling for a new leaf: the node at which the leaf adds least to the perimeters of all boxes. */
  private siblingFor(leaf: number): number {
    const { links, boxes } = this;
    const i = leaf * boxStride;
    const left = boxes[i]!;
    const top = boxes[i + 1]!;
    const right = boxes[i + 2]!;
    const bottom = boxes[i + 3]!;
    let node = this.root;
    for (let one = links[node * linkStride + child1]!; one !== none; one = links[node * linkStride + child1]!) {
      const two = links[node * linkStride + child2]!;
      const n = node * boxStride;
      const a = one * boxStride;
      const b = two * boxStride;
      const perimeter = 2 * (boxes[n + 2]! - boxes[n]! + boxes[n + 3]! - boxes[n + 1]!);
      const combined =
        2 *
        (Math.max(boxes[n + 2]!, right) -
          Math.min(boxes[n]!, left) +
          Math.max(boxes[n + 3]!, bottom) -
          Math.min(boxes[n + 1]!, top));
      const here = 2 * combined;
      const inherited = 2 * (combined - perimeter);
      const aLeft = boxes[a]!;
      const aTop = boxes[a + 1]!;
      const aRight = boxes[a + 2]!;
      const aBottom = boxes[a + 3]!;
      let below1 =
        2 * (Math.max(right, aRight) - Math.min(left, aLeft) + Math.max(bottom, aBottom) - Math.min(top, aTop)) +
        inherited;
      if (links[one * linkStride + child1] !== none) below1 -= 2 * (aRight - aLeft + aBottom - aTop);
      const bLeft = boxes[b]!;
      const bTop = boxes[b + 1]!;
      const bRight = boxes[b + 2]!;
      const bBottom = boxes[b + 3]!;
      let below2 =
        2 * (Math.max(right, bRight) - Math.min(left, bLeft) + Math.max(bottom, bBottom) - Math.min(top, bTop)) +
        inherited;
      if (links[two * linkStride + child1] !== none) below2 -= 2 * (bRight - bLeft + bBottom - bTop);
      if (here < below1 && here < below2) break;
      node = below1 < below2 ? one : two;
    }
    return node;
  }

  private replaceChild(above: number, old: number, made: number) {
    if (above === none) {
      this.root = made;
      return;
    }
    const at = above * linkStride;
    if (this.links[at + child1] === old) this.links[at + child1] = made;
    else this.links[at + child2] = made;
  }

  /**
   * Walks up from a node whose children have changed, updating boxes and heights. Above an unchanged node, all boxes
   * are unchanged, too, but the walk continues, because planck balances every node up to the root.
   */
  private refit(start: number) {
    const { links } = this;
    let changes = true;
    for (let node = start; node !== none; node = links[node * linkStride + parent]!) {
      const at = node * linkStride;
      const one = links[at + child1]!;
      const two = links[at + child2]!;
      const lean = links[two * linkStride + height]! - links[one * linkStride + height]!;
      if ((lean > 1 || lean < -1) && links[at + height]! >= 2) {
        node = lean > 1 ? this.rotate(node, two, child2) : this.rotate(node, one, child1);
        changes = true;
      } else if (changes) changes = this.combine(node) || node === start;
    }
  }

  /**
   * Swaps a node with its taller child `up`. The lower child of `up` becomes the child of the node at `side`, where
   * `up` was. Returns `up`, which is now the parent of the node.
   */
  private rotate(node: number, up: number, side: number): number {
    const { links } = this;
    const at = up * linkStride;
    const one = links[at + child1]!;
    const two = links[at + child2]!;
    const above = links[node * linkStride + parent]!;
    links[at + child1] = node;
    links[at + parent] = above;
    links[node * linkStride + parent] = up;
    this.replaceChild(above, node, up);
    const isOneTaller = links[one * linkStride + height]! > links[two * linkStride + height]!;
    const given = isOneTaller ? two : one;
    links[at + child2] = isOneTaller ? one : two;
    links[node * linkStride + side] = given;
    links[given * linkStride + parent] = node;
    this.combine(node);
    this.combine(up);
    return up;
  }

  /** Computes box and height of a node from its children. Returns whether they have changed. */
  private combine(node: number): boolean {
    const { links, boxes } = this;
    const one = links[node * linkStride + child1]!;
    const two = links[node * linkStride + child2]!;
    const height1 = links[one * linkStride + height]!;
    const height2 = links[two * linkStride + height]!;
    const tall = 1 + (height1 > height2 ? height1 : height2);
    const i = node * boxStride;
    const a = one * boxStride;
    const b = two * boxStride;
    const left = Math.min(boxes[a]!, boxes[b]!);
    const top = Math.min(boxes[a + 1]!, boxes[b + 1]!);
    const right = Math.max(boxes[a + 2]!, boxes[b + 2]!);
    const bottom = Math.max(boxes[a + 3]!, boxes[b + 3]!);
    const isSame =
      links[node * linkStride + height] === tall &&
      boxes[i] === left &&
      boxes[i + 1] === top &&
      boxes[i + 2] === right &&
      boxes[i + 3] === bottom;
    if (isSame) return false;
    links[node * linkStride + height] = tall;
    boxes[i] = left;
    boxes[i + 1] = top;
    boxes[i + 2] = right;
    boxes[i + 3] = bottom;
    return true;
  }

  /** Makes room for this number of nodes. */
  reserve(nodes: number): void {
    let { capacity } = this;
    while (capacity < nodes) capacity *= 2;
    if (capacity > this.capacity) this.grow(capacity);
  }

  private grow(capacity: number) {
    this.boxes = enlarged(this.boxes, capacity * boxStride);
    this.links = enlarged(this.links, capacity * linkStride);
    this.ids = enlarged(this.ids, capacity);
    for (let node = capacity - 1; node >= this.capacity; node--) this.release(node);
    this.capacity = capacity;
  }

  private growStack(): Int32Array<ArrayBuffer> {
    this.stack = enlarged(this.stack, this.stack.length * 2);
    return this.stack as Int32Array<ArrayBuffer>;
  }
}
