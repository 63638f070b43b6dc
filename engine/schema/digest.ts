import type { GraphAdapters } from '../core/graph.ts';
import { GraphHasher } from '../core/graph-hash.ts';
import { hashText, StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import { type Parts, partAdapter } from './parts.ts';

/** Values as they were when they were last hashed, and what came of it. */
interface Seen {
  readonly values: unknown[];
  high: number;
  low: number;
}

/** Hashes declared values, again and again: numbers go into one list that is hashed at once, values of any form are walked as a graph. */
export class StateDigest {
  readonly hasher = new StateHasher();
  readonly numbers = new NumberList();
  readonly parts: Parts;
  private readonly graph: GraphHasher;
  private lastText = '';
  private lastNumber: number;
  private readonly seen = new Map<object, Seen>();
  private readonly once = new StateHasher();

  constructor(parts: Parts, adapters: GraphAdapters) {
    this.parts = parts;
    this.graph = new GraphHasher(this.hasher, [partAdapter(parts), ...adapters], hashText);
    this.lastNumber = this.graph.numberOf(this.lastText);
  }

  /** 16 hexadecimal digits over all that `feed` puts in. */
  of(feed: (to: this) => void): string {
    this.hasher.reset();
    this.graph.restart();
    this.numbers.clear();
    feed(this);
    this.hasher.floats(this.numbers.view);
    this.graph.restart();
    return this.hasher.digest();
  }

  text(text: string): void {
    // Rows beside each other mostly have the same.
    if (text !== this.lastText) {
      this.lastText = text;
      this.lastNumber = this.graph.numberOf(text);
    }
    this.numbers.push(this.lastNumber);
  }

  value(value: unknown): void {
    this.graph.value(value);
  }

  /**
   * Values that do not change inside, as one digest of the numbers that `hash` puts in for them. As long as each is the same as in the hash before,
   * the digest is remembered instead. `key` says whose values they are.
   */
  constants<T>(key: object, values: readonly T[], hash: (values: T[], to: this) => void): void {
    const { numbers, once } = this;
    let seen = this.seen.get(key);
    if (seen === undefined) {
      seen = { values: [], high: 0, low: 0 };
      this.seen.set(key, seen);
    }
    const { values: before } = seen;
    let same = 0;
    while (same < values.length && values[same] === before[same]) same++;
    if (same < values.length || values.length < before.length || before.length === 0) {
      const start = numbers.length;
      hash(values as T[], this);
      once.reset();
      once.floats(numbers.view.subarray(start));
      numbers.length = start;
      [seen.high, seen.low] = once.words();
      before.length = 0;
      for (let i = 0; i < values.length; i++) before.push(values[i]);
    }
    numbers.push(seen.high);
    numbers.push(seen.low);
  }
}
