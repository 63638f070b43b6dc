// Access to the two halves of a float64, for code that needs its exponent or all of its bits. Which word is the high
// one is detected at load, so results do not depend on the byte order of the machine.

/** Reused by every call: the same 64 bits as a float and as two words. */
const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
float[0] = 1; // 0x3ff00000_00000000: only the high word is not zero.
/** Indices of the high and the low half of a float in `words`. */
const HIGH = words[1] === 0x3ff00000 ? 1 : 0;
const LOW = 1 - HIGH;

/** Sign, exponent and upper 20 bits of the mantissa, as an unsigned 32-bit integer. */
export function highWord(x: number): number {
  float[0] = x;
  return words[HIGH]!;
}

/** Lower 32 bits of the mantissa, unsigned. */
export function lowWord(x: number): number {
  float[0] = x;
  return words[LOW]!;
}

/**
 * All powers of two that are doubles. A table, because composing a double from two words causes a store-forwarding
 * stall.
 */
const powersOfTwo = new Float64Array(2098);
powersOfTwo[0] = Number.MIN_VALUE;
for (let i = 1; i < 2098; i++) powersOfTwo[i] = 2 * powersOfTwo[i - 1]!;

/** 2 to the `exponent`, exactly; `exponent` is an integer from -1074 to 1023. */
export function powerOfTwo(exponent: number): number {
  return powersOfTwo[exponent + 1074]!;
}
