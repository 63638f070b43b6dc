import type { GraphAdapters } from '../core/graph.ts';
import { GraphHasher } from '../core/graph-hash.ts';
import { hashText, StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import { type Parts, partAdapter } from './parts.ts';

/** Hashes declared values. Numbers are collected in one list and hashed at once; values of any form are walked as a graph. */
export class StateDigest {
  readonly hasher = new StateHasher();
  readonly numbers = new NumberList();
  readonly parts: Parts;
  private readonly adapters: GraphAdapters;
  private readonly graph: GraphHasher;
  private lastText = '';
  private lastNumber: number;

  constructor(parts: Parts, adapters: GraphAdapters) {
    this.parts = parts;
    this.adapters = [partAdapter(parts), ...adapters];
    this.graph = new GraphHasher(this.hasher, this.adapters, hashText);
    this.lastNumber = this.graph.numberOf(this.lastText);
  }

  /** 16 hexadecimal digits over everything that `feed` puts in. */
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
    // Neighbouring rows mostly have the same text.
    if (text !== this.lastText) {
      this.lastText = text;
      this.lastNumber = this.graph.numberOf(text);
    }
    this.numbers.push(this.lastNumber);
  }

  /** A list or an object of any form, with everything in it. Objects with an adapter never change, and are what the adapter saves. */
  value(value: object): void {
    const { adapters, numbers } = this;
    const at = adapters.findIndex((each) => each.owns(value));
    numbers.push(at);
    if (at < 0) {
      this.graph.value(value);
      return;
    }
    for (const part of adapters[at]!.save(value)) {
      if (typeof part === 'number') numbers.push(part);
      else this.text(part);
    }
  }
}
