import { matchers } from './matchers.ts';

interface Expect {
  extend(added: typeof matchers): void;
}

/**
 * Adds the matchers to the `expect` of the test runner: vitest's, or one that is global. Where there is neither, as in a plain program,
 * nothing happens, and `expect.extend(matchers)` remains.
 */
export async function registerMatchers(): Promise<void> {
  const expect = globalExpect() ?? (await vitestExpect());
  expect?.extend(matchers);
}

function globalExpect(): Expect | undefined {
  const { expect } = globalThis as { readonly expect?: Partial<Expect> };
  return typeof expect?.extend === 'function' ? (expect as Expect) : undefined;
}

async function vitestExpect(): Promise<Expect | undefined> {
  if (process.env['VITEST'] === undefined) return undefined;
  try {
    return (await import('vitest')).expect;
  } catch {
    // The variable is inherited by programs that a test starts, which run no tests of vitest.
    return undefined;
  }
}
