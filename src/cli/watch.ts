import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { ReadStream } from 'node:tty';
import { cached, type Dictionary } from '../../engine/core/index.ts';
import { amount, type Terminal } from '../text/index.ts';
import { exitCodes, Failure } from './failure.ts';

/** How long to wait for editors to finish, ms: they may write a file in several steps. */
const settleMs = 80;

interface Watched {
  readonly files: readonly string[];
  /** Folders in which new files may appear. */
  readonly folders: readonly string[];
  /** Whether a new file with this name causes another run. */
  readonly concerns: (name: string) => boolean;
}

/**
 * Runs `work`, and again after every change, including changes during a run, until the user interrupts. `work` gets the
 * key that was pressed, or `''`. `keys`: the keys that start another run, each with a description for the user. `q` and
 * Ctrl+C always end watching.
 */
export async function watchFiles(
  watched: () => Watched,
  work: (key: string) => Promise<number>,
  terminal: Terminal,
  keys: Dictionary<string> = { a: 'run again' },
): Promise<number> {
  const { stdout, stderr } = terminal;
  let wake = () => {};
  let isInterrupted = false;
  let key = '';
  const stop = () => {
    isInterrupted = true;
    wake();
  };
  const stopListening = terminal.onInterrupt(stop);
  const keyboard = terminal.stdin as Partial<ReadStream>;
  const hasKeys = keyboard.isTTY === true;
  if (hasKeys) keyboard.setRawMode!(true).on('data', press);
  function press(typed: Buffer) {
    const pressed = typed.toString();
    if (pressed === 'q') stop();
    // A terminal in raw mode sends Ctrl+C as a character.
    else if (pressed === '\x03') process.emit('SIGINT', 'SIGINT');
    else if (Object.hasOwn(keys, pressed)) {
      key = pressed;
      wake();
    }
  }
  const help = hasKeys
    ? Object.entries({ ...keys, q: 'stop' }).map(([name, does]) => `${name} ${does}`)
    : ['press Ctrl+C to stop'];
  while (!isInterrupted) {
    let hasChanged = false;
    const watches = watched();
    const watchers = open(watches, () => {
      hasChanged = true;
      wake();
    });
    const pressed = key;
    key = '';
    try {
      await work(pressed);
    } catch (error) {
      // A failure does not end watching: a file may be only half written.
      if (!(error instanceof Failure)) throw error;
      stderr.write([`${error.code}: ${error.message}`, ...error.details, ''].join('\n'));
    }
    if (!isInterrupted) stdout.write(`watching ${amount(watches.files.length, 'file')}; ${help.join(', ')}\n`);
    if (!hasChanged && key === '' && !isInterrupted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    for (const watcher of watchers) watcher.close();
    if (!isInterrupted) await new Promise((resolve) => setTimeout(resolve, settleMs));
  }
  if (hasKeys) keyboard.setRawMode!(false).off('data', press).pause();
  stopListening();
  return exitCodes.ok;
}

/** Watches folders instead of files: editors replace files, and missing games may appear. */
function open({ files, folders, concerns }: Watched, onChange: () => void): FSWatcher[] {
  const names = new Map<string, Set<string>>(folders.map((folder) => [folder, new Set()]));
  for (const file of files) cached(names, dirname(file), () => new Set()).add(basename(file));
  return Array.from(names, ([folder, known]) =>
    watch(folder, (_event, name) => {
      if (name === null || known.has(name) || (folders.includes(folder) && concerns(name))) onChange();
    }),
  );
}
