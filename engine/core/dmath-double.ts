/**
 * Pairs of doubles: `high + low` carries about 106 bits where one double carries 53. Two results cannot be returned without allocating, so
 * functions that yield a pair leave it in `pair`. The caller reads both halves before it calls anything else of this family.
 */
export const pair = new Float64Array(2);

/** 2^27 + 1: multiplying by it splits a double into two halves of at most 26 bits, whose products are exact (Veltkamp). */
const SPLITTER = 134217729;

/** The rounding error of `product`, which must be `a * b` (Dekker). Exact for operands below 2^970 and a product above 2^-960. */
export function productError(a: number, b: number, product: number): number {
  const bigA = SPLITTER * a;
  const bigB = SPLITTER * b;
  const highA = bigA - (bigA - a);
  const highB = bigB - (bigB - b);
  const lowA = a - highA;
  const lowB = b - highB;
  return highA * highB - product + highA * lowB + lowA * highB + lowA * lowB;
}
