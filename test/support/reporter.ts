import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints a summary line that every CI can parse without knowing vitest: "N passed, N failed, N skipped". Before it come
 * the names of tests that passed only when they were repeated: each is a race, in the test or in what it tests.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<unknown>): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    const repeated: string[] = [];
    for (const module of modules) {
      let inModule = 0;
      for (const test of module.children.allTests()) {
        inModule++;
        const { state } = test.result();
        if (test.diagnostic()?.flaky) repeated.push(`${module.relativeModuleId} > ${test.fullName}`);
        if (state === 'passed') passed++;
        else if (state === 'failed') failed++;
        else skipped++;
      }
      // A file that could not be loaded contains no tests, but counts as a failure.
      if (inModule === 0 && module.state() === 'failed') failed++;
    }
    for (const name of repeated) process.stdout.write(`\npassed only when it was repeated: ${name}`);
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  }
}
