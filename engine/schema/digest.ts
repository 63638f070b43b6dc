import type { GraphAdapters } from '../core/graph.ts';
import { GraphHasher } from '../core/graph-hash.ts';
import { grown } from '../core/grown.ts';
import { hashText, StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import { type Parts, partAdapter } from './parts.ts';

/** A store by row, to the digest. */
interface Rows<S> {
  hashRows(store: S, to: StateDigest, start: number, end: number): void;
}

/** Rows with one revision and one digest, as a power of two. */
export const chunkBits = 6;
const chunkRows = 1 << chunkBits;

// Numbers that are remembered of a chunk: its revision, the row behind its last, and the digest.
const REVISION = 0;
const END = 1;
const DIGEST = 2;
const perChunk = 3;
const none = new Float64Array(0);

/** Hashes declared values, again and again: numbers go into one list that is hashed at once, values of any form are walked as a graph. */
export class StateDigest {
  readonly hasher = new StateHasher();
  readonly numbers = new NumberList();
  readonly parts: Parts;
  private readonly adapters: GraphAdapters;
  private readonly graph: GraphHasher;
  private lastText = '';
  private lastNumber: number;
  /** By the revisions of a store, what is remembered of its chunks. */
  private readonly seen = new Map<Int32Array, Float64Array>();
  private walked = 0;
  private readonly once = new StateHasher();

  constructor(parts: Parts, adapters: GraphAdapters) {
    this.parts = parts;
    this.adapters = [partAdapter(parts), ...adapters];
    this.graph = new GraphHasher(this.hasher, this.adapters, hashText);
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

  /** Objects with an adapter never change, and hold nothing but what the adapter saves. */
  value(value: object): void {
    const { adapters, numbers } = this;
    const at = adapters.findIndex((each) => each.owns(value));
    numbers.push(at);
    if (at < 0) {
      this.walked++;
      this.graph.value(value);
      return;
    }
    for (const part of adapters[at]!.save(value)) {
      if (typeof part === 'number') numbers.push(part);
      else this.text(part);
    }
  }

  /**
   * The first rows of a store in chunks, each as one digest. It is remembered until the chunk has another revision; without revisions nothing is. Chunks
   * in which values were walked are hashed each time, because scripts change lists and objects without a revision.
   */
  chunks<S>(kind: Rows<S>, store: S, rowCount: number, revisions: Int32Array | undefined): void {
    const { numbers, once } = this;
    const count = Math.ceil(rowCount / chunkRows);
    const seen = this.seenOf(revisions, count * perChunk);
    for (let chunk = 0, at = 0; chunk < count; chunk++, at += perChunk) {
      const revision = revisions === undefined ? 0 : revisions[chunk]!;
      const end = Math.min((chunk + 1) * chunkRows, rowCount);
      if (seen[at + REVISION] !== revision || seen[at + END] !== end) {
        const { walked } = this;
        const start = numbers.length;
        kind.hashRows(store, this, chunk * chunkRows, end);
        once.reset();
        once.floats(numbers.view.subarray(start));
        numbers.length = start;
        seen[at + REVISION] = revision;
        seen[at + END] = this.walked === walked ? end : 0;
        seen[at + DIGEST] = once.number();
      }
      numbers.push(seen[at + DIGEST]!);
    }
  }

  private seenOf(revisions: Int32Array | undefined, length: number): Float64Array {
    if (revisions === undefined) return new Float64Array(length);
    let seen = this.seen.get(revisions);
    if (seen === undefined || seen.length < length) {
      seen = grown(seen ?? none, 2 * length);
      this.seen.set(revisions, seen);
    }
    return seen;
  }
}
