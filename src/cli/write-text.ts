import {
  accessSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../engine/core/index.ts';
import { Failure } from './failure.ts';

/** Throws `Failure` for `-`, which means standard output in other programs. */
export function requireFileName(path: string) {
  if (path === '-')
    throw new Failure(
      'bad-output',
      'Results are written to a file, not to standard output. For a file named "-", write ./-',
    );
}

/** Creates missing parents one by one: `mkdirSync` with `recursive` loops forever in folders like `/proc`. */
function makeFolder(folder: string) {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!existsSync(folder)) throw error;
  }
}

/** Writes an output file, creating its folder if needed. Throws `Failure` if that fails. */
export function writeText(path: string, text: string | Uint8Array) {
  requireFileName(path);
  try {
    makeFolder(dirname(path));
    writeFileSync(path, text);
  } catch (error) {
    throw new Failure('cannot-write', `${path}: ${messageOf(error)}`);
  }
}

/**
 * Replaces the content of an existing file atomically: writes a new file in the same folder and renames it. Follows
 * links, and keeps mode and owner. Throws `Failure` if the file may not be written.
 */
export function replaceText(path: string, text: string) {
  let made: string | undefined;
  try {
    const target = realpathSync(path);
    accessSync(target, constants.W_OK);
    const before = statSync(target);
    made = join(dirname(target), `.${basename(target)}.${process.pid}.new`);
    writeWhole(made, text, before.mode);
    // Only root can change the owner; for other users, the new file belongs to them.
    if (process.getuid?.() === 0) chownSync(made, before.uid, before.gid);
    renameSync(made, target);
  } catch (error) {
    if (made !== undefined) rmSync(made, { force: true });
    throw new Failure('cannot-write', `${path}: ${messageOf(error)}`);
  }
}

/** Writes an output file, or replaces it as `replaceText` does. */
export function replaceOrWrite(path: string, text: string) {
  (existsSync(path) ? replaceText : writeText)(path, text);
}

function writeWhole(path: string, text: string, mode: number) {
  const handle = openSync(path, 'wx');
  try {
    fchmodSync(handle, mode);
    writeFileSync(handle, text);
    // Without `fsync`, the new name could refer to an empty file after a power failure.
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
