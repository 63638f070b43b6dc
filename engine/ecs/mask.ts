import { assert } from '../core/assert.ts';

/**
 * A set of components as bits in four 32-bit words: room for 128 components, of which a world has about 50. The words
 * are members rather than an array because every lookup of a component reads them.
 */
export interface Mask {
  readonly mask0: number;
  readonly mask1: number;
  readonly mask2: number;
  readonly mask3: number;
}

/** The masks of all rows. */
export type MaskColumns = { readonly [Word in keyof Mask]: Int32Array };

const words = 4;

export const noBits: Mask = { mask0: 0, mask1: 0, mask2: 0, mask3: 0 };

export function bitAt(index: number): Mask {
  assert(index < words * 32, `a mask has ${words * 32} bits`);
  return { ...noBits, [`mask${index >> 5}`]: 1 << (index & 31) };
}

export function union(a: Mask, b: Mask): Mask {
  return {
    mask0: a.mask0 | b.mask0,
    mask1: a.mask1 | b.mask1,
    mask2: a.mask2 | b.mask2,
    mask3: a.mask3 | b.mask3,
  };
}

export function without(a: Mask, b: Mask): Mask {
  return {
    mask0: a.mask0 & ~b.mask0,
    mask1: a.mask1 & ~b.mask1,
    mask2: a.mask2 & ~b.mask2,
    mask3: a.mask3 & ~b.mask3,
  };
}

export function includesAll({ mask0, mask1, mask2, mask3 }: Mask, bits: Mask): boolean {
  return (
    (mask0 & bits.mask0) === bits.mask0 &&
    (mask1 & bits.mask1) === bits.mask1 &&
    (mask2 & bits.mask2) === bits.mask2 &&
    (mask3 & bits.mask3) === bits.mask3
  );
}

export function areSame(a: Mask, b: Mask): boolean {
  return includesAll(a, b) && includesAll(b, a);
}

/** Like `includesAll`, for the mask of a row. */
export function rowHas({ mask0, mask1, mask2, mask3 }: MaskColumns, row: number, bits: Mask): boolean {
  return (
    (mask0[row]! & bits.mask0) === bits.mask0 &&
    (mask1[row]! & bits.mask1) === bits.mask1 &&
    (mask2[row]! & bits.mask2) === bits.mask2 &&
    (mask3[row]! & bits.mask3) === bits.mask3
  );
}

export function maskAt({ mask0, mask1, mask2, mask3 }: MaskColumns, row: number): Mask {
  return { mask0: mask0[row]!, mask1: mask1[row]!, mask2: mask2[row]!, mask3: mask3[row]! };
}

export function setMask(columns: MaskColumns, row: number, { mask0, mask1, mask2, mask3 }: Mask): void {
  columns.mask0[row] = mask0;
  columns.mask1[row] = mask1;
  columns.mask2[row] = mask2;
  columns.mask3[row] = mask3;
}

/** The union of the masks of all rows. */
export function unionOf(columns: MaskColumns): Mask {
  const all = (column: Int32Array) => column.reduce((bits, each) => bits | each, 0);
  return {
    mask0: all(columns.mask0),
    mask1: all(columns.mask1),
    mask2: all(columns.mask2),
    mask3: all(columns.mask3),
  };
}
