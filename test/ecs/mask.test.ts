import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bitAt, highestBit, includesAll, intersection, noBits, union, without } from '../../engine/ecs/mask.ts';
import { runs } from '../support/property.ts';

const bits = fc.uniqueArray(fc.nat({ max: 52 }));
const maskOf = (indices: readonly number[]) => indices.map(bitAt).reduce(union, noBits);

test('masks are sets of bits, also above the 32nd', () => {
  fc.assert(
    fc.property(bits, bits, (one, other) => {
      const [a, b] = [maskOf(one), maskOf(other)];
      expect(union(a, b)).toBe(maskOf([...new Set([...one, ...other])]));
      expect(without(a, b)).toBe(maskOf(one.filter((bit) => !other.includes(bit))));
      expect(intersection(a, b)).toBe(maskOf(one.filter((bit) => other.includes(bit))));
      if (one.length > 0) expect(highestBit(a)).toBe(Math.max(...one));
      expect(includesAll(a, b)).toBe(other.every((bit) => one.includes(bit)));
    }),
    runs(),
  );
});

test('there are 53 bits', () => {
  expect(Number.isSafeInteger(maskOf(Array.from({ length: 53 }, (_, bit) => bit)))).toBe(true);
  expect(() => bitAt(53)).toThrow('a mask has 53 bits');
});
