import { matchers } from './matchers.ts';

interface Expect {
  extend(added: typeof matchers): void;
}

/**
 * Adds the matchers to the `expect` of the test runner: vitest's, or a global one. Does nothing if there is neither;
 * then call `expect.extend(matchers)`.
 */
export async function registerMatchers(): Promise<void> {
  const expect = globalExpect() ?? (await runningVitest())?.expect;
  expect?.extend(matchers);
}

function globalExpect(): Expect | undefined {
  const { expect } = globalThis as { readonly expect?: Partial<Expect> };
  return typeof expect?.extend === 'function' ? (expect as Expect) : undefined;
}

/** Undefined unless this process runs tests of vitest. */
export async function runningVitest(): Promise<typeof import('vitest') | undefined> {
  if (process.env['VITEST'] === undefined) return undefined;
  try {
    return await import('vitest');
  } catch {
    // Programs started by a test inherit the variable without running under vitest.
    return undefined;
  }
}
