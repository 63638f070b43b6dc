import { MalformedBytes } from '../../../engine/core/bytes.ts';

/** A place in what a `BitWriter` has written. */
interface BitMark {
  readonly length: number;
  readonly rest: number;
  readonly restBits: number;
}

/** Most numbers of a frame are small and many are one bit, so frames are made of bits, the lowest of each byte first. */
export class BitWriter {
  private bytes: Uint8Array<ArrayBuffer>;
  private length = 0;
  /** Bits that are no whole byte yet, and how many. */
  private rest = 0;
  private restBits = 0;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
  }

  get bitLength(): number {
    return this.length * 8 + this.restBits;
  }

  clear(): void {
    this.length = 0;
    this.rest = 0;
    this.restBits = 0;
  }

  /** Where the writer is, to come back to by `reset`. */
  mark(): BitMark {
    return { length: this.length, rest: this.rest, restBits: this.restBits };
  }

  /** Forgets what was written after the mark. */
  reset({ length, rest, restBits }: BitMark): void {
    this.length = length;
    this.rest = rest;
    this.restBits = restBits;
  }

  /** A fresh copy of what was written, filled up with zeros to whole bytes. The writer can go on. */
  take(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.length + (this.restBits > 0 ? 1 : 0));
    whole.set(this.bytes.subarray(0, this.length));
    if (this.restBits > 0) whole[this.length] = this.rest;
    return whole;
  }

  flag(value: boolean): void {
    this.bits(value ? 1 : 0, 1);
  }

  /** The lowest `count` bits of a number from 0; at most 24. */
  bits(value: number, count: number): void {
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

  /** A whole number from 0 to 2^30: short if it is below 2^`order` or not much more (Exp-Golomb code). */
  count(value: number, order: number): void {
    const shifted = value + 2 ** order;
    const size = 31 - Math.clz32(shifted);
    // As many ones as there are bits beyond the order, then a zero, then the bits below the highest.
    const extra = size - order;
    if (extra > 0) this.bits32(2 ** extra - 1, extra);
    this.bits(0, 1);
    this.bits32(shifted - 2 ** size, size);
  }

  /** A whole number of either sign, as `count`. */
  signed(value: number, order: number): void {
    this.count(value < 0 ? -2 * value - 1 : 2 * value, order);
  }

  /** A whole number from 0 to 2^53 - 1: groups of seven bits, each with a bit that says whether another follows. */
  large(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.bits((rest % 128) | 128, 8);
      rest = Math.floor(rest / 128);
    }
    this.bits(rest, 8);
  }

  /** A whole number of either sign whose magnitude is below 2^52. */
  largeSigned(value: number): void {
    this.large(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** A whole number of either sign whose magnitude is below 2^52; short if it is small. */
  integer(value: number, order: number): void {
    const isSmall = Math.abs(value) < 2 ** 20;
    this.flag(isSmall);
    if (isSmall) this.signed(value, order);
    else this.largeSigned(value);
  }

  /** As `integer`, also for the infinite and for what is no number. */
  quantity(value: number, order: number): void {
    const isNumber = Number.isFinite(value);
    this.flag(isNumber);
    if (isNumber) this.integer(value, order);
    else this.bits(Number.isNaN(value) ? 0 : value > 0 ? 1 : 2, 2);
  }

  float32(value: number): void {
    scratch.setFloat32(0, value, true);
    this.bits(scratch.getUint16(0, true), 16);
    this.bits(scratch.getUint16(2, true), 16);
  }

  /** UTF-16 units, one byte each where that is enough. */
  text(text: string): void {
    let isWide = false;
    for (let i = 0; i < text.length && !isWide; i++) isWide = text.charCodeAt(i) > 255;
    this.large(text.length * 2 + (isWide ? 1 : 0));
    for (let i = 0; i < text.length; i++) this.bits(text.charCodeAt(i), isWide ? 16 : 8);
  }

  /** A count, then the bytes. */
  raw(bytes: Uint8Array): void {
    this.large(bytes.length);
    for (const byte of bytes) this.bits(byte, 8);
  }

  /** All that another has written. */
  append(other: BitWriter): void {
    for (let i = 0; i < other.length; i++) this.bits(other.bytes[i]!, 8);
    this.bits(other.rest, other.restBits);
  }

  private bits32(value: number, count: number): void {
    if (count > 24) {
      this.bits(value % 2 ** 24, 24);
      this.bits(Math.floor(value / 2 ** 24), count - 24);
    } else this.bits(value, count);
  }

  private grow(more: number): void {
    const grown = new Uint8Array(Math.max(this.length + more, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
  }
}

/** Reads what a `BitWriter` wrote. Throws `MalformedBytes` rather than reading beyond the end. */
export class BitReader {
  private readonly bytes: Uint8Array;
  private at = 0;
  private rest = 0;
  private restBits = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Bits not yet read. */
  get left(): number {
    return (this.bytes.length - this.at) * 8 + this.restBits;
  }

  flag(): boolean {
    return this.bits(1) === 1;
  }

  /** At most 24. */
  bits(count: number): number {
    while (this.restBits < count) {
      if (this.at >= this.bytes.length) throw new MalformedBytes('The frame ends too early.');
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
      if (size > 30) throw new MalformedBytes('A number of the frame is too large.');
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
    throw new MalformedBytes('A number of the frame is too large.');
  }

  largeSigned(): number {
    const value = this.large();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  /** How many things follow that take at least so many bits each: no more than there is room for. */
  largeCountOf(bitsEach: number): number {
    return this.room(this.large(), bitsEach);
  }

  countOf(order: number, bitsEach: number): number {
    return this.room(this.count(order), bitsEach);
  }

  integer(order: number): number {
    return this.flag() ? this.signed(order) : this.largeSigned();
  }

  quantity(order: number): number {
    if (this.flag()) return this.integer(order);
    const which = this.bits(2);
    return which === 0 ? Number.NaN : which === 1 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }

  float32(): number {
    scratch.setUint16(0, this.bits(16), true);
    scratch.setUint16(2, this.bits(16), true);
    return scratch.getFloat32(0, true);
  }

  text(): string {
    const head = this.large();
    const width = head % 2 === 1 ? 16 : 8;
    const length = this.room(Math.floor(head / 2), width);
    let text = '';
    for (let i = 0; i < length; i++) text += String.fromCharCode(this.bits(width));
    return text;
  }

  raw(): Uint8Array {
    const bytes = new Uint8Array(this.largeCountOf(8));
    for (let i = 0; i < bytes.length; i++) bytes[i] = this.bits(8);
    return bytes;
  }

  private room(count: number, bitsEach: number): number {
    if (count * bitsEach > this.left) throw new MalformedBytes('The frame is shorter than it says.');
    return count;
  }

  private bits32(count: number): number {
    if (count <= 24) return this.bits(count);
    const low = this.bits(24);
    return low + this.bits(count - 24) * 2 ** 24;
  }
}

const scratch = new DataView(new ArrayBuffer(4));
