import type { GraphAdapters } from '../core/graph.ts';
import { GraphHasher } from '../core/graph-hash.ts';
import { hashText, StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import { type Parts, partAdapter } from './parts.ts';

/** Hashes declared values, again and again: numbers go into one list that is hashed at once, values of any form are walked as a graph. */
export class StateDigest {
  readonly hasher = new StateHasher();
  readonly numbers = new NumberList();
  readonly parts: Parts;
  private readonly graph: GraphHasher;
  private lastText = '';
  private lastNumber: number;

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
}
