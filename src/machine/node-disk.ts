import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Disk, OpenMode } from './disk.ts';

const flags: Readonly<Record<OpenMode, string>> = { new: 'wx', append: 'a', replace: 'w' };

/** The disk of this machine. */
export const nodeDisk: Disk = {
  async makeFolder(path) {
    // Names, texts and secrets of players are for the user of the server alone.
    const first = await mkdir(path, { recursive: true, mode: 0o700 });
    if (first === undefined) return;
    const outer = dirname(resolve(first));
    for (let folder = resolve(path); folder !== outer && folder !== dirname(folder); folder = dirname(folder)) {
      await syncFolder(dirname(folder));
    }
  },
  list: (folder) => readdir(folder),
  async read(path) {
    const { buffer, byteOffset, length } = await readFile(path);
    return new Uint8Array(buffer as ArrayBuffer, byteOffset, length);
  },
  async size(path) {
    return (await stat(path)).size;
  },
  // On Windows the number says nothing about other users.
  async rights(path) {
    return process.platform === 'win32' ? undefined : (await stat(path)).mode & 0o777;
  },
  async open(path, mode, rights) {
    const file = await open(path, flags[mode], rights);
    return {
      async write(bytes) {
        return (await file.write(bytes)).bytesWritten;
      },
      sync: () => file.datasync(),
      close: () => file.close(),
    };
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  syncFolder,
};

async function syncFolder(path: string): Promise<void> {
  // Windows opens no folder, and keeps names by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
