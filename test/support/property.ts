/**
 * How often tests of properties run: `PROPERTY_RUNS=20` in the environment makes all of them run 20 times as often as they usually do.
 * A positive number; 1 when nothing is said.
 */
export const runsFactor = Number(process.env['PROPERTY_RUNS'] ?? 1);

if (!(runsFactor > 0))
  throw new Error(`PROPERTY_RUNS is "${process.env['PROPERTY_RUNS']}"; it must be a positive number.`);

/** The parameter of `fc.assert` for a property that usually runs so often. */
export function runs(usual = 100): { readonly numRuns: number } {
  return { numRuns: Math.max(1, Math.round(usual * runsFactor)) };
}
