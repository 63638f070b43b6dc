import { enlarged } from './enlarged.ts';

/**
 * A set of small whole numbers as bits, walked from the highest number down. The set may change during the walk. A
 * second level marks the words that have members, so that a walk skips 10,000 absent numbers with ten comparisons.
 * Walks of an empty set return at once, because a tick in which all bodies sleep walks several empty sets.
 */
export class IndexSet {
  private words = new Int32Array(32);
  private filled = new Int32Array(1);
  private size = 0;

  /** Makes room for numbers below `count`. */
  reserve(count: number): void {
    // One word more than needed, because a walk starts at the index after the last number.
    const length = (count >> 5) + 2;
    if (length <= this.words.length) return;
    const groups = (length >> 4) + 1;
    this.words = enlarged(this.words, groups * 32);
    this.filled = enlarged(this.filled, groups);
  }

  add(index: number): void {
    const word = index >> 5;
    const bit = 1 << (index & 31);
    if ((this.words[word]! & bit) !== 0) return;
    this.size++;
    this.words[word]! |= bit;
    this.filled[word >> 5]! |= 1 << (word & 31);
  }

  has(index: number): boolean {
    return (this.words[index >> 5]! & (1 << (index & 31))) !== 0;
  }

  delete(index: number): void {
    const word = index >> 5;
    const bit = 1 << (index & 31);
    if ((this.words[word]! & bit) === 0) return;
    this.size--;
    this.words[word]! &= ~bit;
    if (this.words[word] === 0) this.filled[word >> 5]! &= ~(1 << (word & 31));
  }

  clear(): void {
    if (this.size === 0) return;
    this.size = 0;
    const { words, filled } = this;
    for (let group = 0; group < filled.length; group++) {
      if (filled[group] === 0) continue;
      words.fill(0, group * 32, group * 32 + 32);
      filled[group] = 0;
    }
  }

  /** The highest member below an index; -1 if there is none. */
  below(index: number): number {
    if (this.size === 0) return -1;
    const { words, filled } = this;
    const word = index >> 5;
    const here = words[word]! & ((1 << (index & 31)) - 1);
    if (here !== 0) return (word << 5) + 31 - Math.clz32(here);
    let group = word >> 5;
    let bits = filled[group]! & ((1 << (word & 31)) - 1);
    while (bits === 0) {
      if (--group < 0) return -1;
      bits = filled[group]!;
    }
    const found = (group << 5) + 31 - Math.clz32(bits);
    return (found << 5) + 31 - Math.clz32(words[found]!);
  }
}
