import { type FSWatcher, watch } from 'node:fs';
import { exitCodes, Failure } from './failure.ts';
import type { Terminal } from './terminal.ts';

/** Editors write a file in several goes. */
const settleMs = 80;

/** Does the work, and does it again whenever one of the files changes, until the user interrupts. */
export async function watchFiles(
  files: () => readonly string[],
  work: () => Promise<number>,
  terminal: Terminal,
): Promise<number> {
  const { stdout, stderr } = terminal;
  let watchers: FSWatcher[] = [];
  let wake: (why: 'changed' | 'interrupted') => void = () => {};
  const stopListening = terminal.onInterrupt(() => wake('interrupted'));
  for (;;) {
    try {
      await work();
    } catch (error) {
      // A file half written is no reason to stop watching it.
      if (!(error instanceof Failure)) throw error;
      stderr.write([`${error.code}: ${error.message}`, ...error.details, ''].join('\n'));
    }
    const why = await new Promise<'changed' | 'interrupted'>((resolve) => {
      wake = resolve;
      let settling: NodeJS.Timeout | undefined;
      watchers = files().map((file) =>
        watch(file, () => {
          clearTimeout(settling);
          settling = setTimeout(() => resolve('changed'), settleMs);
        }),
      );
      stdout.write(`watching ${watchers.length} files; interrupt to end\n`);
    });
    for (const watcher of watchers) watcher.close();
    if (why === 'changed') continue;
    stopListening();
    return exitCodes.ok;
  }
}
