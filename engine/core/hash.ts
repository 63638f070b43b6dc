import { assert } from './assert.ts';
import { highWord, lowWord } from './float-bits.ts';

// Tags for the type of value that a word belongs to. The tag is part of the mixing step, so that the integer 1, the
// float 1, "1" and true hash differently, and no sequence of words of one type can be mistaken for another.
const INTEGER = 0x2545f491;
const FLOAT_HIGH = 0x7feb352d;
const FLOAT_LOW = 0x68e31da4;
const TEXT_LENGTH = 0x3c6ef372;
const TEXT_PART = 0x165667b1;
const LITERAL = 0x27d4eb2f;
const BYTES_LENGTH = 0x7f4a7c15;
const BYTES_PART = 0x2c1b3c6d;
/** The high word that is hashed for every NaN, because engines may leave any sign and payload in a NaN. */
const BROKEN = 0x7ff80000;

const literals: readonly unknown[] = [null, false, true, undefined];

/**
 * An incremental 64-bit hash of typed values, to compare simulation states: equal sequences of calls give equal digests
 * on every machine. Two 32-bit lanes in the style of MurmurHash3, with different constants, the first feeding the
 * second. Not cryptographic. `int`, `float` and `string` allocate nothing.
 */
export class StateHasher {
  /**
   * The two lanes and the number of words. A typed array, because V8 can box a 32-bit number that is stored in a plain
   * field.
   */
  readonly #state = new Int32Array(3);

  constructor() {
    this.reset();
  }

  reset(): void {
    this.#state[0] = 0x6a09e667;
    this.#state[1] = 0xbb67ae85;
    this.#state[2] = 0;
  }

  /** Adds a 32-bit integer; -0 counts as 0. */
  int(n: number): void {
    assert((n | 0) === n, 'an integer to be hashed has 32 bits');
    mix(this.#state, n, INTEGER);
  }

  /**
   * Adds all bits of a number: -0 and 0 differ, all NaN are equal. A float hashes differently from an integer of the
   * same value.
   */
  float(x: number): void {
    const broken = Number.isNaN(x);
    mix(this.#state, broken ? BROKEN : highWord(x), FLOAT_HIGH);
    mix(this.#state, broken ? 0 : lowWord(x), FLOAT_LOW);
  }

  /** Adds the UTF-16 code units of a string, including lone surrogates. */
  string(text: string): void {
    const { length } = text;
    mix(this.#state, length, TEXT_LENGTH);
    let i = 0;
    for (; i + 1 < length; i += 2) mix(this.#state, text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16), TEXT_PART);
    if (i < length) mix(this.#state, text.charCodeAt(i), TEXT_PART);
  }

  bytes(values: Uint8Array): void {
    const { length } = values;
    mix(this.#state, length, BYTES_LENGTH);
    let i = 0;
    for (; i + 3 < length; i += 4) {
      mix(
        this.#state,
        values[i]! | (values[i + 1]! << 8) | (values[i + 2]! << 16) | (values[i + 3]! << 24),
        BYTES_PART,
      );
    }
    for (; i < length; i++) mix(this.#state, values[i]!, BYTES_PART);
  }

  /** Adds a primitive value: undefined, null, a boolean, a number (as a float) or a string. Anything else is a bug. */
  value(value: unknown): void {
    if (typeof value === 'number') this.float(value);
    else if (typeof value === 'string') this.string(value);
    else {
      const literal = literals.indexOf(value);
      assert(literal >= 0, 'only primitive values can be hashed');
      mix(this.#state, literal + 1, LITERAL);
    }
  }

  /** The hash of everything added since `reset`, as 16 hexadecimal digits. More values can be added afterwards. */
  digest(): string {
    let first = this.#state[0]! ^ this.#state[2]!;
    let second = this.#state[1]! ^ this.#state[2]!;
    // Each lane is combined with the other before and after the finishing step, so that all 64 bits depend on both.
    first = (first + second) | 0;
    second = (second + first) | 0;
    first = spread(first);
    second = spread(second);
    first = (first + second) | 0;
    second = (second + first) | 0;
    return hexOfWord(first) + hexOfWord(second);
  }
}

/**
 * Mixes a word into both lanes. Each lane uses the mixing step of MurmurHash3: the first with the constants of its
 * 32-bit version, the second with those of its 128-bit version.
 */
function mix(state: Int32Array, word: number, tag: number) {
  let first = Math.imul(word, 0xcc9e2d51);
  first = (first << 15) | (first >>> 17);
  first = state[0]! ^ Math.imul(first, 0x1b873593);
  first = (first << 13) | (first >>> 19);
  first = (Math.imul(first, 5) + tag) | 0;
  let second = Math.imul(word ^ tag, 0x239b961b);
  second = (second << 16) | (second >>> 16);
  second = state[1]! ^ Math.imul(second, 0xab0e9789);
  second = (second << 17) | (second >>> 15);
  second = (Math.imul((second + first) | 0, 5) + 0x561ccd1b) | 0;
  state[0] = first;
  state[1] = second;
  state[2] = state[2]! + 1;
}

const textHasher = new StateHasher();

/** The digest of one string. */
export function hashText(text: string): string {
  textHasher.reset();
  textHasher.string(text);
  return textHasher.digest();
}

/** The finishing step of MurmurHash3: each bit of the result depends on every bit of the word. */
function spread(word: number) {
  let h = word;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function hexOfWord(word: number) {
  // Converts in halves: numbers of at most 31 bits are converted to strings much faster than larger ones.
  return hexOfHalf(word >>> 16) + hexOfHalf(word & 0xffff);
}

function hexOfHalf(half: number) {
  return (half | 0x1_0000).toString(16).slice(1);
}
