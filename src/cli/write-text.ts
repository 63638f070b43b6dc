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
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from './failure.ts';

/** Refuses `-`, by which other programs mean the standard output. */
export function needFileName(path: string): void {
  if (path === '-')
    throw new Failure('bad-output', 'Results go to a file, not to the standard output; for a file of that name: ./-');
}

/** Step by step: where a folder refuses all others, as `/proc` does, Node's own way tries for ever. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been first.
    if (!existsSync(folder)) throw error;
  }
}

/** Writes a file that a user asked for, in a folder that is made where it is not there. */
export function writeText(path: string, text: string | Uint8Array): void {
  needFileName(path);
  try {
    makeFolder(dirname(path));
    writeFileSync(path, text);
  } catch (error) {
    throw new Failure('cannot-write', `${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Gives a file that is there another content, all of it or none. The content goes to a new file beside it, which then takes its name; links lead
 * to the new one, and it keeps the mode. A `Failure` where the file may not be written.
 */
export function replaceText(path: string, text: string): void {
  let made: string | undefined;
  try {
    const target = realpathSync(path);
    accessSync(target, constants.W_OK);
    const before = statSync(target);
    made = join(dirname(target), `.${basename(target)}.${process.pid}.new`);
    writeWhole(made, text, before.mode);
    keepOwner(made, before);
    renameSync(made, target);
  } catch (error) {
    if (made !== undefined) rmSync(made, { force: true });
    throw new Failure('cannot-write', `${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function writeWhole(path: string, text: string, mode: number): void {
  const handle = openSync(path, 'wx');
  try {
    fchmodSync(handle, mode);
    writeFileSync(handle, text);
    // After a power failure the name must not lead to an empty file.
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Only the superuser may give a file away; for anybody else the new file is their own. */
function keepOwner(path: string, { uid, gid }: Stats): void {
  if (process.getuid?.() === 0) chownSync(path, uid, gid);
}
