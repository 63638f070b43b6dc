import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { amount, type Terminal } from '../text/index.ts';
import { exitCodes, Failure } from './failure.ts';

/** How long to wait for editors to finish, ms: they may write a file in several steps. */
const settleMs = 80;

export interface Watched {
  readonly files: readonly string[];
  /** Folders in which new files may appear. */
  readonly folders: readonly string[];
  /** Whether a new file with this name matters. */
  readonly concerns: (name: string) => boolean;
}

/** Runs `work`, and again after every change, including changes during a run, until the user interrupts. */
export async function watchFiles(
  watched: () => Watched,
  work: () => Promise<number>,
  terminal: Terminal,
): Promise<number> {
  const { stdout, stderr } = terminal;
  let wake = (): void => {};
  let isInterrupted = false;
  const stopListening = terminal.onInterrupt(() => {
    isInterrupted = true;
    wake();
  });
  while (!isInterrupted) {
    let hasChanged = false;
    const watches = watched();
    const watchers = open(watches, () => {
      hasChanged = true;
      wake();
    });
    try {
      await work();
    } catch (error) {
      // A failure does not end watching: a file may be only half written.
      if (!(error instanceof Failure)) throw error;
      stderr.write([`${error.code}: ${error.message}`, ...error.details, ''].join('\n'));
    }
    if (!isInterrupted) stdout.write(`watching ${amount(watches.files.length, 'file')}; press Ctrl+C to stop\n`);
    if (!hasChanged && !isInterrupted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    for (const watcher of watchers) watcher.close();
    if (!isInterrupted) await new Promise((resolve) => setTimeout(resolve, settleMs));
  }
  stopListening();
  return exitCodes.ok;
}

/** Watches folders instead of files: editors replace files, and missing games may appear. */
function open({ files, folders, concerns }: Watched, onChange: () => void): FSWatcher[] {
  const names = new Map<string, Set<string>>(folders.map((folder) => [folder, new Set()]));
  for (const file of files) {
    const folder = dirname(file);
    const inFolder = names.get(folder) ?? new Set();
    inFolder.add(basename(file));
    names.set(folder, inFolder);
  }
  return Array.from(names, ([folder, known]) =>
    watch(folder, (_event, name) => {
      if (name === null || known.has(name) || (folders.includes(folder) && concerns(name))) onChange();
    }),
  );
}
