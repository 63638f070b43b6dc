import { join } from 'node:path';
import { frameOf, readFrames } from '../../journal/frames.ts';
import { type Disk, type DiskFile, writeFully } from '../../machine/disk.ts';
import type { SyncPolicy } from '../base/options.ts';
import type { ServerClock, Timer } from '../machine/clock.ts';
import type { TickRecord } from '../room/messages.ts';
import { isRow, joined, type LogRecord, recordOf, rowOf } from './forms.ts';
import type { Fate, JournalListener } from './journal.ts';

/** Eight bytes at the start of a segment. The last one counts the forms that there have been. */
const magic = 'RNCTLOG1';
const syncMs = 1000;
const retryMs = 1000;
/** A segment that has grown to this is followed by another. */
const segmentBytesMax = 16 * 1024 * 1024;
interface Waiting {
  readonly record: LogRecord;
  readonly bytes: Uint8Array;
  readonly done: (fate: Fate) => void;
}

interface LogOptions {
  readonly disk: Disk;
  readonly clock: ServerClock;
  readonly folder: string;
  /** The newest segment that there is; 0 for none. */
  readonly lastSegment: number;
  readonly sync: SyncPolicy;
  readonly listener: LogListener;
  /** The bytes that wait for a disk that fails or stands still; more are lost. */
  readonly waitingBytesMax: number;
  /** Asked after each write: without it nothing more is written, and nothing is said of what was. */
  readonly mayPromise: () => Promise<boolean>;
}

/** A journal's listener, as far as one log can fail. */
type LogListener = Pick<JournalListener, 'failing' | 'working' | 'lost'>;

/**
 * The ticks of all rooms in one sequence of files. The next write takes everything that came during the one before. So a slow disk is asked
 * less often and no tick waits for it. A new segment begins at each start and after each failure, so that nothing is written
 * behind a torn end.
 */
export class TickLog {
  private readonly disk: Disk;
  private readonly clock: ServerClock;
  private readonly folder: string;
  private readonly policy: SyncPolicy;
  private readonly listener: LogListener;
  private readonly waitingBytesMax: number;
  private readonly mayPromise: () => Promise<boolean>;
  private isTaken = false;
  private file: DiskFile | undefined;
  private fileBytes = 0;
  /** Of the newest segment. */
  segment: number;
  private waiting: Waiting[] = [];
  /** The batch that is being written. */
  private batch: readonly Waiting[] = [];
  private waitingBytes = 0;
  private writing: Promise<void> | undefined;
  private retry: Timer | undefined;
  private readonly sync: Timer | undefined;
  private isFailing = false;
  private isClosed = false;

  constructor({ disk, clock, folder, lastSegment, sync, listener, waitingBytesMax, mayPromise }: LogOptions) {
    this.waitingBytesMax = waitingBytesMax;
    this.mayPromise = mayPromise;
    this.disk = disk;
    this.clock = clock;
    this.folder = folder;
    this.segment = lastSegment;
    this.policy = sync;
    this.listener = listener;
    if (sync === 'second') this.sync = clock.every(syncMs, () => void this.file?.sync().catch(() => {}));
  }

  append(record: LogRecord, done: (fate: Fate) => void): void {
    if (this.isTaken) return;
    const bytes = frameOf(rowOf(record));
    this.waiting.push({ record, bytes, done });
    this.waitingBytes += bytes.length;
    // Also behind a write that fails by never coming to an end.
    if (this.waitingBytes > this.waitingBytesMax) {
      this.lose();
      return;
    }
    this.write();
  }

  /** The ticks of a room that were handed over and are not written yet. */
  unwritten(room: string): TickRecord[] {
    return [...this.batch, ...this.waiting].flatMap(({ record }) => (record.room === room ? [record.record] : []));
  }

  /**
   * Everything that was handed over so far has been written or lost, or waits for a disk that fails. It goes with the write that is under way, or with
   * the next one. Rooms that play may leave no moment without a write.
   */
  async settled(): Promise<void> {
    for (let writes = 0; writes < 2; writes++) await this.writing;
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.retry?.cancel();
    this.sync?.cancel();
    while (this.writing !== undefined) await this.writing;
    if (this.waiting.length > 0) this.lose();
    await this.file?.sync().catch(() => {});
    await this.file?.close().catch(() => {});
    this.file = undefined;
  }

  private write(): void {
    if (this.writing !== undefined || this.retry !== undefined || this.waiting.length === 0) return;
    this.writing = this.writeAll().finally(() => {
      this.writing = undefined;
      this.write();
    });
  }

  private async writeAll(): Promise<void> {
    const batch = this.waiting;
    this.batch = batch;
    const batchBytes = this.waitingBytes;
    this.waiting = [];
    this.waitingBytes = 0;
    try {
      if (this.file === undefined || this.fileBytes > segmentBytesMax) await this.nextSegment();
      const bytes = joined(batch.map((each) => each.bytes));
      await writeFully(this.file!, bytes);
      this.fileBytes += bytes.length;
      if (this.policy === 'always') await this.file!.sync();
      if (!(await this.mayPromise())) {
        this.isTaken = true;
        this.waiting = [];
      }
    } catch (error) {
      // Bytes that were not acknowledged are written again, into another segment.
      this.waiting = [...batch, ...this.waiting];
      this.batch = [];
      this.waitingBytes += batchBytes;
      await this.fail(error);
      return;
    }
    this.batch = [];
    if (this.isTaken) return;
    if (this.isFailing) {
      this.isFailing = false;
      this.listener.working();
    }
    for (const { done } of batch) done('kept');
  }

  private async fail(error: unknown): Promise<void> {
    const wasFailing = this.isFailing;
    this.isFailing = true;
    await this.file?.close().catch(() => {});
    this.file = undefined;
    if (!this.isClosed) {
      this.retry = this.clock.after(retryMs, () => {
        this.retry = undefined;
        this.write();
      });
    }
    if (!wasFailing) this.listener.failing(error instanceof Error ? error.message : String(error));
  }

  private lose(): void {
    const lost = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    for (const { done } of lost) done('lost');
    this.listener.lost();
  }

  private async nextSegment(): Promise<void> {
    await this.file?.close();
    this.file = undefined;
    await this.disk.makeFolder(this.folder);
    const next = this.segment + 1;
    const file = await this.disk.open(join(this.folder, nameOf(next)), 'append');
    this.file = file;
    this.segment = next;
    // Synced bytes are lost with the name of their file.
    if (this.policy !== 'never') await this.disk.syncFolder(this.folder);
    const start = new TextEncoder().encode(magic);
    await writeFully(file, start);
    this.fileBytes = start.length;
  }
}

function nameOf(segment: number): string {
  return `${String(segment).padStart(8, '0')}.log`;
}

interface Segment {
  readonly number: number;
  readonly path: string;
}

/** The segments of a folder, oldest first. */
export async function segmentsOf(disk: Disk, folder: string): Promise<Segment[]> {
  const names = await disk.list(folder);
  return names
    .filter((name) => /^\d{8}\.log$/.test(name))
    .sort()
    .map((name) => ({ number: Number(name.slice(0, 8)), path: join(folder, name) }));
}

interface SegmentContent {
  readonly records: readonly LogRecord[];
  /** Bytes of a torn end. */
  readonly lostBytes: number;
}

/** Undefined for a file of another version. Throws what the file system throws. */
export async function readSegment(disk: Disk, { path }: Segment): Promise<SegmentContent | undefined> {
  const bytes = await disk.read(path);
  // Cut off within its first bytes.
  if (bytes.length < magic.length) return { records: [], lostBytes: bytes.length };
  const start = new TextDecoder().decode(bytes.subarray(0, magic.length));
  if (start !== magic) {
    // A loss of power can leave the length of a file and nothing in it: whatever was acknowledged was synced behind its first bytes.
    return start.startsWith(magic.slice(0, -1)) ? undefined : { records: [], lostBytes: bytes.length };
  }
  const { messages, lostBytes } = readFrames(bytes, magic.length, isRow);
  return { records: messages.map(recordOf), lostBytes };
}
