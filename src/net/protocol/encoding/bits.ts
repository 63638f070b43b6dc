import { MalformedBytes } from '../../../../engine/core/index.ts';

/** A position in the output of a `BitWriter`. */
interface BitMark {
  readonly length: number;
  readonly rest: number;
  readonly restBits: number;
}

/**
 * Writes bits, lowest first within each byte. Frames are bit streams because most of their numbers are small, and many
 * are a single bit.
 */
export class BitWriter {
  private bytes: Uint8Array<ArrayBuffer>;
  private length = 0;
  /** The bits that do not fill a byte yet, and their number. */
  private rest = 0;
  private restBits = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  clear() {
    this.length = 0;
    this.rest = 0;
    this.restBits = 0;
  }

  /** The current position, for `reset`. */
  mark(): BitMark {
    return { length: this.length, rest: this.rest, restBits: this.restBits };
  }

  /** Discards everything written after the mark. */
  reset({ length, rest, restBits }: BitMark) {
    this.length = length;
    this.rest = rest;
    this.restBits = restBits;
  }

  /** A copy of what was written, padded with zero bits to whole bytes. The writer can continue afterwards. */
  take(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.length + (this.restBits > 0 ? 1 : 0));
    whole.set(this.bytes.subarray(0, this.length));
    if (this.restBits > 0) whole[this.length] = this.rest;
    return whole;
  }

  /** Writes a bit. Returns it, so that a caller can write a condition and act on it in one expression. */
  flag(value: boolean): boolean {
    this.bits(value ? 1 : 0, 1);
    return value;
  }

  /** Writes the lowest `count` bits (at most 24) of a non-negative integer. */
  bits(value: number, count: number) {
    let rest = this.rest | (value << this.restBits);
    let bits = this.restBits + count;
    if (this.length + 4 > this.bytes.length) this.grow(4);
    while (bits >= 8) {
      this.bytes[this.length++] = rest;
      rest >>>= 8;
      bits -= 8;
    }
    this.rest = rest;
    this.restBits = bits;
  }

  /**
   * Writes an integer from 0 to 2^30 as an Exp-Golomb code of the given order: short if the value is not much above
   * 2^`order`.
   */
  count(value: number, order: number) {
    const shifted = value + 2 ** order;
    const size = 31 - Math.clz32(shifted);
    // A code consists of one 1 for each bit beyond the order, a 0, and the bits below the highest.
    const extra = size - order;
    if (extra > 0) this.bits32(2 ** extra - 1, extra);
    this.bits(0, 1);
    this.bits32(shifted - 2 ** size, size);
  }

  /** Like `count`, for integers of either sign (zigzag). */
  signed(value: number, order: number) {
    this.count(value < 0 ? -2 * value - 1 : 2 * value, order);
  }

  /**
   * Writes an integer from 0 to 2^53 - 1 in groups of seven bits, lowest first, each with a continuation bit (LEB128).
   */
  large(value: number) {
    let rest = value;
    while (rest > 127) {
      this.bits((rest % 128) | 128, 8);
      rest = Math.floor(rest / 128);
    }
    this.bits(rest, 8);
  }

  /** Like `large`, for integers of either sign with a magnitude below 2^52 (zigzag). */
  largeSigned(value: number) {
    this.large(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /**
   * Writes an integer of either sign with a magnitude below 2^52: like `signed` with the given order if it is small,
   * otherwise like `largeSigned`.
   */
  integer(value: number, order: number) {
    if (this.flag(Math.abs(value) < 2 ** 20)) this.signed(value, order);
    else this.largeSigned(value);
  }

  /** Like `integer`, but also for NaN and the infinities. */
  quantity(value: number, order: number) {
    if (this.flag(Number.isFinite(value))) this.integer(value, order);
    else this.bits(Number.isNaN(value) ? 0 : value > 0 ? 1 : 2, 2);
  }

  float32(value: number) {
    scratch.setFloat32(0, value, true);
    this.bits(scratch.getUint16(0, true), 16);
    this.bits(scratch.getUint16(2, true), 16);
  }

  /** Writes the length and the UTF-16 code units: one byte each if all fit, otherwise two. */
  text(text: string) {
    let isWide = false;
    for (let i = 0; i < text.length && !isWide; i++) isWide = text.charCodeAt(i) > 255;
    this.large(text.length * 2 + (isWide ? 1 : 0));
    for (let i = 0; i < text.length; i++) this.bits(text.charCodeAt(i), isWide ? 16 : 8);
  }

  /** Writes the length, then the bytes. */
  raw(bytes: Uint8Array) {
    this.large(bytes.length);
    for (const byte of bytes) this.bits(byte, 8);
  }

  /** Appends everything that another writer holds. */
  append(other: BitWriter) {
    for (let i = 0; i < other.length; i++) this.bits(other.bytes[i]!, 8);
    this.bits(other.rest, other.restBits);
  }

  private bits32(value: number, count: number) {
    if (count > 24) {
      this.bits(value % 2 ** 24, 24);
      this.bits(Math.floor(value / 2 ** 24), count - 24);
    } else this.bits(value, count);
  }

  private grow(more: number) {
    const grown = new Uint8Array(Math.max(this.length + more, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}

/** Reads what a `BitWriter` wrote. Throws `MalformedBytes` rather than reading beyond the end. */
export class BitReader {
  private at = 0;
  private rest = 0;
  private restBits = 0;

  constructor(private readonly bytes: Uint8Array) {}

  /** The number of bits that are not read yet. */
  get left(): number {
    return (this.bytes.length - this.at) * 8 + this.restBits;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  /** Reads up to 24 bits as a non-negative integer. */
  bits(count: number): number {
    while (this.restBits < count) {
      if (this.at >= this.bytes.length) throw new MalformedBytes('Unexpected end of the frame.');
      this.rest |= this.bytes[this.at++]! << this.restBits;
      this.restBits += 8;
    }
    const value = this.rest & ((1 << count) - 1);
    this.rest >>>= count;
    this.restBits -= count;
    return value;
  }

  count(order: number): number {
    let size = order;
    while (this.bits(1) === 1) {
      size++;
      if (size > 30) throw new MalformedBytes('A number in the frame is too large.');
    }
    return 2 ** size + this.bits32(size) - 2 ** order;
  }

  signed(order: number): number {
    const value = this.count(order);
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  large(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 8; i++) {
      const group = this.bits(8);
      value += (group & 127) * scale;
      if (group < 128) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
      scale *= 128;
    }
    throw new MalformedBytes('A number in the frame is too large.');
  }

  largeSigned(): number {
    const value = this.large();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  /**
   * Reads a count of things that take at least `bitsEach` bits each. Throws `MalformedBytes` if the frame has too few
   * bits left for them.
   */
  largeCountOf(bitsEach: number): number {
    return this.checkedCount(this.large(), bitsEach);
  }

  countOf(order: number, bitsEach: number): number {
    return this.checkedCount(this.count(order), bitsEach);
  }

  integer(order: number): number {
    return this.flag() ? this.signed(order) : this.largeSigned();
  }

  quantity(order: number): number {
    if (this.flag()) return this.integer(order);
    const which = this.bits(2);
    return which === 0 ? NaN : which === 1 ? Infinity : -Infinity;
  }

  float32(): number {
    scratch.setUint16(0, this.bits(16), true);
    scratch.setUint16(2, this.bits(16), true);
    return scratch.getFloat32(0, true);
  }

  text(): string {
    const head = this.large();
    const width = head % 2 === 1 ? 16 : 8;
    const length = this.checkedCount(Math.floor(head / 2), width);
    let text = '';
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.bits(width));
    return text;
  }

  raw(): Uint8Array {
    const bytes = new Uint8Array(this.largeCountOf(8));
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.bits(8);
    return bytes;
  }

  private checkedCount(count: number, bitsEach: number) {
    if (count * bitsEach > this.left) throw new MalformedBytes('A count exceeds the length of the frame.');
    return count;
  }

  private bits32(count: number) {
    if (count <= 24) return this.bits(count);
    const low = this.bits(24);
    return low + this.bits(count - 24) * 2 ** 24;
  }
}

const scratch = new DataView(new ArrayBuffer(4));
