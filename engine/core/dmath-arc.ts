const PI_TAIL = 1.2246467991473532e-16;
const HALF_PI = 1.5707963267948966;
const HALF_PI_TAIL = 6.123233995736766e-17;
const QUARTER_PI = 0.7853981633974483;

// Coefficients of Sun's fdlibm. (asin x - x) / x^3 as a quotient of polynomials in x^2, up to 1/2:
const P0 = 0.16666666666666666;
const P1 = -0.3255658186224009;
const P2 = 0.20121253213486293;
const P3 = -0.04005553450067941;
const P4 = 0.0007915349942898145;
const P5 = 0.00003479331075960212;
const Q1 = -2.403394911734414;
const Q2 = 2.0209457602335057;
const Q3 = -0.6882839716054533;
const Q4 = 0.07703815055590194;
// Coefficients of (x - atan x) / x as a polynomial in x^2, for |x| up to 7/16.
const A0 = 0.3333333333333293;
const A1 = -0.19999999999876483;
const A2 = 0.14285714272503466;
const A3 = -0.11111110405462356;
const A4 = 0.09090887133436507;
const A5 = -0.0769187620504483;
const A6 = 0.06661073137387531;
const A7 = -0.058335701337905735;
const A8 = 0.049768779946159324;
const A9 = -0.036531572744216916;
const A10 = 0.016285820115365782;

/** The angle in -π/2..π/2 whose sine is `x`, within 1 ulp; NaN outside -1..1. */
export function asin(x: number): number {
  const a = Math.abs(x);
  if (a < 0.5) return a < 7.450580596923828e-9 ? x : x + x * arcRatio(x * x);
  if (!(a <= 1)) return NaN;
  // asin a = π/2 - 2 asin √((1 - a) / 2)
  const z = (1 - a) * 0.5;
  const root = Math.sqrt(z);
  const ratio = arcRatio(z);
  let y: number;
  if (a >= 0.975) {
    y = HALF_PI - (2 * (root + root * ratio) - HALF_PI_TAIL);
  } else {
    // The root is split into a float32 and a remainder, so that doubling it and subtracting it from π/4 is exact.
    const short = Math.fround(root);
    const rest = (z - short * short) / (root + short);
    const small = 2 * root * ratio - (HALF_PI_TAIL - 2 * rest);
    y = QUARTER_PI - (small - (QUARTER_PI - 2 * short));
  }
  return x > 0 ? y : -y;
}

/** The angle in 0..π whose cosine is `x`, within 1 ulp; NaN outside -1..1. */
export function acos(x: number): number {
  const a = Math.abs(x);
  if (!(a <= 1)) return NaN;
  if (a < 0.5) return HALF_PI - (x - (HALF_PI_TAIL - x * arcRatio(x * x)));
  const z = (1 - a) * 0.5;
  const root = Math.sqrt(z);
  const ratio = arcRatio(z);
  if (x < 0) return Math.PI - 2 * (root + (ratio * root - HALF_PI_TAIL));
  if (x === 1) return 0;
  const short = Math.fround(root);
  const rest = (z - short * short) / (root + short);
  return 2 * (short + (ratio * root + rest));
}

/** asin(x) / x - 1 for z = x^2 up to 1/4. */
function arcRatio(z: number) {
  const p = z * (P0 + z * (P1 + z * (P2 + z * (P3 + z * (P4 + z * P5)))));
  const q = 1 + z * (Q1 + z * (Q2 + z * (Q3 + z * Q4)));
  return p / q;
}

/** The angle in -π/2..π/2 whose tangent is `x`, within 1 ulp. `atan(-x)` is exactly `-atan(x)`. */
export function atan(x: number): number {
  const a = Math.abs(x);
  if (a < 0.4375) return a < 7.450580596923828e-9 ? x : x - x * arcSeries(x);
  if (Number.isNaN(a)) return NaN;
  // atan a = atan c + atan((a - c) / (1 + a c)), with the nearest c of 1/2, 1, 3/2 and infinity. Each atan c is stored
  // as a pair of doubles.
  let y: number;
  if (a < 0.6875) y = arcFrom((2 * a - 1) / (2 + a), 0.4636476090008061, 2.2698777452961687e-17);
  else if (a < 1.1875) y = arcFrom((a - 1) / (a + 1), QUARTER_PI, 3.061616997868383e-17);
  else if (a < 2.4375) y = arcFrom((a - 1.5) / (1 + 1.5 * a), 0.982793723247329, 1.3903311031230998e-17);
  else y = arcFrom(-1 / a, HALF_PI, HALF_PI_TAIL);
  return x > 0 ? y : -y;
}

/**
 * The angle of the point (x, y) from the positive x axis towards the positive y axis, from -π to π, within 2 ulp.
 * Signed zeroes and infinities as in the language standard: atan2(0, -1) is π and atan2(-0, -1) is -π.
 */
export function atan2(y: number, x: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return NaN;
  const negativeX = x < 0 || (x === 0 && 1 / x < 0);
  const negativeY = y < 0 || (y === 0 && 1 / y < 0);
  const angle = angleInHalf(Math.abs(y), Math.abs(x), negativeX);
  return negativeY ? -angle : angle;
}

/** The angle of the point (±a, b), for non-negative a and b. */
function angleInHalf(b: number, a: number, negativeX: boolean) {
  if (b === 0) return negativeX ? Math.PI : 0;
  if (a === 0) return HALF_PI;
  if (a === Infinity) {
    if (b === Infinity) return negativeX ? 3 * QUARTER_PI : QUARTER_PI;
    return negativeX ? Math.PI : 0;
  }
  // If the quotient overflows, the angle is exactly 90 degrees; if it underflows, exactly 0 or 180.
  const quotient = b / a;
  if (quotient === Infinity) return HALF_PI;
  const acute = atan(quotient);
  return negativeX ? Math.PI - (acute - PI_TAIL) : acute;
}

function arcFrom(t: number, high: number, low: number) {
  return high - (t * arcSeries(t) - low - t);
}

/** 1 - atan(x) / x for |x| up to 7/16. */
function arcSeries(x: number) {
  const z = x * x;
  const w = z * z;
  const even = z * (A0 + w * (A2 + w * (A4 + w * (A6 + w * (A8 + w * A10)))));
  const odd = w * (A1 + w * (A3 + w * (A5 + w * (A7 + w * A9))));
  return even + odd;
}
