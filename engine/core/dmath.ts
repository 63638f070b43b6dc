/**
 * Mathematical functions with bit-identical results on every JavaScript engine. The language does not specify the
 * precision of `Math.sin`, `Math.pow` and similar functions, and engines differ. The functions of this module use only
 * operations that IEEE 754 specifies exactly (+ - * / and the square root) and exact functions (floor, fround, %).
 * Angles are in radians. No function allocates memory.
 */
export { acos, asin, atan, atan2 } from './dmath-arc.ts';
export { cbrt, exp, log, log2, log10, pow } from './dmath-exp.ts';
export { cos, sin, sinAndCos, tan } from './dmath-trig.ts';

import { productError } from './dmath-double.ts';
import { cos, sin } from './dmath-trig.ts';
import { powerOfTwo } from './float-bits.ts';

export const PI = Math.PI;
/** A full turn in radians. */
export const TAU = 6.283185307179586;

/** One degree in radians. */
export const DEGREE = PI / 180;

/**
 * The x component of the direction of an angle, clockwise from up. The quarter turn is subtracted first, as in the
 * reference, because a difference in the last bit becomes visible when bodies crowd.
 */
export function aheadX(angle: number): number {
  return cos(angle - PI / 2);
}

/** The y component of the direction that `aheadX` describes; the y axis points down. */
export function aheadY(angle: number): number {
  return sin(angle - PI / 2);
}

const SCALE_DOWN = powerOfTwo(577);
const SCALE_UP = powerOfTwo(-600);

/**
 * The length of (x, y), within 1 ulp, without intermediate overflow. Infinity if either is infinite, even if the other
 * is NaN.
 */
export function hypot(x: number, y: number): number {
  const a = Math.abs(x);
  const b = Math.abs(y);
  if (a === Infinity || b === Infinity) return Infinity;
  let long = Math.max(a, b);
  let short = Math.min(a, b);
  // The short side is at most 2^-54 of the long one, so it affects only the rounding. This also handles zeros; NaN
  // fails the comparison and stays NaN below.
  if (short <= long * 5.551115123125783e-17) return long + short;
  let scale = 1;
  if (long > 1e153) {
    scale = SCALE_DOWN;
  } else if (short < 1e-140) {
    scale = SCALE_UP;
  }
  long /= scale;
  short /= scale;
  const longSquare = long * long;
  const shortSquare = short * short;
  const errors = productError(short, short, shortSquare) + productError(long, long, longSquare);
  return scale * Math.sqrt(errors + shortSquare + longSquare);
}

/**
 * The angle of the same direction in (-π, π], modulo the double `TAU`. Rounded at most once; NaN for NaN and
 * infinities.
 */
export function normaliseAngle(angle: number): number {
  if (angle > -PI && angle <= PI) return angle;
  const rest = angle % TAU;
  if (rest > PI) return rest - TAU;
  return rest <= -PI ? rest + TAU : rest;
}
