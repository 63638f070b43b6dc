import { enlarged } from '../../core/enlarged.ts';

/**
 * A set of ranks (small whole numbers) as bits, walked from the highest down. It may change during the walk. A second
 * level marks words with members. Empty sets are not searched at all: when all bodies sleep, several empty sets are
 * walked per tick.
 */
export class RankSet {
  private words = new Int32Array(32);
  private filled = new Int32Array(1);
  private size = 0;

  /** Makes room for ranks below `count`. */
  reserve(count: number): void {
    // One more, because a walk starts at the rank after the last.
    const length = (count >> 5) + 2;
    if (length <= this.words.length) return;
    const groups = (length >> 4) + 1;
    this.words = enlarged(this.words, groups * 32);
    this.filled = enlarged(this.filled, groups);
  }

  add(rank: number): void {
    const word = rank >> 5;
    const bit = 1 << (rank & 31);
    if ((this.words[word]! & bit) !== 0) return;
    this.size++;
    this.words[word]! |= bit;
    this.filled[word >> 5]! |= 1 << (word & 31);
  }

  delete(rank: number): void {
    const word = rank >> 5;
    const bit = 1 << (rank & 31);
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

  /** The highest member below a rank; -1 if there is none. */
  below(rank: number): number {
    if (this.size === 0) return -1;
    const { words, filled } = this;
    const word = rank >> 5;
    const here = words[word]! & ((1 << (rank & 31)) - 1);
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
