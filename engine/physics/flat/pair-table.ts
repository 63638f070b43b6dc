const empty = -1;

/**
 * The contact of each pair of bodies, in either order. A hash table with open addressing, linear probing and
 * backward-shift deletion.
 */
export class PairTable {
  /** Three numbers per entry: the lower and the higher row of the two bodies, and the row of their contact. */
  private entries = new Int32Array(3 * 32).fill(empty);
  private mask = 31;
  private count = 0;

  has(a: number, b: number): boolean {
    return this.entries[3 * this.find(a < b ? a : b, a < b ? b : a)] !== empty;
  }

  set(a: number, b: number, contact: number): void {
    const low = a < b ? a : b;
    const high = a < b ? b : a;
    // The table is at most three quarters full.
    if (this.count * 4 >= this.mask * 3) this.grow();
    const entry = 3 * this.find(low, high);
    if (this.entries[entry] === empty) this.count++;
    this.entries[entry] = low;
    this.entries[entry + 1] = high;
    this.entries[entry + 2] = contact;
  }

  /** Removes a pair if it has this contact. */
  delete(a: number, b: number, contact: number): void {
    const { entries, mask } = this;
    let gap = this.find(a < b ? a : b, a < b ? b : a);
    if (entries[3 * gap + 2] !== contact || entries[3 * gap] === empty) return;
    this.count--;
    for (let next = (gap + 1) & mask; entries[3 * next] !== empty; next = (next + 1) & mask) {
      const home = this.place(entries[3 * next]!, entries[3 * next + 1]!);
      // An entry whose home position lies after the gap must not move into the gap.
      if (((next - home) & mask) < ((next - gap) & mask)) continue;
      entries.copyWithin(3 * gap, 3 * next, 3 * next + 3);
      gap = next;
    }
    entries.fill(empty, 3 * gap, 3 * gap + 3);
  }

  private place(low: number, high: number): number {
    const mixed = Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b);
    return (mixed ^ (mixed >>> 15)) & this.mask;
  }

  /** The entry of a pair, or the free entry where the pair would be inserted. */
  private find(low: number, high: number): number {
    const { entries, mask } = this;
    let entry = this.place(low, high);
    while (entries[3 * entry] !== empty && (entries[3 * entry] !== low || entries[3 * entry + 1] !== high)) {
      entry = (entry + 1) & mask;
    }
    return entry;
  }

  private grow() {
    const old = this.entries;
    this.mask = this.mask * 2 + 1;
    this.entries = new Int32Array(3 * (this.mask + 1)).fill(empty);
    for (let entry = 0; entry < old.length; entry += 3) {
      if (old[entry] === empty) continue;
      this.entries.set(old.subarray(entry, entry + 3), 3 * this.find(old[entry]!, old[entry + 1]!));
    }
  }
}
