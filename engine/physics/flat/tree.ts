import { Settings } from '../planck/planck.ts';

/** Of a node in `links`, `linkStride` apart. */
const parent = 0;
const child1 = 1;
const child2 = 2;
const height = 3;
const linkStride = 4;
/** Left, top, right and bottom of a box, and from one box to the next. */
export const boxStride = 4;
const none = -1;

/**
 * planck's dynamic tree of boxes in typed arrays: the same nodes with the same ids in the same places, whatever is done to it. Which pairs are
 * found first follows from the shape of the tree, and the results of a step follow from that. A node is a place in the arrays; ids are planck's
 * count of nodes ever made, and never used again.
 */
export class FlatTree {
  boxes = new Float64Array(0);
  /** Parent, children and height; a leaf has no children, a free node names the next free one as its parent. */
  links = new Int32Array(0);
  ids = new Float64Array(0);
  root = none;
  lastId = 0;
  private freeNode = none;
  private capacity = 0;

  constructor() {
    this.grow(256);
  }

  /** A node with the next id, without parent and children. */
  allocate(): number {
    if (this.freeNode === none) this.grow(this.capacity * 2);
    const node = this.freeNode;
    const { links } = this;
    const at = node * linkStride;
    this.freeNode = links[at + parent]!;
    links[at + parent] = none;
    links[at + child1] = none;
    links[at + child2] = none;
    links[at + height] = 0;
    this.ids[node] = ++this.lastId;
    return node;
  }

  release(node: number): void {
    this.links[node * linkStride + parent] = this.freeNode;
    this.freeNode = node;
  }

  isLeaf(node: number): boolean {
    return this.links[node * linkStride + child1] === none;
  }

  /** Whether a leaf hangs in no tree. */
  isLoose(leaf: number): boolean {
    return leaf !== this.root && this.links[leaf * linkStride + parent] === none;
  }

  first(node: number): number {
    return this.links[node * linkStride + child1]!;
  }

  second(node: number): number {
    return this.links[node * linkStride + child2]!;
  }

  heightOf(node: number): number {
    return this.links[node * linkStride + height]!;
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

  /**
   * Gives a leaf that is not in the tree a box: left, top, right and bottom, grown by planck's margin. Its sides move outwards in the direction of
   * the movement in x and y that follows, as far as planck expects. An array, because six numbers handed over would be six boxes on the heap.
   */
  setBox(leaf: number, target: Float64Array): void {
    const { boxes } = this;
    const margin = Settings.aabbExtension * Settings.lengthUnitsPerMeter;
    const times = Settings.aabbMultiplier;
    const i = leaf * boxStride;
    const x = target[4]!;
    const y = target[5]!;
    const left = target[0]! - margin;
    const top = target[1]! - margin;
    const right = target[2]! + margin;
    const bottom = target[3]! + margin;
    boxes[i] = x < 0 ? left + x * times : left;
    boxes[i + 1] = y < 0 ? top + y * times : top;
    boxes[i + 2] = x < 0 ? right : right + x * times;
    boxes[i + 3] = y < 0 ? bottom : bottom + y * times;
  }

  insert(leaf: number): void {
    if (this.root === none) {
      this.root = leaf;
      this.links[leaf * linkStride + parent] = none;
      return;
    }
    const made = this.allocate();
    const { links, boxes } = this;
    const sibling = this.siblingFor(leaf);
    const above = links[sibling * linkStride + parent]!;
    const node = made * linkStride;
    links[node + parent] = above;
    links[node + child1] = sibling;
    links[node + child2] = leaf;
    links[node + height] = links[sibling * linkStride + height]! + 1;
    const i = made * boxStride;
    const a = leaf * boxStride;
    const b = sibling * boxStride;
    boxes[i] = Math.min(boxes[a]!, boxes[b]!);
    boxes[i + 1] = Math.min(boxes[a + 1]!, boxes[b + 1]!);
    boxes[i + 2] = Math.max(boxes[a + 2]!, boxes[b + 2]!);
    boxes[i + 3] = Math.max(boxes[a + 3]!, boxes[b + 3]!);
    links[sibling * linkStride + parent] = made;
    links[leaf * linkStride + parent] = made;
    this.replaceChild(above, sibling, made);
    this.refit(made, true);
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
    if (above !== none) this.refit(above, false);
  }

  /** All nodes, each before its children: of a leaf its place, -1 for an inner node, whose box and height follow from those of the leaves. */
  save(): number[] {
    const saved: number[] = [];
    const stack = this.root === none ? [] : [this.root];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      saved.push(this.isLeaf(node) ? node : none);
      if (!this.isLeaf(node)) stack.push(this.second(node), this.first(node));
    }
    return saved;
  }

  /** A node with an id of old, to be made part of a tree that was saved. */
  allocateWith(id: number): number {
    const node = this.allocate();
    this.ids[node] = id;
    return node;
  }

  /** Hangs two finished nodes below a third. For trees that are made from what was saved. */
  join(node: number, first: number, second: number): void {
    const { links } = this;
    links[node * linkStride + child1] = first;
    links[node * linkStride + child2] = second;
    links[first * linkStride + parent] = node;
    links[second * linkStride + parent] = node;
    this.combine(node);
  }

  /** Where a leaf enlarges the tree least, by planck's measure: the perimeters of all boxes. */
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

  private replaceChild(above: number, old: number, made: number): void {
    if (above === none) {
      this.root = made;
      return;
    }
    const at = above * linkStride;
    if (this.links[at + child1] === old) this.links[at + child1] = made;
    else this.links[at + child2] = made;
  }

  /**
   * Walks up from a node, making boxes and heights fit. Once a node is unchanged, so are all boxes above it. But planck looks at the balance of
   * every node up to the root. Its trees are not always balanced, so the walk goes on. `isNew`: the first node has no history.
   */
  private refit(start: number, isNew: boolean): void {
    const { links, boxes } = this;
    let changes = true;
    let isFirst = isNew;
    for (let node = start; node !== none; node = links[node * linkStride + parent]!) {
      const at = node * linkStride;
      const one = links[at + child1]!;
      const two = links[at + child2]!;
      const height1 = links[one * linkStride + height]!;
      const height2 = links[two * linkStride + height]!;
      const lean = height2 - height1;
      if ((lean > 1 || lean < -1) && links[at + height]! >= 2) {
        node = lean > 1 ? this.rotate(node, two, child2) : this.rotate(node, one, child1);
        changes = true;
        isFirst = false;
        continue;
      }
      if (!changes) continue;
      const i = node * boxStride;
      const a = one * boxStride;
      const b = two * boxStride;
      const tall = 1 + (height1 > height2 ? height1 : height2);
      const left = Math.min(boxes[a]!, boxes[b]!);
      const top = Math.min(boxes[a + 1]!, boxes[b + 1]!);
      const right = Math.max(boxes[a + 2]!, boxes[b + 2]!);
      const bottom = Math.max(boxes[a + 3]!, boxes[b + 3]!);
      const isSame =
        links[at + height] === tall &&
        boxes[i] === left &&
        boxes[i + 1] === top &&
        boxes[i + 2] === right &&
        boxes[i + 3] === bottom;
      if (isSame && !isFirst) changes = false;
      isFirst = false;
      links[at + height] = tall;
      boxes[i] = left;
      boxes[i + 1] = top;
      boxes[i + 2] = right;
      boxes[i + 3] = bottom;
    }
  }

  /** Puts the taller child, which hangs at `side`, in the place of its parent; it gives its lower child to that. Returns who is on top now. */
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

  /** Box and height of a node from those of its children. */
  private combine(node: number): void {
    const { links, boxes } = this;
    const one = links[node * linkStride + child1]!;
    const two = links[node * linkStride + child2]!;
    const i = node * boxStride;
    const a = one * boxStride;
    const b = two * boxStride;
    boxes[i] = Math.min(boxes[a]!, boxes[b]!);
    boxes[i + 1] = Math.min(boxes[a + 1]!, boxes[b + 1]!);
    boxes[i + 2] = Math.max(boxes[a + 2]!, boxes[b + 2]!);
    boxes[i + 3] = Math.max(boxes[a + 3]!, boxes[b + 3]!);
    links[node * linkStride + height] =
      1 + Math.max(links[one * linkStride + height]!, links[two * linkStride + height]!);
  }

  /** Room for so many nodes at once, where it is known that they come. */
  reserve(nodes: number): void {
    let { capacity } = this;
    while (capacity < nodes) capacity *= 2;
    if (capacity > this.capacity) this.grow(capacity);
  }

  private grow(capacity: number): void {
    const { boxes, links, ids } = this;
    this.boxes = new Float64Array(capacity * boxStride);
    this.boxes.set(boxes);
    this.links = new Int32Array(capacity * linkStride);
    this.links.set(links);
    this.ids = new Float64Array(capacity);
    this.ids.set(ids);
    for (let node = capacity - 1; node >= this.capacity; node--) this.release(node);
    this.capacity = capacity;
  }
}
