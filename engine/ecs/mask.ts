import { assert } from '../core/assert.ts';

/** A set of components: a bit for each, in two words of 32. So a world can have 64; a third word would be one more member and column here. */
export interface Mask {
  readonly low: number;
  readonly high: number;
}

/** The masks of all rows. */
export interface MaskColumns {
  readonly maskLow: Int32Array;
  readonly maskHigh: Int32Array;
}

const bitsMax = 64;

export const noBits: Mask = { low: 0, high: 0 };

export function bitAt(index: number): Mask {
  assert(index < bitsMax, `a mask has ${bitsMax} bits`);
  return index < 32 ? { low: 1 << index, high: 0 } : { low: 0, high: 1 << (index - 32) };
}

export function union(a: Mask, b: Mask): Mask {
  return { low: a.low | b.low, high: a.high | b.high };
}

export function without(a: Mask, b: Mask): Mask {
  return { low: a.low & ~b.low, high: a.high & ~b.high };
}

export function includesAll({ low, high }: Mask, bits: Mask): boolean {
  return (low & bits.low) === bits.low && (high & bits.high) === bits.high;
}

/** As `includesAll`, of the mask of a row. */
export function rowHas({ maskLow, maskHigh }: MaskColumns, row: number, bits: Mask): boolean {
  return (maskLow[row]! & bits.low) === bits.low && (maskHigh[row]! & bits.high) === bits.high;
}

export function maskAt({ maskLow, maskHigh }: MaskColumns, row: number): Mask {
  return { low: maskLow[row]!, high: maskHigh[row]! };
}

export function setMask({ maskLow, maskHigh }: MaskColumns, row: number, { low, high }: Mask): void {
  maskLow[row] = low;
  maskHigh[row] = high;
}

/** Everything that some row has. */
export function unionOf({ maskLow, maskHigh }: MaskColumns): Mask {
  let low = 0;
  let high = 0;
  for (let row = 0; row < maskLow.length; row++) {
    low |= maskLow[row]!;
    high |= maskHigh[row]!;
  }
  return { low, high };
}
