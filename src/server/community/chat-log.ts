import { join } from 'node:path';
import { messageOf } from '../../../engine/core/index.ts';
import type { Observer, RoomIdentity } from '../../cluster/index.ts';
import { type Disk, ifExists, type ServerClock, type Timer, within, writeFully } from '../../machine/index.ts';
import type { Said } from '../room/room-messages.ts';

/** A line of the log. */
export interface ChatLine extends Said {
  readonly time: string;
  readonly room: string;
  readonly game: string;
}

const writeMs = 1000;
/** The maximum number of queued messages. Further ones are dropped, because the disk is too slow for them. */
const waitingMax = 10_000;
/** The maximum size of the file for a day, so that floods do not fill the disk. */
const dayBytesMax = 256 * 1024 * 1024;
const dayMs = 24 * 3600 * 1000;
const endMs = 2000;

/** The folder of the log within the data folder. */
export const chatFolder = (data: string): string => join(data, 'chat');

/** Whether a file name in that folder is that of a day of the log. */
export const isChatDay = (name: string): boolean => /^\d{4}-\d\d-\d\d\.jsonl$/.test(name);

/**
 * Logs what players say in the chat: as JSON lines, in a file for each day (UTC) that only its owner can read. Files
 * older than `days` days are removed. Each write opens the file anew, so that other programs may move it.
 */
export class ChatLog {
  readonly days: number;
  private readonly folder: string;
  private readonly timer: Timer;
  private waiting: ChatLine[] = [];
  private dropped = 0;
  private prunedOn = '';
  /** The day to which the last line was written, and the size of its file in bytes. */
  private size = { day: '', bytes: 0 };
  private writing: Promise<void> = Promise.resolve();

  constructor(
    { data, days }: { readonly data: string; readonly days: number },
    private readonly machine: { readonly disk: Disk; readonly clock: ServerClock },
    private readonly observer: Pick<Observer, 'problem'>,
  ) {
    this.folder = chatFolder(data);
    this.days = days;
    this.timer = machine.clock.every(writeMs, () => this.flush());
    this.flush();
  }

  add({ id, slug }: RoomIdentity, said: Said, atMs: number) {
    if (this.waiting.length >= waitingMax) this.dropped++;
    else this.waiting.push({ time: new Date(atMs).toISOString(), room: id, game: slug, ...said });
  }

  async close(): Promise<void> {
    this.timer.cancel();
    this.flush();
    await within(this.machine.clock, endMs, this.writing);
  }

  private flush() {
    this.writing = this.writing
      .then(() => this.write())
      .catch((error: unknown) => this.observer.problem('chat-log-failed', messageOf(error)));
  }

  private async write() {
    await this.prune();
    if (this.dropped > 0) {
      this.observer.problem('chat-log-failed', `${this.dropped} messages were not kept, because the disk is too slow.`);
      this.dropped = 0;
    }
    while (this.waiting.length > 0) {
      const day = this.waiting[0]!.time.slice(0, 10);
      const lines = this.waiting.filter(({ time }) => time.startsWith(day));
      const path = join(this.folder, `${day}.jsonl`);
      if (this.size.day !== day) this.size = { day, bytes: (await ifExists(this.machine.disk.size(path))) ?? 0 };
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const bytes = new TextEncoder().encode(text);
      if (this.size.bytes + bytes.length > dayBytesMax) {
        this.observer.problem(
          'chat-log-failed',
          `${lines.length} messages were not kept, because the chat log of the day has reached its maximum size.`,
        );
      } else {
        const file = await this.machine.disk.open(path, 'append', 0o600);
        try {
          await writeFully(file, bytes);
        } finally {
          await file.close();
        }
        this.size.bytes += bytes.length;
      }
      // Further messages may have been added during the write.
      const written = new Set(lines);
      this.waiting = this.waiting.filter((line) => !written.has(line));
    }
  }

  /** Removes files that are too old, once a day. */
  private async prune() {
    const now = this.machine.clock.date();
    const today = new Date(now).toISOString().slice(0, 10);
    if (today === this.prunedOn) return;
    const oldest = new Date(now - this.days * dayMs).toISOString().slice(0, 10);
    await this.machine.disk.makeFolder(this.folder);
    for (const name of (await ifExists(this.machine.disk.list(this.folder))) ?? []) {
      if (isChatDay(name) && name.slice(0, 10) < oldest) await this.machine.disk.remove(join(this.folder, name));
    }
    this.prunedOn = today;
  }
}
