import { matchers } from './matchers.ts';

interface Expect {
  extend(added: typeof matchers): void;
}

/**
 * Adds the matchers to the `expect` of the test runner: vitest's, or a global one. Does nothing if there is neither;
 * the user must then call `expect.extend(matchers)`.
 */
export async function registerMatchers(): Promise<void> {
  const expect = globalExpect() ?? (await runningVitest())?.expect;
  expect?.extend(matchers);
}

function globalExpect(): Expect | undefined {
  const { expect } = globalThis as { readonly expect?: Partial<Expect> };
  return typeof expect?.extend === 'function' ? (expect as Expect) : undefined;
}

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
