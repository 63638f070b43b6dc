/** Bytes that are not what they should be: cut short, damaged, or made by somebody else. */
export class MalformedBytes extends Error {}

type PackedArray = Uint8Array | Int32Array | Uint32Array | Float64Array;

// First bytes of numbers that are no small whole ones; what is below them is the number itself.
const POSITIVE = 248;
const NEGATIVE = 249;
const FLOAT = 250;

/** A writer that is used again keeps no more bytes than these. */
const keptMax = 4_194_304;

/** Grows as it is written to. Numbers are little-endian on every machine. */
export class ByteWriter {
  length = 0;
  private bytes: Uint8Array<ArrayBuffer>;
  private view: DataView<ArrayBuffer>;

  constructor(capacity = 1024) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** A view of the bytes written so far, good until the next write. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  /** A copy of what has been written. */
  take(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }

  /** To be used again. */
  clear(): void {
    this.length = 0;
    if (this.bytes.length <= keptMax) return;
    this.bytes = new Uint8Array(1024);
    this.view = new DataView(this.bytes.buffer);
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** A whole number from 0 to 2^53 - 1; small ones are short. */
  count(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  /** Any number, all bits; small whole ones take one byte. */
  number(value: number): void {
    // A minus zero is no integer here, so that its sign survives.
    if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
      this.byte(FLOAT);
      this.float(value);
    } else if (value >= 0 && value < POSITIVE) this.byte(value);
    else {
      this.byte(value < 0 ? NEGATIVE : POSITIVE);
      this.count(Math.abs(value));
    }
  }

  /**
   * A typed array. Most numbers are what the one before is: of each eight a byte says which are others, and only those follow. The number before the
   * first is zero.
   */
  packed(array: PackedArray): void {
    const { length } = array;
    this.count(length);
    this.reserve(length * array.BYTES_PER_ELEMENT + (length >>> 3) + 1);
    if (array instanceof Float64Array) this.packedFloats(array);
    else this.packedIntegers(array);
  }

  /** Zeros are one number here unless their signs differ, and so is every NaN. */
  private packedFloats(array: Float64Array): void {
    const { bytes, view } = this;
    const { length } = array;
    let { length: at } = this;
    let former = 0;
    for (let start = 0; start < length; start += 8) {
      const end = Math.min(length, start + 8);
      const maskAt = at++;
      let others = 0;
      for (let i = start; i < end; i++) {
        const value = array[i]!;
        if (Object.is(value, former)) continue;
        former = value;
        others |= 1 << (i - start);
        if (Number.isNaN(value)) writeNaN(view, at);
        else view.setFloat64(at, value, true);
        at += 8;
      }
      bytes[maskAt] = others;
    }
    this.length = at;
  }

  private packedIntegers(array: Exclude<PackedArray, Float64Array>): void {
    const { bytes, view } = this;
    const { length, BYTES_PER_ELEMENT: size } = array;
    let { length: at } = this;
    let former = 0;
    for (let start = 0; start < length; start += 8) {
      const end = Math.min(length, start + 8);
      const maskAt = at++;
      let others = 0;
      for (let i = start; i < end; i++) {
        const value = array[i]!;
        if (value === former) continue;
        former = value;
        others |= 1 << (i - start);
        if (size === 1) bytes[at] = value;
        else view.setInt32(at, value, true);
        at += size;
      }
      bytes[maskAt] = others;
    }
    this.length = at;
  }

  /** All bits, except that every NaN is the same. */
  float(value: number): void {
    this.reserve(8);
    if (Number.isNaN(value)) writeNaN(this.view, this.length);
    else this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /** UTF-16 units, lone surrogates included: two bytes each, or one where none is above 255. */
  text(text: string): void {
    const { length } = text;
    let isWide = false;
    for (let i = 0; i < length && !isWide; i++) isWide = text.charCodeAt(i) > 255;
    this.count(length * 2 + (isWide ? 1 : 0));
    this.reserve(length * 2);
    const { bytes } = this;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      bytes[this.length++] = unit;
      if (isWide) bytes[this.length++] = unit >> 8;
    }
  }

  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** All that another has written. */
  append(other: ByteWriter): void {
    this.raw(other.written);
  }

  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }
}

function writeNaN(to: DataView, at: number): void {
  to.setUint32(at, 0, true);
  to.setUint32(at + 4, 0x7ff80000, true);
}

/** Reads what a `ByteWriter` wrote. Throws `MalformedBytes` rather than reading beyond the end; allocates nothing larger than the rest. */
export class ByteReader {
  at = 0;
  private readonly bytes: Uint8Array;
  private readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes not yet read. */
  get rest(): number {
    return this.bytes.length - this.at;
  }

  byte(): number {
    this.need(1);
    return this.bytes[this.at++]!;
  }

  count(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 8; i++) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
      scale *= 128;
    }
    throw new MalformedBytes('A count is too large.');
  }

  number(): number {
    const byte = this.byte();
    if (byte < POSITIVE) return byte;
    if (byte === POSITIVE) return this.count();
    if (byte === NEGATIVE) return -this.count();
    if (byte === FLOAT) return this.float();
    throw new MalformedBytes(`No number begins with ${byte}.`);
  }

  /** Its length must be known beforehand to be possible: at most eight elements for each byte that is left. */
  packed<A extends PackedArray>(make: new (length: number) => A): A {
    const length = this.count();
    if (length / 8 > this.rest) throw new MalformedBytes(`${length} elements do not fit into ${this.rest} bytes.`);
    const array = new make(length);
    const isFloats = array instanceof Float64Array;
    let former = 0;
    for (let start = 0; start < length; start += 8) {
      const others = this.byte();
      // Lists begin as zeros, and most of them stay so.
      if (others === 0 && Object.is(former, 0)) continue;
      const end = Math.min(length, start + 8);
      for (let i = start, rest = others; i < end; i++, rest >>= 1) {
        if ((rest & 1) !== 0) former = isFloats ? this.float() : this.integer(array.BYTES_PER_ELEMENT);
        array[i] = former;
      }
    }
    return array;
  }

  /** How many things follow that take at least `bytesEach` bytes each: no more than there is room for. */
  countOf(bytesEach: number): number {
    const count = this.count();
    if (count * bytesEach > this.rest)
      throw new MalformedBytes(`${count} elements do not fit into ${this.rest} bytes.`);
    return count;
  }

  float(): number {
    this.need(8);
    const value = this.view.getFloat64(this.at, true);
    this.at += 8;
    return value;
  }

  private integer(size: number): number {
    if (size === 1) return this.byte();
    this.need(4);
    this.at += 4;
    return this.view.getInt32(this.at - 4, true);
  }

  text(): string {
    const head = this.count();
    const length = Math.floor(head / 2);
    const width = 1 + (head % 2);
    this.need(length * width);
    let text = '';
    // In parts, because the arguments of one call have a limit.
    for (let start = 0; start < length; start += 4096) text += this.units(Math.min(4096, length - start), width);
    return text;
  }

  private units(count: number, width: number): string {
    const { bytes, at } = this;
    this.at += count * width;
    if (width === 1) return fromUnits(bytes.subarray(at, at + count));
    const units = new Uint16Array(count);
    for (let i = 0; i < count; i++) units[i] = bytes[at + 2 * i]! | (bytes[at + 2 * i + 1]! << 8);
    return fromUnits(units);
  }

  /** A part of the bytes, not copied. */
  raw(length: number): Uint8Array {
    this.need(length);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  private need(length: number): void {
    if (length > this.rest) throw new MalformedBytes(`The bytes end where ${length} more are needed.`);
  }
}

function fromUnits(units: Uint8Array | Uint16Array): string {
  // A typed array is as good a list of arguments as any; only the types of `apply` do not know it.
  return String.fromCharCode.apply(null, units as unknown as number[]);
}
