import alea from 'seedrandom/lib/alea.js';
import { assert } from './assert.ts';

/** The complete state of a stream, as plain numbers that JSON preserves exactly. */
export interface RandomState {
  readonly c: number;
  readonly s0: number;
  readonly s1: number;
  readonly s2: number;
}

/**
 * Integers from a wider range are drawn with 53 bits instead of 32, so that no value is favoured by more than 1 in
 * 65536.
 */
const WIDE_SPAN = 65536;

/** A random number generator. The same seed gives the same sequence on every machine. */
export class RandomStream {
  #draw: ReturnType<typeof alea>;

  constructor(seed: string) {
    this.#draw = alea(seed, { state: true });
  }

  /** A random number, at least 0 and below 1, in steps of 2^-32. */
  next(): number {
    return this.#draw();
  }

  /**
   * A random number, at least `min` and below `max`, though rounding can yield `max` if the two are close. If `min`
   * exceeds `max`, the number is above `max` and at most `min`.
   */
  between(min: number, max: number): number {
    return min + (max - min) * this.#draw();
  }

  /** A random whole number from `min` to `max`, inclusive. Both must be whole, and `min` must not exceed `max`. */
  integer(min: number, max: number): number {
    assert(Number.isSafeInteger(min) && Number.isSafeInteger(max), 'the bounds of a random integer are integers');
    assert(min <= max, 'the minimum of a random integer is not above its maximum');
    const span = max - min + 1;
    return min + Math.floor(span * (span > WIDE_SPAN ? this.#draw.double() : this.#draw()));
  }

  /** One of the items, with equal probability; undefined, without a draw, if there are none. */
  pick<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : items[this.integer(0, items.length - 1)];
  }

  /** True with the given probability: never at 0 or below, always at 1 or above. Always draws once. */
  chance(probability: number): boolean {
    return this.#draw() < probability;
  }

  save(): RandomState {
    return this.#draw.state();
  }

  /** Continues exactly like the stream from which `state` was saved. */
  restore(state: RandomState): void {
    this.#draw = alea('', { state });
  }
}

/**
 * The random numbers of one simulation. Each use has its own stream, seeded from the seed and the stream's name, so
 * that an additional draw in one place does not affect the draws of another.
 */
export class RandomStreams {
  readonly #seed: string;
  readonly #streams = new Map<string, RandomStream>();

  constructor(seed: string) {
    this.#seed = seed;
  }

  /**
   * The stream with that name, always the same object. Callers should keep the stream instead of looking it up for each
   * draw.
   */
  stream(name: string): RandomStream {
    let stream = this.#streams.get(name);
    if (!stream) {
      stream = new RandomStream(`${this.#seed}/${name}`);
      this.#streams.set(name, stream);
    }
    return stream;
  }

  /** Restarts every stream from its seed. */
  restart(): void {
    for (const [name, stream] of this.#streams) stream.restore(new RandomStream(`${this.#seed}/${name}`).save());
  }

  /** The state of every stream that has been used, in the order of first use. */
  save(): Map<string, RandomState> {
    const saved = new Map<string, RandomState>();
    for (const [name, stream] of this.#streams) saved.set(name, stream.save());
    return saved;
  }

  /**
   * Restores the saved streams. Streams that are missing in the saved state were unused when it was saved, so they
   * restart from their seed. All other streams remain the same objects, so callers may keep them.
   */
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
