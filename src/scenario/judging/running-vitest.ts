/** The module of vitest; undefined unless this process runs its tests. */
export async function runningVitest(): Promise<typeof import('vitest') | undefined> {
  if (process.env['VITEST'] === undefined) return undefined;
  try {
    return await import('vitest');
  } catch {
    // A program that a test starts inherits the environment variable without running under vitest.
    return undefined;
  }
}
