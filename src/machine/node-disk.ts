import { closeSync, open as openFile, readFileSync } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Disk, OpenMode } from './disk.ts';

const flags: Readonly<Record<OpenMode, string>> = { append: 'a', replace: 'w' };

const openNumber = promisify(openFile);

/** The disk of the machine that this process runs on. */
export const nodeDisk: Disk = {
  async makeFolder(path) {
    const missing: string[] = [];
    for (let folder = resolve(path); !(await isFolder(folder)); folder = dirname(folder)) missing.unshift(folder);
    // Folders are created one by one, because `mkdir` with `recursive` never returns for paths below `/proc`.
    for (const folder of missing) {
      // Only the user that runs the server may read the folder, because its files contain names, chat and secrets of
      // players.
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
    // The file is opened asynchronously, because opening may take long: network file systems then fetch the current
    // content. Reading and closing are synchronous, because the few bytes are in memory by then, and three more calls
    // through the thread pool would cost more.
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
  // On Windows, the mode does not say what other users may do.
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

/** Whether the path is a folder. Rejects with `ENOTDIR` if it is a file, or if it leads through a file. */
async function isFolder(path: string) {
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

async function syncFolder(path: string) {
  // Windows cannot open a folder. It syncs the entries of folders itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
