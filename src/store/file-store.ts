import { createHash } from 'node:crypto';
import { join } from 'node:path';
import {
  type Disk,
  ifExists,
  nodeDisk,
  nodeProcesses,
  type Processes,
  readIfExists,
  replaceFile,
} from '../machine/index.ts';
import { type AccountData, accountBytesMax, isStoredAccount, type ListedStore, type StoredAccount } from './store.ts';

/**
 * Stores one file per account and game, in a folder that is created on first use. Files are replaced atomically, so
 * after a crash a file has either its old or its new content. File names are digests, because ids of accounts and games
 * may contain any characters; each file contains the ids of its account and game.
 */
export class FileStore implements ListedStore {
  private readonly temporary: string;

  constructor(
    private readonly folder: string,
    private readonly disk: Disk = nodeDisk,
    processes: Processes = nodeProcesses,
  ) {
    // The extension of temporary files, unique per process. Within a process, an account is never written twice at the
    // same time.
    this.temporary = `${processes.pid}-${processes.namespace}.new`;
  }

  async load(gameId: string, userId: string): Promise<AccountData | undefined> {
    const path = this.pathOf(gameId, userId);
    const bytes = await readIfExists(this.disk, path);
    if (bytes === undefined) return undefined;
    // Error messages appear in logs, so they name the file, but neither the account nor its data.
    if (bytes.length > accountBytesMax) throw new Error(`${path} is larger than ${accountBytesMax} bytes.`);
    const content = contentOf(bytes);
    if (content === undefined) throw new Error(`${path} is damaged.`);
    if (content.userId !== userId || content.gameId !== gameId) {
      throw new Error(`${path} contains the data of another account.`);
    }
    return content.kept;
  }

  async save(gameId: string, userId: string, kept: AccountData): Promise<void> {
    await this.disk.makeFolder(this.folder);
    const content: StoredAccount = { gameId, userId, kept };
    const bytes = new TextEncoder().encode(`${JSON.stringify(content)}\n`);
    await replaceFile(this.disk, this.pathOf(gameId, userId), bytes, { sync: true, temporary: this.temporary });
  }

  async *all(onDamaged: (message: string) => void): AsyncGenerator<StoredAccount> {
    const names = (await ifExists(this.disk.list(this.folder))) ?? [];
    for (const name of names.filter((each) => /^[0-9a-f]{40}\.json$/.test(each)).sort()) {
      const path = join(this.folder, name);
      const bytes = await readIfExists(this.disk, path);
      const content = bytes && bytes.length <= accountBytesMax ? contentOf(bytes) : undefined;
      if (content !== undefined && this.pathOf(content.gameId, content.userId) === path) yield content;
      // `bytes` is undefined if the file was removed after the folder was listed.
      else if (bytes !== undefined) onDamaged(`${path} is damaged, or contains the data of another account.`);
    }
  }

  async remove(gameId: string, userId: string): Promise<void> {
    await this.disk.remove(this.pathOf(gameId, userId));
    await ifExists(this.disk.syncFolder(this.folder));
  }

  private pathOf(gameId: string, userId: string): string {
    const digest = createHash('sha256')
      .update(JSON.stringify([gameId, userId]))
      .digest('hex');
    return join(this.folder, `${digest.slice(0, 40)}.json`);
  }
}

function contentOf(bytes: Uint8Array): StoredAccount | undefined {
  try {
    const content: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isStoredAccount(content) ? content : undefined;
  } catch {
    return undefined;
  }
}
