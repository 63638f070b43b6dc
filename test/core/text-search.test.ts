import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchFor } from '../../engine/core/text-search.ts';
import { runs } from '../support/property.ts';

test('finds a text from any start', () => {
  const few = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 300 });
  const long = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 33, maxLength: 40 });
  fc.assert(
    fc.property(few, fc.oneof(fc.string(), long), few, fc.nat(400), (before, sought, after, from) => {
      const text = before + sought + after;
      expect(searchFor(sought)(text, Math.min(from, text.length))).toBe(text.indexOf(sought, from));
    }),
    runs(),
  );
});

const many = (count: number) => 'a'.repeat(count);

test.each([
  ['whose second letter is another', `ab${many(400_000)}`],
  ['whose middle is another', `${many(200_000)}b${many(200_000)}`],
  ['whose last letter is another', `${many(400_000)}b`],
  ['that is longer than the text', many(1_000_001)],
])('takes reasonable time for a text %s', (_what, sought) => {
  expect(searchFor(sought)(many(1_000_000), 0)).toBe(-1);
  expect(searchFor(sought)(`${many(100)}${sought}`, 0)).toBe(sought.includes('b') ? 100 : 0);
});
