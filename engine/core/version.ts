/** That of the package: test/tidy/version.test.ts keeps the two together. Journals and snapshots say which version made them. */
export const engineVersion = '0.1.0';
