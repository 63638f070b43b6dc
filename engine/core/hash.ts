import { assert } from './assert.ts';
import { highWord, LOW, lowWord } from './float-bits.ts';
import { grown } from './grown.ts';

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
const ROWS = 0x5a82799b;
/** Engines may leave any sign and payload in a NaN: this is the high half that every NaN has here. */
const BROKEN = 0x7ff80000;

const LANE_C = 0x3c6ef372;
const LANE_D = 0x510e527f;

/** Floats that are looked at together. */
const block = 64;

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
  /** Of what is taken in four lanes, while it is. */
  readonly #lanes = new Int32Array(4);

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

  /**
   * Many floats at once; like `float` it sees all bits, and every NaN as the same. Not the same digest as that of as many calls of `float`.
   */
  floats(values: Float64Array): void {
    const { length } = values;
    mix(this.#state, length, FLOATS);
    this.#open();
    const words = halvesOf(values);
    for (let at = 0; at < length; at += block) this.#absorbFloats(values, words, at, Math.min(at + block, length));
    this.#close(FLOATS);
  }

  /**
   * Some rows of a table of floats, in the order in which they are listed: of each the first `width` of its `stride` numbers. As with `floats` every
   * NaN is the same.
   */
  rows(table: Float64Array, { count, list }: RowList, stride: number, width: number): void {
    mix(this.#state, count, ROWS);
    this.#open();
    const words = halvesOf(table);
    for (let i = 0; i < count; i++) this.#absorbFloats(table, words, list[i]! * stride, list[i]! * stride + width);
    this.#close(ROWS);
  }

  /** The floats from `start` to `end`. If one of them is no number, neither is their sum, which costs less than a look at each. */
  #absorbFloats(floats: Float64Array, words: Int32Array, start: number, end: number): void {
    const lanes = this.#lanes;
    let a = lanes[0]!;
    let b = lanes[1]!;
    let c = lanes[2]!;
    let d = lanes[3]!;
    let sum = 0;
    let other = 0;
    let at = start;
    for (; at + 1 < end; at += 2) {
      sum += floats[at]!;
      other += floats[at + 1]!;
      a = lane(a, words[2 * at + 1]!);
      b = lane(b, words[2 * at]!);
      c = lane(c, words[2 * at + 3]!);
      d = lane(d, words[2 * at + 2]!);
    }
    if (at < end) {
      sum += floats[at]!;
      a = lane(a, words[2 * at + 1]!);
      b = lane(b, words[2 * at]!);
    }
    if (Number.isNaN(sum + other) && unifyNaNs(floats, words, start, end)) {
      this.#absorbAgain(floats, words, start, end);
      return;
    }
    lanes[0] = a;
    lanes[1] = b;
    lanes[2] = c;
    lanes[3] = d;
  }

  /** Many whole numbers at once, of any typed array of bytes or words. */
  ints(values: Uint8Array | Int32Array | Uint32Array): void {
    const { length } = values;
    mix(this.#state, length, INTEGERS);
    this.#open();
    const words = wordsOf(values);
    this.#absorb(words);
    const lanes = this.#lanes;
    for (let i = (words.length * 4) / values.BYTES_PER_ELEMENT; i < length; i++) lanes[1] = lane(lanes[1]!, values[i]!);
    this.#close(INTEGERS);
  }

  #open(): void {
    this.#lanes[0] = this.#state[0]!;
    this.#lanes[1] = this.#state[1]!;
    this.#lanes[2] = this.#state[0]! ^ LANE_C;
    this.#lanes[3] = this.#state[1]! ^ LANE_D;
  }

  #close(tag: number): void {
    for (let i = 0; i < 4; i++) mix(this.#state, this.#lanes[i]!, tag);
  }

  /** Functions that call themselves are not inlined. */
  #absorbAgain(floats: Float64Array, words: Int32Array, start: number, end: number): void {
    this.#absorbFloats(floats, words, start, end);
  }

  /** Four lanes do not wait for each other. */
  #absorb(words: Int32Array): void {
    const lanes = this.#lanes;
    let a = lanes[0]!;
    let b = lanes[1]!;
    let c = lanes[2]!;
    let d = lanes[3]!;
    const fours = words.length & ~3;
    for (let at = 0; at < fours; at += 4) {
      a = lane(a, words[at]!);
      b = lane(b, words[at + 1]!);
      c = lane(c, words[at + 2]!);
      d = lane(d, words[at + 3]!);
    }
    for (let at = fours; at < words.length; at++) a = lane(a, words[at]!);
    lanes[0] = a;
    lanes[1] = b;
    lanes[2] = c;
    lanes[3] = d;
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
    const count = this.#state[2]!;
    let first = this.#state[0]! ^ count;
    let second = this.#state[1]! ^ count;
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

/** One word into one lane: for any state another word makes another state, and for any word another state does. */
function lane(state: number, word: number): number {
  const mixed = state ^ word;
  return Math.imul((mixed << 13) | (mixed >>> 19), 0x9e3779b1);
}

/** Engines may leave any sign and payload in a NaN. This gives every NaN the same bits; the result is whether any had others. */
function unifyNaNs(floats: Float64Array, words: Int32Array, start: number, end: number): boolean {
  let isAny = false;
  for (let at = start; at < end; at++) {
    if (!Number.isNaN(floats[at]) || (words[2 * at + 1] === BROKEN && words[2 * at] === 0)) continue;
    words[2 * at + 1] = BROKEN;
    words[2 * at] = 0;
    isAny = true;
  }
  return isAny;
}

/** Which rows of a table are hashed, and in which order. Used again by every hash. */
export class RowList {
  count = 0;
  list = new Int32Array(256);

  clear(): void {
    this.count = 0;
  }

  add(row: number): void {
    if (this.count === this.list.length) this.list = grown(this.list, this.count * 2);
    this.list[this.count++] = row;
  }
}

/** The halves of floats, the low one first: a view, or a copy on machines with another order. */
function halvesOf({ buffer, byteOffset, length }: Float64Array): Int32Array {
  const words = new Int32Array(buffer, byteOffset, length * 2);
  return LOW === 0 ? words : words.map((_, i) => words[i ^ 1]!);
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
  return word.toString(16).padStart(8, '0');
}
