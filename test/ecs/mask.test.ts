import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  areSame,
  bitAt,
  includesAll,
  maskAt,
  noBits,
  rowHas,
  setMask,
  union,
  unionOf,
  without,
} from '../../engine/ecs/mask.ts';
import { runs } from '../support/property.ts';

const bits = fc.uniqueArray(fc.nat({ max: 127 }));
const maskOf = (indices: readonly number[]) => indices.map(bitAt).reduce(union, noBits);

test('masks are sets of bits, also above the 32nd', () => {
  const [mask0, mask1, mask2, mask3] = Array.from({ length: 4 }, () => new Int32Array(2)) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  const rows = { mask0, mask1, mask2, mask3 };
  fc.assert(
    fc.property(bits, bits, (one, other) => {
      const [a, b] = [maskOf(one), maskOf(other)];
      const isAll = other.every((bit) => one.includes(bit));
      expect(union(a, b)).toEqual(maskOf([...new Set([...one, ...other])]));
      expect(without(a, b)).toEqual(maskOf(one.filter((bit) => !other.includes(bit))));
      expect(includesAll(a, b)).toBe(isAll);
      expect(areSame(a, b)).toBe(isAll && one.length === other.length);
      setMask(rows, 0, a);
      setMask(rows, 1, b);
      expect([maskAt(rows, 0), maskAt(rows, 1)]).toEqual([a, b]);
      expect(rowHas(rows, 0, b)).toBe(isAll);
      expect(unionOf(rows)).toEqual(union(a, b));
    }),
    runs(),
  );
});

test('there are 128 bits', () => {
  expect(new Set(Array.from({ length: 128 }, (_, bit) => JSON.stringify(bitAt(bit)))).size).toBe(128);
  expect(() => bitAt(128)).toThrow('a mask has 128 bits');
});
