/**
 * The version of the package, which journals and snapshots record. `test/tidy/version.test.ts` compares it with that of
 * every `package.json`.
 */
export const engineVersion = '0.1.0';
