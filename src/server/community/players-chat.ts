import { open, readdir } from 'node:fs/promises';
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
    for await (const { found } of this.days('r')) all.push(...found.map(({ line }) => line));
    return all;
  }

  /**
   * Overwrites the lines with spaces, and returns their number. Overwriting in place is safe while a server appends to
   * the file.
   */
  async erase(): Promise<number> {
    let erased = 0;
    for await (const { file, found } of this.days('r+')) {
      for (const { start, end } of found) {
        await file.write(new Uint8Array(end - start).fill(space), 0, end - start, start);
      }
      await file.sync();
      erased += found.length;
    }
    return erased;
  }

  /** The files of the log with the account's lines in each. A file is closed when the next one is requested. */
  private async *days(mode: 'r' | 'r+') {
    const { folder } = this;
    if (folder === undefined) return;
    const names = (await ifExists(readdir(folder))) ?? [];
    for (const name of names.filter(isChatDay).sort()) {
      // The server may have removed an old day meanwhile.
      const file = await ifExists(open(join(folder, name), mode));
      if (file === undefined) continue;
      try {
        yield { file, found: linesOf(await file.readFile(), this.userId) };
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
