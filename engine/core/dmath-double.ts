/**
 * Double-double numbers: `high + low` carries about 106 bits instead of 53. Returning two numbers would allocate, so
 * functions store their result in `pair`. Read both halves before calling another of these functions.
 */
export const pair = new Float64Array(2);

/**
 * 2^27 + 1: multiplying by it splits a double into two halves of at most 26 bits, whose products are exact (Veltkamp).
 */
const SPLITTER = 134217729;

/**
 * The rounding error of `product`, which must be `a * b` (Dekker). Exact for operands below 2^970 and a product above
 * 2^-960.
 */
export function productError(a: number, b: number, product: number): number {
  const bigA = SPLITTER * a;
  const bigB = SPLITTER * b;
  const highA = bigA - (bigA - a);
  const highB = bigB - (bigB - b);
  const lowA = a - highA;
  const lowB = b - highB;
  return highA * highB - product + highA * lowB + lowA * highB + lowA * lowB;
}
