import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/machine/node-disk.ts';
import { temporaryFolder } from '../server/support.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

describe('a folder', () => {
  test('is created with its parents for its user only, and left alone if it exists', async () => {
    mkdirSync(join(folder.path, 'there'), { mode: 0o755 });
    const path = join(folder.path, 'there', 'a', 'b');
    await nodeDisk.makeFolder(path);
    await nodeDisk.makeFolder(path);
    expect(statSync(path).isDirectory()).toBe(true);
    if (process.platform === 'win32') return;
    for (const made of [path, join(path, '..')]) expect(statSync(made).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder.path, 'there')).mode & 0o777).toBe(0o755);
  });

  test('may have a relative path of one letter', async () => {
    const name = 'qjxz'.split('').find((letter) => !existsSync(letter))!;
    try {
      await nodeDisk.makeFolder(name);
      expect(statSync(name).isDirectory()).toBe(true);
    } finally {
      rmSync(name, { recursive: true });
    }
    const path = relative(process.cwd(), join(folder.path, 'other'));
    await nodeDisk.makeFolder(path);
    expect(existsSync(path)).toBe(true);
  });

  test('can be created by many at once', async () => {
    const path = join(folder.path, 'a', 'b', 'c');
    await Promise.all(Array.from({ length: 20 }, () => nodeDisk.makeFolder(path)));
    expect(existsSync(path)).toBe(true);
  });

  test('is refused in place of a file, and below a file', async () => {
    const file = join(folder.path, 'file');
    writeFileSync(file, '');
    await expect(nodeDisk.makeFolder(file)).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(nodeDisk.makeFolder(join(file, 'a'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  test.skipIf(process.platform !== 'linux')('is closed after each sync (on Linux only)', async () => {
    for (let i = 0; i < 30; i++) await nodeDisk.syncFolder(folder.path);
    const links = readdirSync('/proc/self/fd').map((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`);
      } catch {
        // Closed since, as that of the list itself.
        return '';
      }
    });
    expect(links.filter((link) => link === realpathSync(folder.path))).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')('is refused where the system allows none (on Linux only)', async () => {
    await expect(nodeDisk.makeFolder('/proc/self/here')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
