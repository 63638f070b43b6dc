import alea from 'seedrandom/lib/alea.js';
import { assert } from './assert.ts';

/** Everything a stream remembers, as plain numbers that survive JSON exactly. */
export interface RandomState {
  readonly c: number;
  readonly s0: number;
  readonly s1: number;
  readonly s2: number;
}

/** A wider range of integers is drawn from 53 bits rather than 32, so that no value is favoured by more than 1 in 65536. */
const WIDE_SPAN = 65536;

/** One sequence of random numbers. The same seed gives the same sequence everywhere. */
export class RandomStream {
  #draw: ReturnType<typeof alea>;

  constructor(seed: string) {
    this.#draw = alea(seed, { state: true });
  }

  /** At least 0 and below 1, in steps of 2^-32. */
  next(): number {
    return this.#draw();
  }

  /** At least `min` and below `max` (rounding can reach `max` when the two are close); with the bounds crossed, the other way round. */
  between(min: number, max: number): number {
    return min + (max - min) * this.#draw();
  }

  /** A whole number from `min` to `max`, both included and both whole; `min` may not exceed `max`. */
  integer(min: number, max: number): number {
    assert(Number.isSafeInteger(min) && Number.isSafeInteger(max), 'the bounds of a random integer are integers');
    assert(min <= max, 'the bounds of a random integer are in order');
    const span = max - min + 1;
    return min + Math.floor(span * (span > WIDE_SPAN ? this.#draw.double() : this.#draw()));
  }

  /** One of the items, each as likely as the next; undefined, without a draw, when there are none. */
  pick<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : items[this.integer(0, items.length - 1)];
  }

  /** True with the given probability: never at 0 or below, always at 1 or above. Draws once in any case. */
  chance(probability: number): boolean {
    return this.#draw() < probability;
  }

  save(): RandomState {
    return this.#draw.state();
  }

  /** Goes on exactly as the stream that `state` was saved from. */
  restore(state: RandomState): void {
    this.#draw = alea('', { state });
  }
}

/**
 * All chance of one simulation. Each use has a stream of its own, seeded from the seed and its name. So one more draw in one place does not
 * change the draws of another.
 */
export class RandomStreams {
  readonly #seed: string;
  readonly #streams = new Map<string, RandomStream>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /** The stream of that name, always the same object: hold on to it rather than asking for each draw. */
  stream(name: string): RandomStream {
    let stream = this.#streams.get(name);
    if (!stream) {
      stream = new RandomStream(`${this.#seed}/${name}`);
      this.#streams.set(name, stream);
    }
    return stream;
  }

  /** The state of every stream that has been asked for, in the order of first asking. */
  save(): Map<string, RandomState> {
    const saved = new Map<string, RandomState>();
    for (const [name, stream] of this.#streams) saved.set(name, stream.save());
    return saved;
  }

  /** Streams that the saved record does not know had not been asked for then: they start anew when they are. The objects of others stay valid. */
  restore(saved: ReadonlyMap<string, RandomState>): void {
    const known = new Map(this.#streams);
    this.#streams.clear();
    for (const [name, state] of saved) {
      const stream = known.get(name);
      if (stream !== undefined) this.#streams.set(name, stream);
      this.stream(name).restore(state);
    }
  }
}
