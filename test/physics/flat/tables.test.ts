import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { IndexSet } from '../../../engine/core/index-set.ts';
import { PairTable } from '../../../engine/physics/flat/pair-table.ts';
import { runs } from '../../support/property.ts';

test('a set of ranks is iterated from the highest down after any changes', () => {
  const change = fc.tuple(fc.boolean(), fc.nat(5000));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), fc.nat(5001), (changes, start) => {
      const set = new IndexSet();
      set.reserve(5001);
      const expected = new Set<number>();
      for (const [isAdded, rank] of changes) {
        if (isAdded) {
          set.add(rank);
          expected.add(rank);
        } else {
          set.delete(rank);
          expected.delete(rank);
        }
      }
      const walked: number[] = [];
      for (let rank = set.below(start); rank >= 0; rank = set.below(rank)) walked.push(rank);
      expect(walked).toEqual([...expected].filter((rank) => rank < start).sort((a, b) => b - a));
      set.clear();
      expect(set.below(5001)).toBe(-1);
    }),
    runs(),
  );
});

test('a pair table contains exactly its pairs, in either order', () => {
  const change = fc.record({ isSet: fc.boolean(), a: fc.nat(40), b: fc.nat(40), contact: fc.nat(3) });
  fc.assert(
    fc.property(fc.array(change, { minLength: 200, maxLength: 1200 }), (changes) => {
      const table = new PairTable();
      const expected = new Map<string, number>();
      const key = (a: number, b: number) => `${Math.min(a, b)} ${Math.max(a, b)}`;
      for (const { isSet, a, b, contact } of changes) {
        if (isSet) {
          table.set(a, b, contact);
          expected.set(key(a, b), contact);
        } else {
          table.delete(b, a, contact);
          if (expected.get(key(a, b)) === contact) expected.delete(key(a, b));
        }
      }
      for (let a = 0; a <= 40; a++) for (let b = 0; b <= 40; b++) expect(table.has(a, b)).toBe(expected.has(key(a, b)));
    }),
    runs(50),
  );
});
