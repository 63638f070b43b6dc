import type { GraphAdapters } from '../core/graph.ts';
import { GraphHasher } from '../core/graph-hash.ts';
import { hashText, StateHasher } from '../core/hash.ts';
import { NumberList } from '../core/number-list.ts';
import { type Parts, partAdapter } from './parts.ts';
import { chunkRows, type Revisions } from './revisions.ts';

/** A store by row, to the digest. */
interface Rows<S> {
  hashRow(store: S, to: StateDigest, row: number): void;
  hashRows(store: S, to: StateDigest, start: number, end: number): void;
}

/** A chunk of rows as it was when it was last looked at. */
class Chunk {
  revision = 0;
  /** `Revisions.all`. */
  all = 0;
  /** The row behind its last; 0 where it has to be looked at again. */
  end = 0;
  digest = 0;
  /** Of values by row. */
  memory: RowMemory | undefined;
}

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
  private readonly seen = new Map<Revisions, Chunk[]>();
  /** The values of this hash that were walked so far. */
  private readonly walked: object[] = [];
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
    this.walked.length = 0;
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
      this.walk(value);
      return;
    }
    for (const part of adapters[at]!.save(value)) {
      if (typeof part === 'number') numbers.push(part);
      else this.text(part);
    }
  }

  /** A list or an object of any form, with everything in it. */
  walk(value: object): void {
    this.walked.push(value);
    this.graph.value(value);
  }

  /** How many values this hash has walked. */
  get walkedCount(): number {
    return this.walked.length;
  }

  /** Those that it has walked since there were so many. */
  walkedSince(count: number): readonly object[] {
    return count === this.walked.length ? none : this.walked.slice(count);
  }

  /**
   * The first rows of a store in chunks, each as one digest. It is remembered until the chunk has another revision, and so are the numbers of its rows
   * that have values. Without revisions nothing is. Scripts change lists and objects without a revision: those of rows that are remembered are walked
   * each time.
   */
  chunks<S>(kind: Rows<S>, store: S, rowCount: number, revisions: Revisions | undefined): void {
    const { numbers } = this;
    const count = Math.ceil(rowCount / chunkRows);
    const seen = this.seenOf(revisions, count);
    const rows = revisions?.rows;
    const all = revisions?.all ?? 0;
    for (let chunk = 0; chunk < count; chunk++) {
      const known = seen[chunk]!;
      const revision = revisions === undefined ? 0 : revisions.chunks[chunk]!;
      const first = chunk * chunkRows;
      const end = Math.min(first + chunkRows, rowCount);
      if (known.revision !== revision || known.end !== end || known.all !== all) {
        const start = numbers.length;
        if (known.all !== all) known.memory = undefined;
        if (rows === undefined) kind.hashRows(store, this, first, end);
        else {
          known.memory ??= new RowMemory(first);
          known.memory.hash(kind, store, this, end, rows);
        }
        known.revision = revision;
        known.all = all;
        known.end = end;
        known.digest = this.digestFrom(start);
      } else known.memory?.walk(this);
      numbers.push(known.digest);
    }
  }

  /** One number for a value that holds numbers and texts only. */
  digestOf<T>(kind: { hash(value: T, to: StateDigest): void }, value: T): number {
    const { length } = this.numbers;
    kind.hash(value, this);
    return this.digestFrom(length);
  }

  /** Of the numbers from a place on, which go. */
  private digestFrom(start: number): number {
    const { numbers, once } = this;
    once.reset();
    once.floats(numbers.view.subarray(start));
    numbers.length = start;
    return once.number();
  }

  private seenOf(revisions: Revisions | undefined, count: number): Chunk[] {
    const seen = (revisions === undefined ? undefined : this.seen.get(revisions)) ?? [];
    if (revisions !== undefined && seen.length === 0) this.seen.set(revisions, seen);
    while (seen.length < count) seen.push(new Chunk());
    return seen;
  }
}

const none: readonly object[] = [];

/** The numbers of a chunk, row by row, and which values have to be walked, while its revisions say that they are the same. */
class RowMemory {
  private readonly first: number;
  private readonly seen = new Int32Array(chunkRows);
  /** 1 where a row has been read. */
  private readonly isKnown = new Uint8Array(chunkRows);
  /** Of each row the values that were walked. */
  private readonly walked: (readonly object[])[] = new Array<readonly object[]>(chunkRows).fill(none);
  /** Those of all rows, in their order. */
  private readonly all: object[] = [];
  /** Where the numbers of each row begin, and those of the last end. */
  private readonly starts = new Int32Array(chunkRows + 1);
  private readonly numbers = new NumberList(chunkRows);

  constructor(first: number) {
    this.first = first;
  }

  /** As `hashRows` of the kind, up to the row `end`. */
  hash<S>(kind: Rows<S>, store: S, to: StateDigest, end: number, revisions: Int32Array): void {
    const { first, seen, isKnown, starts, walked, all } = this;
    const { numbers } = to;
    const begin = numbers.length;
    const former = this.numbers.view;
    all.length = 0;
    let from = starts[0]!;
    for (let row = first; row < end; row++) {
      const i = row - first;
      const behind = starts[i + 1]!;
      if (isKnown[i] === 1 && seen[i] === revisions[row]) {
        numbers.pushFrom(former, from, behind - from);
        for (const value of walked[i]!) to.walk(value);
      } else {
        const { walkedCount } = to;
        kind.hashRow(store, to, row);
        walked[i] = to.walkedSince(walkedCount);
        isKnown[i] = 1;
        seen[i] = revisions[row]!;
      }
      for (const value of walked[i]!) all.push(value);
      from = behind;
      starts[i + 1] = numbers.length - begin;
    }
    // Rows behind the last have not been read.
    isKnown.fill(0, end - first);
    walked.fill(none, end - first);
    this.numbers.clear();
    this.numbers.pushFrom(numbers.view, begin, numbers.length - begin);
    numbers.push(-1);
  }

  /** Walks the values of a chunk that has not changed. */
  walk(to: StateDigest): void {
    for (const value of this.all) to.walk(value);
  }
}
