import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifExists } from '../../machine/index.ts';
import { type ChatLine, chatFolder, isChatDay } from './chat-log.ts';

const lineEnd = 10;
const space = 32;

interface FoundLine {
  readonly line: ChatLine;
  /** The position of the line in its file, in bytes. */
  readonly start: number;
  readonly end: number;
}

/** The chat messages of an account, as far as they are in the log of a data folder. */
export class PlayersChat {
  private readonly folder: string | undefined;

  constructor(
    data: string | undefined,
    private readonly userId: string,
  ) {
    this.folder = data === undefined ? undefined : chatFolder(data);
  }

  async lines(): Promise<readonly ChatLine[]> {
    const all: ChatLine[] = [];
    await this.each('r', async (found) => {
      all.push(...found.map(({ line }) => line));
    });
    return all;
  }

  /**
   * Overwrites the lines with spaces, and returns their number. Overwriting in place is safe while a server appends to
   * the file.
   */
  async erase(): Promise<number> {
    let erased = 0;
    await this.each('r+', async (found, write) => {
      for (const { start, end } of found) await write(new Uint8Array(end - start).fill(space), start);
      erased += found.length;
    });
    return erased;
  }

  private async each(
    mode: 'r' | 'r+',
    act: (found: readonly FoundLine[], write: (bytes: Uint8Array, at: number) => Promise<void>) => Promise<void>,
  ): Promise<void> {
    const { folder } = this;
    if (folder === undefined) return;
    const names = (await ifExists(readdir(folder))) ?? [];
    for (const name of names.filter(isChatDay).sort()) {
      // The server may have removed an old day meanwhile.
      const file = await ifExists(open(join(folder, name), mode));
      if (file === undefined) continue;
      try {
        const found = linesOf(await readFile(file), this.userId);
        await act(found, async (bytes, at) => {
          await file.write(bytes, 0, bytes.length, at);
        });
        if (mode === 'r+') await file.sync();
      } finally {
        await file.close();
      }
    }
  }
}

function linesOf(bytes: Buffer, userId: string): FoundLine[] {
  const found: FoundLine[] = [];
  for (let start = 0; start < bytes.length; ) {
    const at = bytes.indexOf(lineEnd, start);
    // The last line may be incomplete, because a server is writing it.
    if (at === -1) break;
    try {
      const line = JSON.parse(bytes.toString('utf8', start, at)) as ChatLine | null;
      if (line?.userId === userId) found.push({ line, start, end: at });
    } catch {
      // The line was erased before, or a crash cut it short.
    }
    start = at + 1;
  }
  return found;
}
