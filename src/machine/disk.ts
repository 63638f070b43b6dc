import { dirname } from 'node:path';

/** `new` fails if the file exists, `append` writes at its end, `replace` truncates it first. */
export type OpenMode = 'new' | 'append' | 'replace';

/**
 * The file system as an interface, so that tests can simulate one. A failed call rejects with an error whose `code` is
 * that of the system: `ENOENT`, `ENOSPC`, `EIO`. Every process sees a change at once; after a power failure only synced
 * changes remain.
 */
export interface Disk {
  /**
   * Creates a folder and its parents, readable by this user only, and syncs them. An existing folder stays as it is.
   */
  makeFolder(path: string): Promise<void>;
  /** The names in a folder, in any order. */
  list(folder: string): Promise<readonly string[]>;
  read(path: string): Promise<Uint8Array>;
  /** As `read`, but cheaper for a regular file of a few bytes that is read often. */
  readSmall(path: string): Promise<Uint8Array>;
  /** The size of a file in bytes. */
  size(path: string): Promise<number>;
  /** The permission bits of a file; undefined if the system has none. */
  permissions(path: string): Promise<number | undefined>;
  /** `permissions` are the permission bits of a file that is created; by default everybody may read it. */
  open(path: string, mode: OpenMode, permissions?: number): Promise<DiskFile>;
  /** Replaces a file that already has the new name. */
  rename(from: string, to: string): Promise<void>;
  /** Gives a file a second name. Rejects with `EEXIST` if that is taken; not every file system can do this. */
  link(from: string, to: string): Promise<void>;
  /** Does nothing if the file does not exist. */
  remove(path: string): Promise<void>;
  /** Syncs the folder itself: its entries then survive a power failure. */
  syncFolder(path: string): Promise<void>;
}

/** A file that is open for writing. */
export interface DiskFile {
  /** Appends bytes. Resolves to the number of bytes written, which may be fewer than given. */
  write(bytes: Uint8Array): Promise<number>;
  /** Syncs the file: the bytes written so far then survive a power failure. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Undefined if the file does not exist. Other errors are thrown: the file may exist. */
export function readIfExists(disk: Disk, path: string): Promise<Uint8Array | undefined> {
  return ifExists(disk.read(path));
}

/** Turns `ENOENT` into undefined; other errors are thrown. */
export async function ifExists<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function writeFully(file: DiskFile, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += await file.write(bytes.subarray(at));
}

interface ReplaceOptions {
  /** Whether to sync, so that the new content survives a power failure. The file is complete either way. */
  readonly sync: boolean;
  /** The extension of the temporary file; two concurrent writers of one file need different ones. */
  readonly temporary?: string;
  readonly permissions?: number;
  /** Rejects with `EEXIST` if the file is there, also if another process has just made it. */
  readonly isNew?: boolean;
}

/** Replaces a file atomically: after a crash at any moment, either the old or the new content is there, complete. */
export async function replaceFile(
  disk: Disk,
  path: string,
  bytes: Uint8Array,
  { sync, temporary = 'new', permissions, isNew }: ReplaceOptions,
): Promise<void> {
  const beside = `${path}.${temporary}`;
  try {
    const file = await disk.open(beside, 'replace', permissions);
    try {
      await writeFully(file, bytes);
      // Synced before the rename, or a power failure could leave an empty file under the final name.
      if (sync) await file.sync();
    } finally {
      await file.close();
    }
    // Where there are no links, only a rename is as atomic.
    const isLinked =
      isNew &&
      (await disk.link(beside, path).then(
        () => true,
        (error: NodeJS.ErrnoException) => error.code === 'EEXIST' && Promise.reject(error),
      ));
    await (isLinked ? disk.remove(beside) : disk.rename(beside, path));
  } catch (error) {
    await disk.remove(beside).catch(() => {});
    throw error;
  }
  if (sync) await disk.syncFolder(dirname(path));
}
