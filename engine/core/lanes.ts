import { LOW } from './float-bits.ts';

/**
 * Lanes that take in floats. Words of 32 bits go to one lane after the other, round and round, the low half of a float first. Each row begins at the
 * first lane, and one of an odd number of floats ends in a float of zeros. Each NaN counts as one that has all bits set, because engines may leave any
 * sign and payload in it.
 *
 * This file says what the lanes hold. `lanes-machine.ts` makes the same of them, four at once. There are as many lanes as words move in a body, so that
 * none has to wait for itself within a row.
 */
export const laneCount = 36;

/** A multiplier whose bits are those of the golden ratio, and how far a lane is turned before it is multiplied. */
export const LANE_FACTOR = 0x9e3779b1;
export const LANE_TURN = 13;

/** Of each listed row of a table the first `width` of its `stride` floats. */
export function absorbRows(
  lanes: Int32Array,
  table: Float64Array,
  rows: Int32Array,
  count: number,
  stride: number,
  width: number,
): void {
  const words = halvesOf(table);
  // Four lanes at a time, which do not wait for each other; more would not fit into the registers of a processor.
  for (let first = 0; first < laneCount && first < 2 * width; first += 4) {
    if (!absorbNumbers(lanes, first, table, words, rows, count, stride, width))
      absorbAny(lanes, first, table, words, rows, count, stride, width);
  }
}

/** Into the four lanes from `first` on. If a float is no number, neither is the sum of all: then the lanes stay as they are. */
function absorbNumbers(
  lanes: Int32Array,
  first: number,
  table: Float64Array,
  words: Int32Array,
  rows: Int32Array,
  count: number,
  stride: number,
  width: number,
): boolean {
  let a = lanes[first]!;
  let b = lanes[first + 1]!;
  let c = lanes[first + 2]!;
  let d = lanes[first + 3]!;
  let sum = 0;
  let other = 0;
  for (let i = 0; i < count; i++) {
    const start = rows[i]! * stride;
    const end = start + width;
    let at = start + first / 2;
    for (; at + 1 < end; at += laneCount / 2) {
      sum += table[at]!;
      other += table[at + 1]!;
      a = lane(a, words[2 * at]!);
      b = lane(b, words[2 * at + 1]!);
      c = lane(c, words[2 * at + 2]!);
      d = lane(d, words[2 * at + 3]!);
    }
    if (at >= end) continue;
    sum += table[at]!;
    a = lane(a, words[2 * at]!);
    b = lane(b, words[2 * at + 1]!);
    c = lane(c, 0);
    d = lane(d, 0);
  }
  // Infinities can have such a sum as well.
  if (Number.isNaN(sum + other)) return false;
  lanes[first] = a;
  lanes[first + 1] = b;
  lanes[first + 2] = c;
  lanes[first + 3] = d;
  return true;
}

/** As `absorbNumbers`, with a look at each float. */
function absorbAny(
  lanes: Int32Array,
  first: number,
  table: Float64Array,
  words: Int32Array,
  rows: Int32Array,
  count: number,
  stride: number,
  width: number,
): void {
  for (let i = 0; i < count; i++) {
    const start = rows[i]! * stride;
    const end = start + width;
    for (let pair = start + first / 2; pair < end; pair += laneCount / 2) {
      for (let k = 0; k < 4; k++) {
        const at = pair + (k >> 1);
        const word = at === end ? 0 : Number.isNaN(table[at]!) ? -1 : words[2 * pair + k]!;
        lanes[first + k] = lane(lanes[first + k]!, word);
      }
    }
  }
}

/** One word into one lane: for any state another word makes another state, and for any word another state does. */
export function lane(state: number, word: number): number {
  const mixed = state ^ word;
  return Math.imul((mixed << LANE_TURN) | (mixed >>> (32 - LANE_TURN)), LANE_FACTOR);
}

/** The halves of floats, the low one first: a view, or a copy on machines with another order. */
function halvesOf({ buffer, byteOffset, length }: Float64Array): Int32Array {
  const words = new Int32Array(buffer, byteOffset, length * 2);
  return LOW === 0 ? words : words.map((_, i) => words[i ^ 1]!);
}
