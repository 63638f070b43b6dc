/** `npm run test:all` runs everything; otherwise, long tests use samples. */
export const isLong = process.env['REENACT_TESTS'] === 'all';

/**
 * How often tests of properties run: a quarter of the number they state, or 0.3 of it in `npm run test:all`.
 * `PROPERTY_RUNS=20` in the environment makes it 20 times that number.
 */
export const runsFactor = Number(process.env['PROPERTY_RUNS'] ?? (isLong ? 0.3 : 0.25));

if (!(runsFactor > 0))
  throw new Error(`PROPERTY_RUNS is "${process.env['PROPERTY_RUNS']}"; it must be a positive number.`);

/** The parameter of `fc.assert` for a property that states this many runs. */
export function runs(usual = 100): { readonly numRuns: number } {
  return { numRuns: Math.max(1, Math.round(usual * runsFactor)) };
}

/**
 * `count` elements spread evenly over a list, including the first and the last; the whole list in `npm run test:all`.
 */
export function sampleOf<T>(list: readonly T[], count: number): readonly T[] {
  if (isLong || list.length <= count) return list;
  return Array.from({ length: count }, (_, i) => list[Math.round((i * (list.length - 1)) / Math.max(1, count - 1))]!);
}
