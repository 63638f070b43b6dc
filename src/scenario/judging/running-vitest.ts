/** The module of vitest; undefined unless this process runs its tests. */
export async function runningVitest(): Promise<typeof import('vitest') | undefined> {
  if (process.env['VITEST'] === undefined) return undefined;
  try {
    return await import('vitest');
  } catch {
    // `VITEST` is set, but vitest is not loaded: a program that a test starts inherits the variable.
    return undefined;
  }
}
