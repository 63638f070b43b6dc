import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Disk, readIfThere, replaceFile } from '../machine/disk.ts';
import { nodeDisk } from '../machine/node-disk.ts';
import { nodeProcesses, type Processes } from '../machine/processes.ts';
import type { Kept, Store } from './store.ts';

/** More than any game saves of a player; a larger file is not ours. */
const bytesMax = 8 * 1024 * 1024;

/**
 * Keeps players in files, one per account and game, in a folder that is made when it is first needed. A file is written beside the old one
 * and takes its place when it is complete. So a crash leaves the one or the other. Names of accounts and games may be anything, so their
 * digest is the name of the file; the file itself names its account.
 */
export class FileStore implements Store {
  private readonly folder: string;
  private readonly disk: Disk;
  private readonly temporary: string;

  constructor(folder: string, disk: Disk = nodeDisk, processes: Processes = nodeProcesses) {
    this.folder = folder;
    this.disk = disk;
    // Of one process: no account is written twice at once in it, and another process writes another file.
    this.temporary = `${processes.own}-${processes.place}.new`;
  }

  async load(gameId: string, userId: string): Promise<Kept | undefined> {
    const path = this.pathOf(gameId, userId);
    const bytes = await readIfThere(this.disk, path);
    if (bytes === undefined) return undefined;
    // Errors come into logs: they name the file, and neither the account nor what is kept of it.
    if (bytes.length > bytesMax) throw new Error(`${path} is larger than ${bytesMax} bytes.`);
    const content = contentOf(bytes);
    if (content === undefined) throw new Error(`${path} is damaged.`);
    if (content.userId !== userId || content.gameId !== gameId) {
      throw new Error(`${path} is not about the account of its name.`);
    }
    return content.kept;
  }

  async save(gameId: string, userId: string, kept: Kept): Promise<void> {
    await this.disk.makeFolder(this.folder);
    const content: Content = { gameId, userId, kept };
    const bytes = new TextEncoder().encode(`${JSON.stringify(content)}\n`);
    await replaceFile(this.disk, this.pathOf(gameId, userId), bytes, { sync: true, temporary: this.temporary });
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

function contentOf(bytes: Uint8Array): Content | undefined {
  try {
    const content: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isContent(content) ? content : undefined;
  } catch {
    return undefined;
  }
}

function isContent(value: unknown): value is Content {
  if (value === null || typeof value !== 'object') return false;
  const { gameId, userId, kept } = value as Partial<Content>;
  return typeof gameId === 'string' && typeof userId === 'string' && typeof kept === 'object' && kept !== null;
}
