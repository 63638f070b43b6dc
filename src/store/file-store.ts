import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kept, Store } from './store.ts';

/** More than any game saves of a player; a larger file is not ours. */
const bytesMax = 8 * 1024 * 1024;

/**
 * Keeps players in files, one per account and game, in a folder that is made when it is first needed. A file is written beside the old one and
 * takes its place when it is complete, so that a crash leaves the one or the other. Names of accounts and games become names of
 * files by their digest, because they may be anything; the file itself says whose it is.
 */
export class FileStore implements Store {
  private readonly folder: string;
  private writes = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  async load(gameId: string, userId: string): Promise<Kept | undefined> {
    let text: Buffer;
    try {
      text = await readFile(this.pathOf(gameId, userId));
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
    if (text.length > bytesMax) throw new Error(`The file kept of "${userId}" is larger than ${bytesMax} bytes.`);
    const content: unknown = JSON.parse(text.toString('utf8'));
    if (!isContent(content) || content.userId !== userId || content.gameId !== gameId) {
      throw new Error(`The file kept of "${userId}" is not about that account.`);
    }
    return content.kept;
  }

  async save(gameId: string, userId: string, kept: Kept): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const path = this.pathOf(gameId, userId);
    const temporary = `${path}.${process.pid}-${++this.writes}.new`;
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(`${JSON.stringify({ gameId, userId, kept })}\n`);
      // On the disk before it has the name, or a crash could leave the name and nothing in it.
      await file.sync();
    } finally {
      await file.close();
    }
    try {
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  private pathOf(gameId: string, userId: string): string {
    const digest = createHash('sha256')
      .update(JSON.stringify([gameId, userId]))
      .digest('hex');
    return join(this.folder, `${digest.slice(0, 40)}.json`);
  }
}

interface Content {
  readonly gameId: string;
  readonly userId: string;
  readonly kept: Kept;
}

function isContent(value: unknown): value is Content {
  if (value === null || typeof value !== 'object') return false;
  const { gameId, userId, kept } = value as Partial<Content>;
  return typeof gameId === 'string' && typeof userId === 'string' && typeof kept === 'object' && kept !== null;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ENOENT';
}
