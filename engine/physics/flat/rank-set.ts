/** A set of ranks (small whole numbers) as bits, walked from the highest down; members may come and go during the walk. */
export class RankSet {
  private words = new Int32Array(8);

  /** Makes room for ranks below `count`. */
  reserve(count: number): void {
    // One more than needed, because a walk starts at the rank after the last.
    const length = (count >> 5) + 2;
    if (length <= this.words.length) return;
    const words = new Int32Array(length * 2);
    words.set(this.words);
    this.words = words;
  }

  add(rank: number): void {
    this.words[rank >> 5]! |= 1 << (rank & 31);
  }

  delete(rank: number): void {
    this.words[rank >> 5]! &= ~(1 << (rank & 31));
  }

  clear(): void {
    this.words.fill(0);
  }

  /** The highest member below a rank; -1 if there is none. */
  below(rank: number): number {
    const { words } = this;
    let word = rank >> 5;
    let bits = words[word]! & ((1 << (rank & 31)) - 1);
    while (bits === 0) {
      if (--word < 0) return -1;
      bits = words[word]!;
    }
    return (word << 5) + 31 - Math.clz32(bits);
  }
}
