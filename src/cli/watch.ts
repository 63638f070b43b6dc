import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Terminal } from '../text/terminal.ts';
import { amount } from '../text/words.ts';
import { exitCodes, Failure } from './failure.ts';

/** Editors write a file in several goes. */
const settleMs = 80;

export interface Watched {
  readonly files: readonly string[];
  /** Where files may come that are not there yet. */
  readonly folders: readonly string[];
  /** Whether a new file there is of interest, by its name. */
  readonly concerns: (name: string) => boolean;
}

/** Does the work, and does it again whenever something changes, also while it is done, until the user interrupts. */
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
      // A file half written is no reason to stop watching it.
      if (!(error instanceof Failure)) throw error;
      stderr.write([`${error.code}: ${error.message}`, ...error.details, ''].join('\n'));
    }
    if (!isInterrupted) stdout.write(`watching ${amount(watches.files.length, 'file')}; interrupt to end\n`);
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

/** Folders are watched and not files: editors replace a file by another, and a game that is not there may come. */
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
