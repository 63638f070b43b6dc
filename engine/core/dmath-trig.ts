import { pair } from './dmath-double.ts';
import { reduceAngle } from './dmath-reduce.ts';

const QUARTER_PI = 0.7853981633974483;
/**
 * Angles below this limit need no reduction. It is the first double above π/4 whose high word differs from that of π/4.
 */
const NEAR = 0.7853984832763672;
const QUARTER_PI_TAIL = 3.061616997868383e-17;
/**
 * 2^-27. For a smaller x, 1 + x^2 is 1, so sin x and tan x are x. Returning x itself also preserves -0.
 */
const TINY = 7.450580596923828e-9;
/** The range in which the cosine is split; see `cosNear`. */
const SPLIT_FROM = 0.2999999523162842;
const SPLIT_TO = 0.7812504768371582;

// Minimax coefficients of Sun's fdlibm: sin and cos within 2^-58, tan within 2^-59.2 on ±π/4.
const S1 = -0.16666666666666632;
const S2 = 0.00833333333332249;
const S3 = -0.0001984126982985795;
const S4 = 0.0000027557313707070068;
const S5 = -2.5050760253406863e-8;
const S6 = 1.58969099521155e-10;
const C1 = 0.0416666666666666;
const C2 = -0.001388888888887411;
const C3 = 0.00002480158728947673;
const C4 = -2.7557314351390663e-7;
const C5 = 2.087572321298175e-9;
const C6 = -1.1359647557788195e-11;
const T0 = 0.3333333333333341;
const T1 = 0.13333333333320124;
const T2 = 0.05396825397622605;
const T3 = 0.021869488294859542;
const T4 = 0.0088632398235993;
const T5 = 0.0035920791075913124;
const T6 = 0.0014562094543252903;
const T7 = 0.0005880412408202641;
const T8 = 0.0002464631348184699;
const T9 = 0.00007817944429395571;
const T10 = 0.00007140724913826082;
const T11 = -0.000018558637485527546;
const T12 = 0.00002590730518636337;

// `sin`, `cos` and `sinAndCos` are small enough to be inlined together with what they call for common angles, which
// keeps numbers in registers instead of boxing them. Signs are multiplied rather than branched on, because a branch on
// a random sign is mispredicted half of the time.

/**
 * The sine of `x` radians, within 1 ulp, for every double; NaN for NaN and infinities. `sin(-x)` is exactly `-sin(x)`.
 */
export function sin(x: number): number {
  const a = Math.abs(x);
  if (a < TINY) return x;
  if (a < NEAR) return sinAlone(x);
  const turns = reduceAngle(x);
  const high = pair[0]!;
  const low = pair[1]!;
  return (1 - (turns & 2)) * ((turns & 1) === 0 ? sinNear(high, low) : cosNear(high, low));
}

/**
 * The cosine of `x` radians, within 1 ulp, for every double; NaN for NaN and infinities. `cos(-x)` is exactly `cos(x)`.
 */
export function cos(x: number): number {
  if (Math.abs(x) < NEAR) return cosNear(x, 0);
  const turns = reduceAngle(x);
  const high = pair[0]!;
  const low = pair[1]!;
  return (1 - ((turns + 1) & 2)) * ((turns & 1) === 0 ? cosNear(high, low) : sinNear(high, low));
}

/**
 * Stores the sine and the cosine of the angle at `to[at]` in the two elements after it, bit-identical to `sin` and
 * `cos`. For loops over many angles: numbers passed in an array are never boxed, and the angle is reduced only once.
 */
export function sinAndCos(to: Float64Array, at: number): void {
  const x = to[at]!;
  const a = Math.abs(x);
  if (a < NEAR) {
    to[at + 1] = a < TINY ? x : sinAlone(x);
    to[at + 2] = cosNear(x, 0);
    return;
  }
  const turns = reduceAngle(x);
  const high = pair[0]!;
  const low = pair[1]!;
  const sine = sinNear(high, low);
  const cosine = cosNear(high, low);
  const isTurned = (turns & 1) !== 0;
  to[at + 1] = (1 - (turns & 2)) * (isTurned ? cosine : sine);
  to[at + 2] = (1 - ((turns + 1) & 2)) * (isTurned ? sine : cosine);
}

/**
 * The tangent of `x` radians, within 1 ulp, for every double; NaN for NaN and infinities. `tan(-x)` is exactly
 * `-tan(x)`.
 */
export function tan(x: number): number {
  const a = Math.abs(x);
  if (a < TINY) return x;
  if (a <= QUARTER_PI) return tanNear(x, 0, false);
  const turns = reduceAngle(x);
  return tanNear(pair[0]!, pair[1]!, (turns & 1) === 1);
}

/** sin(x) for |x| up to π/4. */
function sinAlone(x: number) {
  const z = x * x;
  const r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
  return x + z * x * (S1 + z * r);
}

/** sin(x + tail) for |x| up to π/4; the tail is used only to first order. */
function sinNear(x: number, tail: number) {
  if (Math.abs(x) < TINY) return x;
  const z = x * x;
  const r = S2 + z * (S3 + z * (S4 + z * (S5 + z * S6)));
  const cube = z * x;
  return x - (z * (0.5 * tail - cube * r) - tail - cube * S1);
}

/**
 * cos(x + tail) for |x| up to π/4. Away from 0, a quarter of |x|, truncated to 21 bits, is subtracted from both `1` and
 * `z/2`; otherwise rounding would cost half an ulp.
 */
function cosNear(x: number, tail: number) {
  const z = x * x;
  const r = z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * C6)))));
  const a = Math.abs(x);
  if (a < SPLIT_FROM) return 1 - (0.5 * z - (z * r - x * tail));
  let part = 0.28125;
  if (a < SPLIT_TO) part = a < 0.5 ? Math.floor(a * 4194304) / 16777216 : Math.floor(a * 2097152) / 8388608;
  return 1 - part - (0.5 * z - part - (z * r - x * tail));
}

/** tan(x + tail), or -1 / tan(x + tail), for |x| up to π/4. */
function tanNear(x: number, tail: number, inverse: boolean) {
  // Near π/4 the series converges slowly; tan(π/4 - d) = (1 - tan d) / (1 + tan d) reduces the argument to d.
  const far = Math.abs(x) >= 0.6744;
  const sign = x < 0 ? -1 : 1;
  let main = x;
  let rest = tail;
  if (far) {
    main = QUARTER_PI - sign * x + (QUARTER_PI_TAIL - sign * tail);
    rest = 0;
  }
  const z = main * main;
  const w = z * z;
  const even = T1 + w * (T3 + w * (T5 + w * (T7 + w * (T9 + w * T11))));
  const odd = z * (T2 + w * (T4 + w * (T6 + w * (T8 + w * (T10 + w * T12)))));
  const cube = z * main;
  const correction = rest + z * (cube * (even + odd) + rest) + T0 * cube;
  const t = main + correction;
  if (far) {
    const direction = inverse ? -1 : 1;
    return sign * (direction - 2 * (main - ((t * t) / (t + direction) - correction)));
  }
  if (!inverse) return t;
  // -1 / t with more than double precision: fround leaves 24 bits, so the product of the two short numbers is exact.
  const shortT = Math.fround(t);
  const lost = correction - (shortT - main);
  const quotient = -1 / t;
  const shortQuotient = Math.fround(quotient);
  return shortQuotient + quotient * (1 + shortQuotient * shortT + shortQuotient * lost);
}
