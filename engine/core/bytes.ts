/** Thrown for bytes that cannot be decoded: truncated, corrupted, or not written by `ByteWriter`. */
export class MalformedBytes extends Error {}

/** Thrown when a writer would exceed its maximum number of bytes. */
export class TooManyBytes extends Error {
  constructor(bytesMax: number) {
    super(`The data would take more than ${bytesMax} bytes.`);
  }
}

type PackedArray = Uint8Array | Int32Array | Uint32Array | Float64Array;

// Tags of encoded numbers. A first byte below 248 is not a tag, but the number itself.
const POSITIVE = 248;
const NEGATIVE = 249;
const FLOAT = 250;

/** Maximum buffer size that a writer keeps when it is cleared. */
const keptMax = 4_194_304;

/** A growing byte buffer. Numbers are little-endian on every machine. */
export class ByteWriter {
  length = 0;
  private bytes: Uint8Array<ArrayBuffer>;
  private view: DataView<ArrayBuffer>;
  /** The length that the buffer can reach without being reallocated and without exceeding `bytesMax`. */
  private room: number;

  constructor(
    capacity = 1024,
    private bytesMax: number = Infinity,
  ) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
    this.room = Math.min(capacity, bytesMax);
  }

  /** A view of the bytes written so far, valid until the next write. */
  get written(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  /** A copy of the bytes written so far. */
  take(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }

  /** Empties the writer for reuse. Writing more than `bytesMax` will throw `TooManyBytes`. */
  clear(bytesMax = Infinity): void {
    this.length = 0;
    this.bytesMax = bytesMax;
    if (this.bytes.length > keptMax) {
      this.bytes = new Uint8Array(1024);
      this.view = new DataView(this.bytes.buffer);
    }
    this.room = Math.min(this.bytes.length, bytesMax);
  }

  byte(value: number): void {
    this.reserve(1);
    this.bytes[this.length++] = value;
  }

  /** Writes a whole number from 0 to 2^53 - 1 with a variable length: small numbers take fewer bytes. */
  count(value: number): void {
    this.reserve(8);
    let rest = value;
    while (rest > 127) {
      this.bytes[this.length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.bytes[this.length++] = rest;
  }

  /** Writes any number exactly; small whole numbers take one byte. */
  number(value: number): void {
    // -0 is written as a float, to keep its sign.
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
   * Writes a typed array. Most numbers equal their predecessor, so each group of eight starts with a byte of flags,
   * which marks the numbers that differ from their predecessor; only these follow. The predecessor of the first number
   * is 0.
   */
  packed(array: PackedArray): void {
    const { length } = array;
    this.count(length);
    this.reserve(length * array.BYTES_PER_ELEMENT + (length >>> 3) + 1);
    if (array instanceof Float64Array) this.packedFloats(array);
    else this.packedIntegers(array);
  }

  /** Numbers are compared by `Object.is`: 0 and -0 differ, and all NaN are equal. */
  private packedFloats(array: Float64Array) {
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

  private packedIntegers(array: Exclude<PackedArray, Float64Array>) {
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

  /** Writes all 64 bits of a number, except that all NaN are written alike. */
  float(value: number): void {
    this.reserve(8);
    if (Number.isNaN(value)) writeNaN(this.view, this.length);
    else this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  /**
   * Writes the UTF-16 code units of a string, including lone surrogates: one byte each if none is above 255, otherwise
   * two.
   */
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

  /** Appends everything that another writer has written. */
  append(other: ByteWriter): void {
    this.raw(other.written);
  }

  private reserve(more: number) {
    const needed = this.length + more;
    if (needed <= this.room) return;
    if (needed > this.bytesMax) throw new TooManyBytes(this.bytesMax);
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
    this.room = Math.min(grown.length, this.bytesMax);
  }
}

function writeNaN(to: DataView, at: number) {
  to.setUint32(at, 0, true);
  to.setUint32(at + 4, 0x7ff80000, true);
}

/**
 * Reads what a `ByteWriter` wrote. Throws `MalformedBytes` instead of reading past the end. Allocations are bounded by
 * the number of bytes left.
 */
export class ByteReader {
  at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Number of bytes not yet read. */
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
    throw new MalformedBytes('Damaged data: a count is too large.');
  }

  number(): number {
    const byte = this.byte();
    if (byte < POSITIVE) return byte;
    if (byte === POSITIVE) return this.count();
    if (byte === NEGATIVE) return -this.count();
    if (byte === FLOAT) return this.float();
    throw new MalformedBytes(`Damaged data: a number starts with the invalid byte ${byte}.`);
  }

  /**
   * Reads a typed array that `ByteWriter.packed` wrote. Checks the length before it allocates: each byte of flags
   * stands for at most eight elements.
   */
  packed<A extends PackedArray>(make: new (length: number) => A): A {
    const length = this.count();
    if (length / 8 > this.rest)
      throw new MalformedBytes(`Damaged data: ${length} elements do not fit into ${this.rest} bytes.`);
    const array = new make(length);
    const isFloats = array instanceof Float64Array;
    let former = 0;
    for (let start = 0; start < length; start += 8) {
      const others = this.byte();
      // A new array is all zeros, so runs of zeros need no writes.
      if (others === 0 && Object.is(former, 0)) continue;
      const end = Math.min(length, start + 8);
      for (let i = start, rest = others; i < end; i++, rest >>= 1) {
        if ((rest & 1) !== 0) former = isFloats ? this.float() : this.integer(array.BYTES_PER_ELEMENT);
        array[i] = former;
      }
    }
    return array;
  }

  /**
   * Reads the number of elements that follow, each of which takes at least `bytesEach` bytes. Throws `MalformedBytes`
   * if they cannot fit into the remaining bytes.
   */
  countOf(bytesEach: number): number {
    const count = this.count();
    if (count * bytesEach > this.rest)
      throw new MalformedBytes(`Damaged data: ${count} elements do not fit into ${this.rest} bytes.`);
    return count;
  }

  float(): number {
    this.need(8);
    const value = this.view.getFloat64(this.at, true);
    this.at += 8;
    return value;
  }

  private integer(size: number) {
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
    // In chunks, because the number of arguments of a call is limited.
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

  /** The next `length` bytes, as a view without copying. */
  raw(length: number): Uint8Array {
    this.need(length);
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  private need(length: number) {
    if (length > this.rest)
      throw new MalformedBytes(`The data ends too early: ${length} bytes are needed, but ${this.rest} are left.`);
  }
}

function fromUnits(units: Uint8Array | Uint16Array) {
  // `apply` accepts a typed array, but its type does not allow one.
  return String.fromCharCode.apply(null, units as unknown as number[]);
}
