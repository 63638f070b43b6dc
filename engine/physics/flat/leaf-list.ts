import { enlarged } from '../../core/enlarged.ts';

/** The list length up to which insertion sort is fastest. */
const insertionMax = 48;

/** A reused list of leaves, the result of a search. */
export class LeafList {
  leaves = new Int32Array(32);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  add(leaf: number): void {
    if (this.length === this.leaves.length) this.leaves = enlarged(this.leaves, this.length * 2);
    this.leaves[this.length++] = leaf;
  }

  /** Sorts by id, so that the order does not depend on where the leaves were found. */
  sort(ids: Float64Array): void {
    const { leaves, length } = this;
    if (length > insertionMax) {
      leaves.subarray(0, length).sort((a, b) => ids[a]! - ids[b]!);
      return;
    }
    for (let i = 1; i < length; i++) {
      const leaf = leaves[i]!;
      const id = ids[leaf]!;
      let j = i;
      for (; j > 0 && ids[leaves[j - 1]!]! > id; j--) leaves[j] = leaves[j - 1]!;
      leaves[j] = leaf;
    }
  }
}
