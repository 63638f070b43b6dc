import { dirname } from 'node:path';

/** How to open a file: `append` writes at its end, and `replace` truncates it first. */
export type OpenMode = 'append' | 'replace';

/**
 * The file system as an interface, so that tests can simulate one. A failed call rejects with an error whose `code` is
 * that of the operating system, such as `ENOENT`, `ENOSPC` or `EIO`. Every process sees a change immediately, but only
 * synced changes survive a power failure.
 */
export interface Disk {
  /**
   * Creates a folder and its missing parents, readable by this user only, and syncs them. An existing folder is not
   * changed.
   */
  makeFolder(path: string): Promise<void>;
  /** The names in a folder, in any order. */
  list(folder: string): Promise<readonly string[]>;
  read(path: string): Promise<Uint8Array>;
  /** Like `read`, but cheaper for a regular file of a few bytes that is read often. */
  readSmall(path: string): Promise<Uint8Array>;
  /** The size of a file in bytes. */
  size(path: string): Promise<number>;
  /** The permission bits of a file; undefined if the system has no such bits. */
  permissions(path: string): Promise<number | undefined>;
  /**
   * Opens a file for writing. `permissions` are the permission bits for a file that is created; by default, every user
   * may read it.
   */
  open(path: string, mode: OpenMode, permissions?: number): Promise<DiskFile>;
  /** Renames a file. An existing file with the new name is replaced. */
  rename(from: string, to: string): Promise<void>;
  /**
   * Creates a hard link. Rejects with `EEXIST` if `to` exists, and with another error if the file system does not
   * support hard links.
   */
  link(from: string, to: string): Promise<void>;
  /** Removes a file; does nothing if the file does not exist. */
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

/**
 * Reads a file. Resolves to undefined if the file does not exist, and rejects with any other error, because then the
 * file may exist.
 */
export function readIfExists(disk: Disk, path: string): Promise<Uint8Array | undefined> {
  return ifExists(disk.read(path));
}

/** Resolves to undefined if `call` rejects with `ENOENT`. Other errors are passed on. */
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
  /**
   * Whether to sync the file, so that the new content survives a power failure. Readers never see an incomplete file,
   * even without syncing.
   */
  readonly sync: boolean;
  /**
   * The extension of the temporary file, without the dot. Two concurrent writers of the same file need different
   * extensions.
   */
  readonly temporary?: string;
  readonly permissions?: number;
  /**
   * Whether the file must be new: the call then rejects with `EEXIST` if the file exists, even if another process has
   * just created it.
   */
  readonly isNew?: boolean;
}

/**
 * Replaces a file atomically: after a crash at any moment, the file has either its complete old or its complete new
 * content.
 */
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
      // The file is synced before it is renamed, because otherwise a power failure could leave an empty file under the
      // final name.
      if (sync) await file.sync();
    } finally {
      await file.close();
    }
    // If the file system does not support links, the rename below is used, which is atomic but can replace a file of
    // another process.
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
