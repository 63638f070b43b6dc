import { pair, productError } from './dmath-double.ts';
import { highWord, powerOfTwo } from './float-bits.ts';

const TWO_OVER_PI = 0.6366197723675814;
const HALF_PI = 1.5707963267948966;
/** π/2 minus the double `HALF_PI`. */
const HALF_PI_TAIL = 6.123233995736766e-17;

/**
 * π/2 in pieces of 33 bits, each with the remainder after it: π/2 = `PIECE_1 + REST_1` = `PIECE_1 + PIECE_2 + REST_2`,
 * and so on. A piece times a number of quarter turns below 2^20 has at most 53 bits, so these products are exact (Cody
 * and Waite).
 */
const PIECE_1 = 1.5707963267341256;
const REST_1 = 6.077100506506192e-11;
const PIECE_2 = 6.077100506303966e-11;
const REST_2 = 2.0222662487959506e-21;
const PIECE_3 = 2.0222662487111665e-21;
const REST_3 = 8.4784276603689e-32;

/**
 * The angle of 2^20 quarter turns, in radians. Below this limit, the pieces are precise enough; larger angles are
 * reduced with the digits of 2/π.
 */
const PIECES_LIMIT = 1647099;

/** 1.5 * 2^52: adding and subtracting it rounds a double to the nearest integer, symmetrically for x and -x. */
const ROUNDER = 6755399441055744;

/**
 * Subtracts whole quarter turns from `x`. Returns their number (modulo 4 in the lowest two bits). Stores the remainder,
 * within slightly more than ±π/4, in `pair` as high and low part, with a relative error of at most 2^-65. For -x, both
 * are negated. The remainder is NaN for NaN and infinities.
 */
export function reduceAngle(x: number): number {
  if (!(Math.abs(x) < PIECES_LIMIT)) return reduceHugeAngle(x);
  const turns = x * TWO_OVER_PI + ROUNDER - ROUNDER;
  const coarse = x - turns * PIECE_1;
  const fine = turns * REST_1;
  const rest = coarse - fine;
  // With one piece, the error is about turns * 2^-86, which is too much if cancellation left a small remainder.
  if (Math.abs(rest) < Math.abs(turns) * 6.103515625e-5 && isNearMultiple(x, turns, rest))
    return reduceNearMultiple(x, turns);
  pair[0] = rest;
  pair[1] = coarse - rest - fine;
  return turns;
}

/**
 * Whether `x` is so close to a multiple of π/2 that more pieces are needed. The criterion is that of fdlibm: below 32
 * quarter turns, equal high words; otherwise, more than 16 bits of cancellation.
 */
function isNearMultiple(x: number, turns: number, rest: number) {
  const upper = highWord(Math.abs(x));
  const count = Math.abs(turns);
  if (count < 32) return upper === highWord(count * HALF_PI);
  return (upper >>> 20) - (highWord(Math.abs(rest)) >>> 20) > 16;
}

/**
 * Reduces an angle close to a multiple of π/2. With two pieces, the error is turns * 2^-119; three pieces, 151 bits,
 * suffice for all doubles below the limit.
 */
function reduceNearMultiple(x: number, turns: number) {
  let before = x - turns * PIECE_1;
  let fine = turns * PIECE_2;
  let coarse = before - fine;
  fine = turns * REST_2 - (before - coarse - fine);
  let rest = coarse - fine;
  if (Math.abs(rest) < Math.abs(turns) * 8.881784197001252e-16) {
    before = coarse;
    fine = turns * PIECE_3;
    coarse = before - fine;
    fine = turns * REST_3 - (before - coarse - fine);
    rest = coarse - fine;
  }
  pair[0] = rest;
  pair[1] = coarse - rest - fine;
  return turns;
}

/** The fractional bits of 2/π, 24 per entry: enough for the largest double plus 138 bits. */
// biome-ignore format: a table reads better in rows
const TWO_OVER_PI_DIGITS = new Float64Array([
  0xa2f983, 0x6e4e44, 0x1529fc, 0x2757d1, 0xf534dd, 0xc0db62, 0x95993c, 0x439041, 0xfe5163, 0xabdebb,
  0xc561b7, 0x246e3a, 0x424dd2, 0xe00649, 0x2eea09, 0xd1921c, 0xfe1deb, 0x1cb129, 0xa73ee8, 0x8235f5,
  0x2ebb44, 0x84e99c, 0x7026b4, 0x5f7e41, 0x3991d6, 0x398353, 0x39f49c, 0x845f8b, 0xbdf928, 0x3b1ff8,
  0x97ffde, 0x05980f, 0xef2f11, 0x8b5a0a, 0x6d1f6d, 0x367ecf, 0x27cb09, 0xb74f46, 0x3f669e, 0x5fea2d,
  0x7527ba, 0xc7ebe5, 0xf17b3d, 0x0739f7, 0x8a5292, 0xea6bfb, 0x5fb11f, 0x8d5d08, 0x560330,
]);

const LIMB = 16777216; // 2^24
const LIMB_INVERSE = 1 / LIMB;
const WINDOW = 9;
const FRACTION_LIMBS = 7; // Six significant limbs, and one for the carry into them.
// Reused by every call: the mantissa in 24-bit limbs, lowest first; the product modulo 4, the integer limb first, then
// the fraction.
const mantissa = new Float64Array(4);
const product = new Float64Array(FRACTION_LIMBS + 1);

/**
 * The method of Payne and Hanek, for huge angles: `a = m * 2^e` with an integer m. Digits of 2/π for which `m * 2^e *
 * digit` is a multiple of 4 only add full turns, so only a window of nine entries matters. Truncating the lower digits
 * costs less than 2^-137, and no double is closer than about 2^-62 to a multiple of π/2. All sums stay below 2^53, so
 * every step except the last conversion is exact.
 */
function reduceHugeAngle(x: number) {
  const a = Math.abs(x);
  if (!(a < Infinity)) {
    pair[0] = NaN;
    pair[1] = NaN;
    return 0;
  }
  const exponent = (highWord(a) >>> 20) - 1075;
  const first = Math.max(0, Math.floor((exponent - 2) / 24));
  // The weight of the first relevant entry is 24 * limbShift + bitShift; the bits are shifted into the mantissa, the
  // limbs into the indices.
  const weight = exponent - 24 * (first + 1);
  const limbShift = Math.floor(weight / 24);
  const bitShift = weight - 24 * limbShift;
  splitMantissa(a, exponent, bitShift);

  let carry = 0;
  for (let place = FRACTION_LIMBS; place >= 0; place--) {
    let sum = carry;
    for (let limb = 0; limb < 4; limb++) {
      const entry = limb + limbShift + place;
      if (entry >= 0 && entry < WINDOW) sum += mantissa[limb]! * TWO_OVER_PI_DIGITS[first + entry]!;
    }
    carry = Math.floor(sum * LIMB_INVERSE);
    product[place] = sum - carry * LIMB;
  }

  let turns = product[0]! & 3;
  let sign = x < 0 ? -1 : 1;
  if (product[1]! >= LIMB / 2) {
    // The angle is closer to the next quarter turn: counts that turn, and negates the distance to it.
    turns++;
    sign = -sign;
    let borrow = 0;
    for (let place = FRACTION_LIMBS; place > 0; place--) {
      const limb = -product[place]! - borrow;
      borrow = limb < 0 ? 1 : 0;
      product[place] = limb + borrow * LIMB;
    }
  }
  fractionToAngle(sign);
  return x < 0 ? -turns : turns;
}

/** Stores the integer `a / 2^exponent`, times 2^bitShift, in the limbs of `mantissa`. */
function splitMantissa(a: number, exponent: number, bitShift: number) {
  let rest = a * powerOfTwo(-exponent);
  const scale = powerOfTwo(bitShift);
  let carry = 0;
  for (let limb = 0; limb < 4; limb++) {
    const quotient = Math.floor(rest * LIMB_INVERSE);
    const shifted = (rest - quotient * LIMB) * scale + carry;
    carry = Math.floor(shifted * LIMB_INVERSE);
    mantissa[limb] = shifted - carry * LIMB;
    rest = quotient;
  }
}

/** Stores the fraction of a quarter turn in `product`, times π/2, in `pair`. */
function fractionToAngle(sign: number) {
  // Two limbs, 48 bits, fit into a double exactly; three such doubles, added from the smallest, form the pair.
  const first = (product[1]! * LIMB + product[2]!) * powerOfTwo(-48) * sign;
  const second = (product[3]! * LIMB + product[4]!) * powerOfTwo(-96) * sign;
  const third = (product[5]! * LIMB + product[6]!) * powerOfTwo(-144) * sign;
  const high = first + (second + third);
  const low = first - high + second + third;
  const angle = high * HALF_PI;
  const tail = productError(high, HALF_PI, angle) + high * HALF_PI_TAIL + low * HALF_PI;
  const sum = angle + tail;
  pair[0] = sum;
  pair[1] = angle - sum + tail;
}
