import { pair, productError } from './dmath-double.ts';
import { highWord, powerOfTwo } from './float-bits.ts';

/**
 * ln 2 rounded to a multiple of 2^-42, and the remainder. Integer multiples of `LN2_HIGH`, and their sums with elements
 * of `LOG_HIGH`, are exact.
 */
const LN2_HIGH = 0.6931471805598903;
const LN2_LOW = 5.497923018708371e-14;
const INVERSE_LN2 = Math.LOG2E;
const INVERSE_LN2_TAIL = 2.0355273740931033e-17;
const INVERSE_LN10 = Math.LOG10E;
const INVERSE_LN10_TAIL = 1.098319650216765e-17;
const THIRD = 0.3333333333333333;
const THIRD_TAIL = 1.850371707708594e-17;
/** (ln 2) / 32 in 34 bits, so that its products with integers up to 2^19 are exact, and the remainder. */
const STEP_HIGH = 0.021660849391992087;
const STEP_LOW = 5.062034433330175e-13;
const INVERSE_STEP = 46.16624130844683;

/** The natural logarithm of i / 32 from i = 22 on, rounded to the same multiples as `LN2_HIGH`, and the remainders. */
const LOG_FIRST = 22;
// biome-ignore format: a table reads better in rows
const LOG_HIGH = new Float64Array([
  -0.3746934494413381, -0.33024168687052224, -0.28768207245184385, -0.2468600779316148, -0.20763936477828793,
  -0.16989903679541385, -0.13353139262449076, -0.09844007281321865, -0.0645385211375924, -0.03174869831468641,
  0, 0.03077165866670839, 0.06062462181648698, 0.08961215868976069, 0.11778303565643,
  0.14518200984457508, 0.17185025692674571, 0.19782574332998593, 0.22314355131425145, 0.2478361639045943,
  0.2719337154835557, 0.2954642128938758, 0.31845373111855224, 0.34092658697068146, 0.3629054936893681,
]);
// biome-ignore format: a table reads better in rows
const LOG_LOW = new Float64Array([
  -7.260466149925637e-14, -5.4612144489920215e-14, 6.292357389008195e-14, 8.899851356560444e-14, 4.3425422595242564e-14,
  1.6376276414097503e-14, -3.1859736349078334e-14, -3.3871241029241416e-14, 2.1225608044809997e-14, 1.0610652735224087e-13,
  0, 4.529814257790929e-14, -5.213620639136504e-14, -7.355770219435029e-14, -4.654729747598445e-14,
  -7.718001336828099e-14, -8.649239607212071e-14, -6.604544877082384e-14, -4.169796584527195e-14, -1.3029797173308663e-14,
  8.604306772808733e-14, -3.993416384387844e-14, -1.7625431312172662e-14, -8.82452633212564e-14, 3.6708569716349383e-16,
]);

/** 2^(i/32) for i from 0 to 31, and the rounding errors. */
// biome-ignore format: a table reads better in rows
const EXP_HIGH = new Float64Array([
  1, 1.0218971486541166, 1.0442737824274138, 1.0671404006768237, 1.0905077326652577, 1.1143867425958924,
  1.1387886347566916, 1.1637248587775775, 1.189207115002721, 1.215247359980469, 1.241857812073484, 1.2690509571917332,
  1.2968395546510096, 1.3252366431597413, 1.3542555469368927, 1.383909881963832, Math.SQRT2, 1.4451808069770467,
  1.4768261459394993, 1.5091644275934228, 1.5422108254079407, 1.5759808451078865, 1.6104903319492543, 1.645755478153965,
  1.681792830507429, 1.718619298122478, 1.7562521603732995, 1.7947090750031072, 1.8340080864093424, 1.8741676341103,
  1.9152065613971474, 1.9571441241754002,
]);
// biome-ignore format: a table reads better in rows
const EXP_LOW = new Float64Array([
  0, 5.109225028973444e-17, 8.551889705537965e-17, -7.899853966841582e-17, -3.046782079812471e-17, 1.0410278456845571e-16,
  8.912812676025408e-17, 3.8292048369240935e-17, 3.982015231465646e-17, -7.712630692681488e-17, 4.658027591836937e-17,
  2.667932131342186e-18, 2.5382502794888315e-17, -2.8587312100388614e-17, 7.70094837980299e-17, -6.770511658794786e-17,
  -9.667293313452913e-17, -3.0237581349939873e-17, -3.483994556892796e-17, -1.016455327754295e-16, 7.949834809697621e-17,
  -1.0136916471278304e-17, 2.4707192569797888e-17, -1.0125679913674773e-16, 8.199010020581497e-17, -1.851380418263111e-17,
  2.960140695448873e-17, 1.8227458427912087e-17, 3.283107224245627e-17, -6.122763413004143e-17, -1.0619946056195963e-16,
  8.960767791036668e-17,
]);

/** e to the power of `x`, within 1 ulp; Infinity above 709.78, 0 below -745.13. */
export function exp(x: number): number {
  return expOfPair(x, 0);
}

/** The natural logarithm, within 1 ulp; -Infinity at zero, NaN below. */
export function log(x: number): number {
  if (!(x > 0 && x < Infinity)) return logOfOthers(x);
  logToPair(x);
  return pair[0]! + pair[1]!;
}

/** The logarithm to base 2, within 1 ulp; exact for powers of two. */
export function log2(x: number): number {
  if (!(x > 0 && x < Infinity)) return logOfOthers(x);
  logToPair(x);
  return scaledPair(INVERSE_LN2, INVERSE_LN2_TAIL);
}

/** The logarithm to base 10, within 1 ulp; exact for the powers of ten that are doubles. */
export function log10(x: number): number {
  if (!(x > 0 && x < Infinity)) return logOfOthers(x);
  logToPair(x);
  return scaledPair(INVERSE_LN10, INVERSE_LN10_TAIL);
}

/** The cube root, within 1 ulp; exact for cubes. `cbrt(-x)` is exactly `-cbrt(x)`. */
export function cbrt(x: number): number {
  if (x === 0 || !(Math.abs(x) < Infinity)) return x;
  logToPair(Math.abs(x));
  const root = powerOfPair(THIRD, THIRD_TAIL);
  return x > 0 ? root : -root;
}

/**
 * `x` to the power of `y`, within 1 ulp, with the special values of the `**` operator: NaN for a negative `x` and a
 * fractional `y`, 1 for any `x` when `y` is zero, NaN for ±1 to the power of ±Infinity.
 */
export function pow(x: number, y: number): number {
  if (y === 2) return x * x;
  if (y === 1) return x;
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  const a = Math.abs(x);
  if (y === Infinity || y === -Infinity) return a === 1 ? NaN : a > 1 === y > 0 ? Infinity : 0;
  // The operator % is exact, so this distinguishes odd from even for every double.
  const odd = Math.abs(y % 2) === 1;
  const sign = odd && (x < 0 || (x === 0 && 1 / x < 0)) ? -1 : 1;
  if (a === 0) return y > 0 ? sign * 0 : sign * Infinity;
  if (a === Infinity) return y > 0 ? sign * Infinity : sign * 0;
  if (x < 0 && Math.floor(y) !== y) return NaN;
  if (a === 1) return sign;
  // A logarithm that is not 0 is at least 2^-53 in size, so the result is 0 or Infinity if `y` is beyond ±2^64.
  // Splitting such a `y` could overflow.
  if (Math.abs(y) > 18446744073709552000) return a > 1 === y > 0 ? sign * Infinity : sign * 0;
  logToPair(a);
  return sign * powerOfPair(y, 0);
}

/** The logarithm of zero, infinity, NaN and negative numbers. */
function logOfOthers(x: number) {
  if (x === 0) return -Infinity;
  return x === Infinity ? x : NaN;
}

/**
 * Stores the natural logarithm of a positive, finite `x` in `pair`, with a relative error of about 2^-66. `x = 2^k * z`
 * with z from √½ to √2, and `c = i / 32` is the nearest to z. Then `log(z / c) = 2 artanh((z - c) / (z + c))`, where
 * the quotient is below 1/90.
 */
function logToPair(x: number) {
  let scaled = x;
  let k = 0;
  if (x < 2.2250738585072014e-308) {
    scaled = x * 18014398509481984; // Times 2^54, which makes it a normal number.
    k = -54;
  }
  // Adding 0x95f62 carries mantissas from that of √2 (0x6a09e) on into the exponent, so that z is from √½ to √2.
  const exponent = ((highWord(scaled) + 0x95f62) >>> 20) - 1023;
  const z = scaled * powerOfTwo(-exponent);
  k += exponent;

  const i = Math.floor(z * 32 + 0.5);
  const c = i * 0.03125;
  const difference = z - c; // The difference is exact, because `z` and `c` are so close.
  const sum = z + c;
  const back = sum - z;
  const sumError = z - (sum - back) + (c - back);
  // Multiplying by the inverse instead of dividing saves a second division; `rLow` holds the rounding error of `r`.
  const inverse = 1 / sum;
  const r = difference * inverse;
  const p = r * sum;
  const rLow = (difference - p - productError(r, sum, p) - r * sumError) * inverse;

  const w = r * r;
  const series =
    w *
    (0.6666666666666666 + w * (0.4 + w * (0.2857142857142857 + w * (0.2222222222222222 + w * 0.18181818181818182))));
  const base = k * LN2_HIGH + LOG_HIGH[i - LOG_FIRST]!; // Exact, because both summands are multiples of 2^-42.
  const main = base + 2 * r;
  const rest = base - main + 2 * r + (k * LN2_LOW + LOG_LOW[i - LOG_FIRST]! + (2 * rLow + r * series));
  const total = main + rest;
  pair[0] = total;
  pair[1] = main - total + rest;
}

/** The number in `pair` times `factor + tail`, rounded to a double. */
function scaledPair(factor: number, tail: number) {
  const high = pair[0]!;
  const product = high * factor;
  return product + (productError(high, factor, product) + (high * tail + pair[1]! * factor));
}

/** e to the power of the number in `pair` times `factor + tail`. */
function powerOfPair(factor: number, tail: number) {
  const high = pair[0]!;
  const product = high * factor;
  return expOfPair(product, productError(high, factor, product) + (high * tail + pair[1]! * factor));
}

/**
 * e to the power of `high + low`: split into n steps of (ln 2) / 32, whose powers are in the table, and a remainder
 * below 0.0109 for the series. The series is added to the table's value last, so the result is rounded once, and
 * integers to integer powers are exact. Subnormal results are rounded twice.
 */
function expOfPair(high: number, low: number) {
  if (!(high < 709.79)) return Number.isNaN(high) ? NaN : Infinity;
  if (high < -745.1333) return 0;
  const n = Math.floor(high * INVERSE_STEP + 0.5);
  const r = high - n * STEP_HIGH + (low - n * STEP_LOW);
  const series =
    r +
    r *
      r *
      (0.5 +
        r *
          (0.16666666666666666 +
            r *
              (0.041666666666666664 +
                r * (0.008333333333333333 + r * (0.001388888888888889 + r * 0.0001984126984126984)))));
  const i = n & 31;
  const k = (n - i) / 32;
  const power = EXP_HIGH[i]!;
  const mantissa = power + (EXP_LOW[i]! + power * series);
  if (k >= -1074 && k <= 1023) return mantissa * powerOfTwo(k);
  return k > 0 ? mantissa * 2 * powerOfTwo(k - 1) : mantissa * 0.5 * powerOfTwo(k + 1);
}
