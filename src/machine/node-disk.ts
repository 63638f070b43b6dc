import { closeSync, open as openFile, readFileSync } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Disk, OpenMode } from './disk.ts';

const flags: Readonly<Record<OpenMode, string>> = { new: 'wx', append: 'a', replace: 'w' };

const openNumber = promisify(openFile);

/** The disk of this machine. */
export const nodeDisk: Disk = {
  async makeFolder(path) {
    const missing: string[] = [];
    for (let folder = resolve(path); !(await isFolder(folder)); folder = dirname(folder)) missing.unshift(folder);
    // `mkdir` with `recursive` never returns for paths below `/proc`.
    for (const folder of missing) {
      // The files hold names, chat and secrets of players, so only the server's user may read them.
      await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      await syncFolder(dirname(folder));
    }
  },
  list: (folder) => readdir(folder),
  async read(path) {
    const { buffer, byteOffset, length } = await readFile(path);
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  },
  async readSmall(path) {
    // Opening may take long, and makes network file systems ask for the current file. Its few bytes arrive with that;
    // another three turns through the thread pool would cost more than reading them here.
    const file = await openNumber(path, 'r');
    try {
      return new Uint8Array(readFileSync(file));
    } finally {
      closeSync(file);
    }
  },
  async size(path) {
    return (await stat(path)).size;
  },
  // On Windows the mode says nothing about other users.
  async permissions(path) {
    return process.platform === 'win32' ? undefined : (await stat(path)).mode & 0o777;
  },
  async open(path, mode, permissions) {
    const file = await open(path, flags[mode], permissions);
    return {
      async write(bytes) {
        return (await file.write(bytes)).bytesWritten;
      },
      sync: () => file.datasync(),
      close: () => file.close(),
    };
  },
  rename,
  link,
  remove: (path) => rm(path, { force: true }),
  syncFolder,
};

/** Rejects if the path is a file or leads through one. */
async function isFolder(path: string): Promise<boolean> {
  let isThere = false;
  try {
    isThere = (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
  if (!isThere) throw Object.assign(new Error(`ENOTDIR: not a directory, '${path}'`), { code: 'ENOTDIR' });
  return true;
}

async function syncFolder(path: string): Promise<void> {
  // Windows cannot open a folder, and syncs its entries itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
