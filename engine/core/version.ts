/**
 * The version of the package, which journals and snapshots record. test/tidy/version.test.ts checks that both are
 * equal.
 */
export const engineVersion = '0.1.0';
