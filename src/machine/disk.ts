import { dirname } from 'node:path';

/** Whether a file must not be there before, is written on at its end, or is emptied first. */
export type OpenMode = 'new' | 'append' | 'replace';

/**
 * Files as a program is given them. A failed call rejects with an error that has the `code` of the system: `ENOENT`, `ENOSPC`, `EIO`. Each
 * change is there for every process at once, and after a power failure only where it was synced.
 */
export interface Disk {
  /** With the folders above it, which outlast a power failure at once, for its user alone; one that is there stays as it is. */
  makeFolder(path: string): Promise<void>;
  /** Names in a folder, in any order. */
  list(folder: string): Promise<readonly string[]>;
  read(path: string): Promise<Uint8Array>;
  /** Bytes of a file. */
  size(path: string): Promise<number>;
  /** Rights of a file, as numbers of the system; undefined where the system has none. */
  rights(path: string): Promise<number | undefined>;
  /** `rights`: of a file that is made, as numbers of the system; by default everybody may read it. */
  open(path: string, mode: OpenMode, rights?: number): Promise<DiskFile>;
  /** In place of what has the name already. */
  rename(from: string, to: string): Promise<void>;
  /** Also of a file that is not there. */
  remove(path: string): Promise<void>;
  /** The names in a folder outlast a power failure as they are now. */
  syncFolder(path: string): Promise<void>;
}

/** A file that is open for writing. */
export interface DiskFile {
  /** Behind what is there already. Resolves to the bytes that were taken, which may be fewer than were given. */
  write(bytes: Uint8Array): Promise<number>;
  /** Written bytes then outlast a power failure. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Undefined for a file that is not there. A file that cannot be read is an error: it may be there. */
export function readIfThere(disk: Disk, path: string): Promise<Uint8Array | undefined> {
  return ifThere(disk.read(path));
}

/** Undefined where the file of a call is not there. Any other error is one. */
export async function ifThere<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeWhole(file: DiskFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += await file.write(bytes.subarray(at));
}

interface ReplaceOptions {
  /** Whether it is to outlast a power failure; the file is whole in any case where it is. */
  readonly sync: boolean;
  /** Ends the name of the file beside it; two writers of one file need two. */
  readonly temporary?: string;
  readonly rights?: number;
}

/** Puts a file in the place of another: whenever the machine stops, there is the old one or the new one, whole. */
export async function replaceFile(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  { sync, temporary = 'new', rights }: ReplaceOptions,
): Promise<void> {
  const beside = `${path}.${temporary}`;
  try {
    const file = await disk.open(beside, 'replace', rights);
    try {
      await writeWhole(file, bytes);
      // On the disk before it has the name, or a power failure could leave the name and nothing in it.
      if (sync) await file.sync();
    } finally {
      await file.close();
    }
    await disk.rename(beside, path);
  } catch (error) {
    await disk.remove(beside).catch(() => {});
    throw error;
  }
  if (sync) await disk.syncFolder(dirname(path));
}
