import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
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
 * Writes an output file atomically: writes a new file in the same folder, which is created if needed, and renames it.
 * If the file exists, follows links, and keeps mode and owner. Throws `Failure` if the file may not be written.
 */
export function replaceText(path: string, text: string) {
  requireFileName(path);
  let made: string | undefined;
  try {
    const before = existsSync(path) ? statSync(path) : undefined;
    const target = before === undefined ? path : realpathSync(path);
    if (before === undefined) makeFolder(dirname(path));
    else accessSync(target, constants.W_OK);
    made = join(dirname(target), `.${basename(target)}.${process.pid}.new`);
    writeWhole(made, text, before);
    renameSync(made, target);
  } catch (error) {
    if (made !== undefined) rmSync(made, { force: true });
    throw new Failure('cannot-write', `${path}: ${messageOf(error)}`);
  }
}

/** Writes a new file, with the mode and owner of the file that it replaces. */
function writeWhole(path: string, text: string, before: Stats | undefined) {
  const handle = openSync(path, 'wx');
  try {
    if (before !== undefined) fchmodSync(handle, before.mode);
    // Only root can change the owner; for other users, the new file belongs to them.
    if (before !== undefined && process.getuid?.() === 0) fchownSync(handle, before.uid, before.gid);
    writeFileSync(handle, text);
    // Without `fsync`, the new name could refer to an empty file after a power failure.
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
