/** A list of floats that grows and is used again: saving and hashing a state pass millions of numbers and keep none. */
export class NumberList {
  length = 0;
  private floats: Float64Array<ArrayBuffer>;

  constructor(capacity = 4096) {
    this.floats = new Float64Array(capacity);
  }

  clear(): void {
    this.length = 0;
  }

  push(value: number): void {
    if (this.length === this.floats.length) this.grow();
    this.floats[this.length++] = value;
  }

  /** Pushes a number and gives it back. */
  pass(value: number): number {
    this.push(value);
    return value;
  }

  /** `count` numbers of another list, from `start` on. */
  pushFrom(values: ArrayLike<number>, start: number, count: number): void {
    while (this.length + count > this.floats.length) this.grow();
    const { floats, length } = this;
    // A view costs as much as a loop over so many.
    if (count > 64 && values instanceof Float64Array) floats.set(values.subarray(start, start + count), length);
    else for (let i = 0; i < count; i++) floats[length + i] = values[start + i]!;
    this.length += count;
  }

  /** Room for `count` numbers behind the last, which count from now on and are the caller's to write. Good until the next push. */
  room(count: number): Float64Array<ArrayBuffer> {
    while (this.length + count > this.floats.length) this.grow();
    this.length += count;
    return this.floats.subarray(this.length - count, this.length);
  }

  pushZeros(count: number): void {
    while (this.length + count > this.floats.length) this.grow();
    this.floats.fill(0, this.length, this.length + count);
    this.length += count;
  }

  /** How many there are, and all of them. */
  pushAll(values: ArrayLike<number>): void {
    const { length } = values;
    this.push(length);
    while (this.length + length > this.floats.length) this.grow();
    if (ArrayBuffer.isView(values)) this.floats.set(values, this.length);
    else {
      const { floats } = this;
      for (let i = 0, at = this.length; i < length; i++) floats[at++] = values[i]!;
    }
    this.length += length;
  }

  /** A view of the numbers in the list, good until the next push or clear. */
  get view(): Float64Array<ArrayBuffer> {
    return this.floats.subarray(0, this.length);
  }

  private grow(): void {
    const grown = new Float64Array(this.floats.length * 2);
    grown.set(this.floats);
    this.floats = grown;
  }
}
