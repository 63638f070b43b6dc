import { assert } from '../core/assert.ts';

/**
 * Which components an entity has, as the bits of one number: a whole number below 2^53, so that a world can have 53 of them. JavaScript has bit
 * operations for 32; the bits above stand in a second word.
 */

const word = 0x1_0000_0000;
const bitsMax = 53;

export const noBits = 0;

export function bitAt(index: number): number {
  assert(index < bitsMax, `a mask has ${bitsMax} bits`);
  return index < 32 ? (1 << index) >>> 0 : (1 << (index - 32)) * word;
}

const upper = (mask: number): number => Math.floor(mask / word);

export function union(a: number, b: number): number {
  return ((a | b) >>> 0) + (upper(a) | upper(b)) * word;
}

export function intersection(a: number, b: number): number {
  return ((a & b) >>> 0) + (upper(a) & upper(b)) * word;
}

/** The number of the highest bit that is set, of a mask with bits. */
export function highestBit(mask: number): number {
  const high = upper(mask);
  return high === 0 ? 31 - Math.clz32(mask) : 63 - Math.clz32(high);
}

export function without(mask: number, bits: number): number {
  return ((mask & ~bits) >>> 0) + (upper(mask) & ~upper(bits)) * word;
}

export function includesAll(mask: number, bits: number): boolean {
  return (mask & bits) >>> 0 === bits >>> 0 && (upper(mask) & upper(bits)) === upper(bits);
}
