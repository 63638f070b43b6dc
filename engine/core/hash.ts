import { assert } from './assert.ts';
import { HIGH, highWord, LOW, lowWord } from './float-bits.ts';

// The kind of value that a word is part of. The tag goes into the mixing step itself, so 1, 1.0 as a float, "1" and true are four different
// things and no run of words of one kind can be mistaken for a run of another.
const INTEGER = 0x2545f491;
const WIDE_HIGH = 0x5bd1e995;
const WIDE_LOW = 0x1b56c4e9;
const FLOAT_HIGH = 0x7feb352d;
const FLOAT_LOW = 0x68e31da4;
const TEXT_LENGTH = 0x3c6ef372;
const TEXT_PART = 0x165667b1;
const LITERAL = 0x27d4eb2f;
const STRUCTURE = 0x4cf5ad43;
const FLOATS = 0x2c1b3c6d;
const INTEGERS = 0x7f4a7c15;
/** A multiplier whose bits are those of the golden ratio, and how far a lane is rotated before it is multiplied. */
const LANE_FACTOR = 0x9e3779b1;
const LANE_TURN = 13;
/** Engines may leave any sign and payload in a NaN: this is the high half that every NaN has here. */
const BROKEN = 0x7ff80000;

/** Separates the lanes of `floats` and `ints` from the state they start from. */
const LANE_STEP = 0x3c6ef371;

const NULL = 1;
const FALSE = 2;
const TRUE = 3;
const UNDEFINED = 4;
const ARRAY_OPEN = 5;
const ARRAY_CLOSE = 6;
const OBJECT_OPEN = 7;
const OBJECT_CLOSE = 8;

/**
 * A running 64-bit hash over typed values, for telling two simulation states apart: equal sequences of calls give equal digests on every
 * machine. Two 32-bit lanes in the manner of MurmurHash3, each with constants of its own, the second fed with the first. Not for secrets.
 * `int`, `float` and `string` allocate nothing.
 */
export class StateHasher {
  /** Two lanes and the count of words. A typed array, because in a plain field a number of 32 bits can end up boxed. */
  readonly #state = new Int32Array(3);
  constructor() {
    this.reset();
  }

  reset(): void {
    this.#state[0] = 0x6a09e667;
    this.#state[1] = 0xbb67ae85;
    this.#state[2] = 0;
  }

  /** A safe integer; -0 counts as 0. One that fits into 32 bits costs half of one that does not. */
  int(n: number): void {
    const small = n | 0;
    if (small === n) {
      mix(this.#state, small, INTEGER);
      return;
    }
    assert(Number.isSafeInteger(n), 'an integer to be hashed is a safe integer');
    mix(this.#state, Math.floor(n / 4294967296), WIDE_HIGH);
    mix(this.#state, n, WIDE_LOW);
  }

  /** All bits of the number: -0 and 0 differ, every NaN is the same. A float never equals an integer of the same value. */
  float(x: number): void {
    const broken = Number.isNaN(x);
    mix(this.#state, broken ? BROKEN : highWord(x), FLOAT_HIGH);
    mix(this.#state, broken ? 0 : lowWord(x), FLOAT_LOW);
  }

  /** The UTF-16 units of the text, lone surrogates included. */
  string(text: string): void {
    const { length } = text;
    mix(this.#state, length, TEXT_LENGTH);
    let i = 0;
    for (; i + 1 < length; i += 2) mix(this.#state, text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16), TEXT_PART);
    if (i < length) mix(this.#state, text.charCodeAt(i), TEXT_PART);
  }

  /** Many floats at once; like `float` it sees all bits, and every NaN as the same. Its digest differs from that of single calls of `float`. */
  floats(values: Float64Array): void {
    const { buffer, byteOffset, length } = values;
    mix(this.#state, length, FLOATS);
    const words = new Int32Array(buffer, byteOffset, length * 2);
    let a = this.#state[0]!;
    let b = this.#state[1]!;
    let c = a ^ LANE_STEP;
    let d = b ^ LANE_STEP;
    let i = 0;
    // Four lanes, because words of different lanes do not wait for each other.
    for (; i + 1 < length; i += 2) {
      const isOdd = Number.isNaN(values[i]!);
      const isNextOdd = Number.isNaN(values[i + 1]!);
      a = lane(a, isOdd ? 0 : words[2 * i + LOW]!);
      b = lane(b, isOdd ? BROKEN : words[2 * i + HIGH]!);
      c = lane(c, isNextOdd ? 0 : words[2 * i + 2 + LOW]!);
      d = lane(d, isNextOdd ? BROKEN : words[2 * i + 2 + HIGH]!);
    }
    if (i < length) {
      const isOdd = Number.isNaN(values[i]!);
      a = lane(a, isOdd ? 0 : words[2 * i + LOW]!);
      b = lane(b, isOdd ? BROKEN : words[2 * i + HIGH]!);
    }
    this.#mixLanes(a, b, c, d, FLOATS);
  }

  /** Many whole numbers at once, of any typed array of bytes or words. */
  ints(values: Uint8Array | Int32Array | Uint32Array): void {
    const { length } = values;
    mix(this.#state, length, INTEGERS);
    const words = wordsOf(values);
    let a = this.#state[0]!;
    let b = this.#state[1]!;
    let c = a ^ LANE_STEP;
    let d = b ^ LANE_STEP;
    const fours = words.length & ~3;
    for (let at = 0; at < fours; at += 4) {
      a = lane(a, words[at]!);
      b = lane(b, words[at + 1]!);
      c = lane(c, words[at + 2]!);
      d = lane(d, words[at + 3]!);
    }
    for (let at = fours; at < words.length; at++) a = lane(a, words[at]!);
    for (let i = (words.length * 4) / values.BYTES_PER_ELEMENT; i < length; i++) b = lane(b, values[i]!);
    this.#mixLanes(a, b, c, d, INTEGERS);
  }

  #mixLanes(a: number, b: number, c: number, d: number, tag: number): void {
    mix(this.#state, a, tag);
    mix(this.#state, b, tag);
    mix(this.#state, c, tag);
    mix(this.#state, d, tag);
  }

  /**
   * A JSON-like value: null, booleans, numbers (as floats), strings, arrays and plain objects, members in the order of their insertion.
   * A member that holds undefined counts as absent, as in JSON; elsewhere undefined is a value of its own. Anything else is a bug.
   */
  value(value: unknown): void {
    if (value === null) mix(this.#state, NULL, LITERAL);
    else if (value === undefined) mix(this.#state, UNDEFINED, LITERAL);
    else if (typeof value === 'boolean') mix(this.#state, value ? TRUE : FALSE, LITERAL);
    else if (typeof value === 'number') this.float(value);
    else if (typeof value === 'string') this.string(value);
    else if (Array.isArray(value)) {
      mix(this.#state, ARRAY_OPEN, STRUCTURE);
      for (let i = 0; i < value.length; i++) this.value(value[i]);
      mix(this.#state, ARRAY_CLOSE, STRUCTURE);
    } else {
      assert(isPlainObject(value), 'a value to be hashed is JSON-like');
      mix(this.#state, OBJECT_OPEN, STRUCTURE);
      for (const key of Object.keys(value)) {
        const member = value[key];
        if (member === undefined) continue;
        this.string(key);
        this.value(member);
      }
      mix(this.#state, OBJECT_CLOSE, STRUCTURE);
    }
  }

  /** The first 52 bits of the digest. */
  number(): number {
    const [first, second] = this.words();
    return first * 0x10_0000 + (second >>> 12);
  }

  /** 16 hexadecimal digits over everything since `reset`. The hash can go on from there. */
  digest(): string {
    const [first, second] = this.words();
    return hexOfWord(first) + hexOfWord(second);
  }

  /** The digest as two unsigned words. */
  words(): readonly [first: number, second: number] {
    let first = this.#state[0]! ^ this.#state[2]!;
    let second = this.#state[1]! ^ this.#state[2]!;
    // Each lane takes in the other before and after its bits are spread, so all 64 bits depend on both.
    first = (first + second) | 0;
    second = (second + first) | 0;
    first = spread(first);
    second = spread(second);
    first = (first + second) | 0;
    second = (second + first) | 0;
    return [first >>> 0, second >>> 0];
  }
}

/** One word into both lanes: MurmurHash3's step with the constants of its 32-bit form, and with those of its 128-bit form. */
function mix(state: Int32Array, word: number, tag: number): void {
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

/** One word into one lane: another word makes another state, and so does another state before it. */
function lane(state: number, word: number): number {
  const mixed = state ^ word;
  return Math.imul((mixed << LANE_TURN) | (mixed >>> (32 - LANE_TURN)), LANE_FACTOR);
}

/**
 * The whole words of an array, four bytes to each with the lowest first. The result is a view, or a copy of bytes that no view would show
 * so.
 */
function wordsOf(values: Uint8Array | Int32Array | Uint32Array): Int32Array {
  const { buffer, byteOffset, length } = values;
  if (values.BYTES_PER_ELEMENT === 4) return new Int32Array(buffer, byteOffset, length);
  const count = length >>> 2;
  if (LOW === 0 && byteOffset % 4 === 0) return new Int32Array(buffer, byteOffset, count);
  return Int32Array.from({ length: count }, (_, i) => {
    return values[4 * i]! | (values[4 * i + 1]! << 8) | (values[4 * i + 2]! << 16) | (values[4 * i + 3]! << 24);
  });
}

const textHasher = new StateHasher();

/** The digest of one text. */
export function hashText(text: string): string {
  textHasher.reset();
  textHasher.string(text);
  return textHasher.digest();
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The finishing step of MurmurHash3: each bit of the result depends on every bit of the word. */
function spread(word: number): number {
  let h = word;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function hexOfWord(word: number): string {
  // Numbers of 31 bits are made a text much faster than larger ones.
  return hexOfHalf(word >>> 16) + hexOfHalf(word & 0xffff);
}

function hexOfHalf(half: number): string {
  return (half | 0x1_0000).toString(16).slice(1);
}
