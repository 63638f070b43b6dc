import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowList, StateHasher } from '../../engine/core/hash.ts';
import { absorbRows, laneCount } from '../../engine/core/lanes.ts';
import { type Assembler, hostAssembler, LanesMachine } from '../../engine/core/lanes-machine.ts';

const machine = LanesMachine.make(hostAssembler())!;

/** Any 64 bits as a float: NaNs of every sign and payload are among them. */
const bits = fc.oneof(
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: 0x7ff0000000000000n, max: 0x7fffffffffffffffn }),
  fc.bigInt({ min: 0xfff0000000000000n, max: 0xffffffffffffffffn }),
  fc.constantFrom(0n, 1n << 63n, 0x7ff0000000000000n, 0xfff0000000000000n),
);
const lanes = fc.array(fc.integer(), { minLength: laneCount, maxLength: laneCount });

function floatsOf(words: readonly bigint[]): Float64Array<ArrayBuffer> {
  return new Float64Array(BigUint64Array.from(words).buffer);
}

/** The definition without any speed: one word after the other. */
function plainly(
  start: readonly number[],
  table: Float64Array,
  rows: Int32Array,
  stride: number,
  width: number,
): Int32Array {
  const made = Int32Array.from(start);
  const words = new DataView(table.buffer, table.byteOffset, table.byteLength);
  const take = (lane: number, word: number): void => {
    const mixed = made[lane]! ^ word;
    made[lane] = Math.imul((mixed << 13) | (mixed >>> 19), 0x9e3779b1);
  };
  for (const row of rows) {
    for (let i = 0; i < width + (width % 2); i++) {
      const at = row * stride + i;
      const isBeyond = i === width;
      const isBroken = !isBeyond && Number.isNaN(table[at]!);
      const [low, high] = isBeyond
        ? [0, 0]
        : isBroken
          ? [-1, -1]
          : [words.getInt32(8 * at, true), words.getInt32(8 * at + 4, true)];
      take((2 * i) % laneCount, low);
      take((2 * i + 1) % laneCount, high);
    }
  }
  return made;
}

describe('lanes hold the same by JavaScript, by WebAssembly and by definition', () => {
  test('for rows of a table', () => {
    const table = fc
      .record({
        pairs: fc.integer({ min: 1, max: 45 }),
        gap: fc.integer({ min: 0, max: 3 }),
        size: fc.integer({ min: 1, max: 12 }),
      })
      .chain(({ pairs, gap, size }) => {
        const stride = 2 * pairs + gap;
        return fc.record({
          width: fc.constant(2 * pairs),
          stride: fc.constant(stride),
          words: fc.array(bits, { minLength: size * stride, maxLength: size * stride }),
          rows: fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 20 }),
        });
      });
    fc.assert(
      fc.property(lanes, table, (start, { width, stride, words, rows }) => {
        const floats = floatsOf(words);
        // More room than rows, as in the lists of hashers.
        const list = Int32Array.from([...rows, 4711, -1]);
        const [one, other] = [Int32Array.from(start), Int32Array.from(start)];
        absorbRows(one, floats, list, rows.length, stride, width);
        expect(machine.absorb(other, floats, list, rows.length, stride, width)).toBe(true);
        expect([...one]).toEqual([...plainly(start, floats, list.subarray(0, rows.length), stride, width)]);
        expect([...other]).toEqual([...one]);
      }),
    );
  });

  test('for lists of any length', () => {
    fc.assert(
      fc.property(
        lanes,
        fc.array(bits, { maxLength: 200 }),
        fc.integer({ min: 0, max: 3 }),
        (start, words, skipped) => {
          const floats = floatsOf(words).subarray(Math.min(skipped, words.length));
          const row = Int32Array.of(0);
          const [one, other] = [Int32Array.from(start), Int32Array.from(start)];
          absorbRows(one, floats, row, 1, floats.length, floats.length);
          expect(machine.absorb(other, floats, row, 1, floats.length, floats.length)).toBe(true);
          expect([...one]).toEqual([...plainly(start, floats, row, floats.length, floats.length)]);
          expect([...other]).toEqual([...one]);
        },
      ),
    );
  });

  test('after the memory has grown', () => {
    const floats = Float64Array.from({ length: 300_001 }, (_, i) => i / 7);
    const [one, other] = [new Int32Array(laneCount), new Int32Array(laneCount)];
    absorbRows(one, floats, Int32Array.of(0), 1, floats.length, floats.length);
    expect(machine.absorb(other, floats, Int32Array.of(0), 1, floats.length, floats.length)).toBe(true);
    expect([...other]).toEqual([...one]);
  });
});

test('a table that has no room in the memory leaves the lanes as they are', () => {
  const held = Int32Array.from({ length: laneCount }, (_, i) => i);
  const large = new Float64Array(2 ** 23);
  expect(machine.absorb(held, large, Int32Array.of(0), 1, large.length, large.length)).toBe(false);
  expect([...held]).toEqual(Array.from(held.keys()));
});

test('a host without WebAssembly has no machine, nor one that forbids it', () => {
  expect(LanesMachine.make(undefined)).toBeUndefined();
  const forbidding = runInNewContext('WebAssembly', {}, { contextCodeGeneration: { wasm: false } }) as Assembler;
  expect(() => new forbidding.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0))).toThrow('disallowed by embedder');
  expect(LanesMachine.make(forbidding)).toBeUndefined();
});

test('a hasher that has a machine, and one that has none yet, give the same digests', () => {
  const used = new StateHasher();
  used.floats(new Float64Array(100_000));
  for (const length of [0, 1, 2, 17, 255, 256, 257, 300, 1001]) {
    const floats = Float64Array.from({ length }, (_, i) => (i % 50 === 49 ? Number.NaN : Math.sqrt(i) - 7));
    const rows = new RowList();
    for (let row = 0; row < length >> 3; row++) rows.add((length >> 3) - 1 - row);
    const fresh = new StateHasher();
    used.reset();
    for (const hasher of [used, fresh]) {
      hasher.int(length);
      hasher.floats(floats);
      hasher.rows(floats, rows, 8, 6);
      hasher.string('between');
      hasher.floats(floats);
    }
    expect(used.digest(), `${length}`).toBe(fresh.digest());
  }
});
