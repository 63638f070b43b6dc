import { relative } from 'node:path';
import { failureListeners, runningVitest, successListeners } from '../scenario/index.ts';
import type { Pictures } from './pictures.ts';

/**
 * The built form of `reenact/testing`: the module itself, and under vitest the code that writes pictures and pages of
 * failures.
 */

export * from '../scenario/testing.ts';

let pictures: Pictures | undefined;

const vitest = await runningVitest();
if (vitest !== undefined) {
  const { expect } = vitest;
  // So that `expect.hasAssertions()` and `requireAssertions` see the expectations of scenarios.
  successListeners.push(() => expect.setState({ assertionCalls: expect.getState().assertionCalls + 1 }));
  failureListeners.push((failure, recording) => {
    try {
      vitest.onTestFailed(async ({ task }) => {
        // A test may expect a failure of a scenario, and then fail for another reason: only a failure that it reports
        // is written.
        const error = task.result?.errors?.find(({ message }) => message.includes(failure.message));
        if (error === undefined) return;
        const { Pictures } = await import('./pictures.ts');
        pictures ??= new Pictures('.reenact', (text) => console.warn(text));
        const titles = [task.name];
        for (let { suite } = task; suite !== undefined; { suite } = suite) titles.unshift(suite.name);
        const given = { file: relative('', task.file.filepath), title: titles.join(' ') };
        const { picture, page } = pictures.save({ case: given, failure: failure.report, recording: await recording() });
        if (picture !== undefined) error.message += `\n  picture: ${picture}`;
        if (page !== undefined) error.message += `\n  watch: ${page}`;
      });
    } catch {
      // Outside of a test, nothing is written, because the files are named after the test.
    }
  });
}
