import { relative } from 'node:path';
import { failureListeners, runningVitest } from '../scenario/index.ts';
import type { Pictures } from './pictures.ts';

/**
 * What `reenact/testing` is when built: the module itself, and what keeps pictures and pages of failures under vitest.
 */

export * from '../scenario/testing.ts';

let pictures: Pictures | undefined;

const vitest = await runningVitest();
if (vitest !== undefined) {
  failureListeners.push((failure, recording) => {
    try {
      vitest.onTestFailed(async ({ task }) => {
        // A test may expect a failure and fail with another.
        const error = task.result?.errors?.find(({ message }) => message.includes(failure.message));
        if (error === undefined) return;
        const { Pictures } = await import('./pictures.ts');
        pictures ??= new Pictures('.reenact', (text) => console.warn(text));
        const titles = [task.name];
        for (let { suite } = task; suite !== undefined; { suite } = suite) titles.unshift(suite.name);
        const given = { file: relative('', task.file.filepath), title: titles.join(' ') };
        const { picture, page } = pictures.save({ case: given, failure: failure.report, recording: recording() });
        if (picture !== undefined) error.message += `\n  picture: ${picture}`;
        if (page !== undefined) error.message += `\n  watch: ${page}`;
      });
    } catch {
      // Outside of a test there is nothing to name the files after.
    }
  });
}
