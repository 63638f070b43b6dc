import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bitAt, includesAll, maskAt, noBits, rowHas, setMask, union, unionOf, without } from '../../engine/ecs/mask.ts';
import { runs } from '../support/property.ts';

const bits = fc.uniqueArray(fc.nat({ max: 63 }));
const maskOf = (indices: readonly number[]) => indices.map(bitAt).reduce(union, noBits);

test('masks are sets of bits, also above the 32nd', () => {
  const rows = { maskLow: new Int32Array(2), maskHigh: new Int32Array(2) };
  fc.assert(
    fc.property(bits, bits, (one, other) => {
      const [a, b] = [maskOf(one), maskOf(other)];
      const isAll = other.every((bit) => one.includes(bit));
      expect(union(a, b)).toEqual(maskOf([...new Set([...one, ...other])]));
      expect(without(a, b)).toEqual(maskOf(one.filter((bit) => !other.includes(bit))));
      expect(includesAll(a, b)).toBe(isAll);
      setMask(rows, 0, a);
      setMask(rows, 1, b);
      expect([maskAt(rows, 0), maskAt(rows, 1)]).toEqual([a, b]);
      expect(rowHas(rows, 0, b)).toBe(isAll);
      expect(unionOf(rows)).toEqual(union(a, b));
    }),
    runs(),
  );
});

test('there are 64 bits', () => {
  expect(new Set(Array.from({ length: 64 }, (_, bit) => JSON.stringify(bitAt(bit)))).size).toBe(64);
  expect(() => bitAt(64)).toThrow('a mask has 64 bits');
});
