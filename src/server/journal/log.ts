import { join } from 'node:path';
import { messageOf } from '../../../engine/core/index.ts';
import {
  decodeRecord,
  encodeRecord,
  isRow,
  type JournalListener,
  joined,
  type LogRecord,
  type TickRecord,
  type WriteOutcome,
} from '../../cluster/index.ts';
import { frameOf, readFrames } from '../../journal/index.ts';
import { type Disk, type DiskFile, type ServerClock, type Timer, writeFully } from '../../machine/index.ts';
import type { SyncPolicy } from '../base/options.ts';

/** The first eight bytes of a segment. The last of them is the version of the format. */
const magic = 'RNCTLOG1';
const syncMs = 1000;
const retryMs = 1000;
/** A new segment is started when the current one reaches this size. */
const segmentBytesMax = 16 * 1024 * 1024;

interface Waiting {
  readonly record: LogRecord;
  readonly bytes: Uint8Array;
  readonly done: (outcome: WriteOutcome) => void;
}

interface LogOptions {
  readonly disk: Disk;
  readonly clock: ServerClock;
  readonly folder: string;
  /** The number of the newest segment, or 0 if there is none. */
  readonly lastSegment: number;
  readonly sync: SyncPolicy;
  readonly listener: LogListener;
  /** The maximum number of bytes that are queued while the disk fails or hangs; further ticks are lost. */
  readonly waitingBytesMax: number;
  /** Called after each write. If it returns false, the write is not acknowledged, and nothing more is written. */
  readonly mayAcknowledge: () => Promise<boolean>;
}

/** The events that a log reports. */
type LogListener = Pick<JournalListener, 'failing' | 'working' | 'lost'>;

/**
 * The ticks of all rooms, in one sequence of files (segments). Writes are batched: each takes everything that was
 * appended during the previous one, so that a slow disk gets fewer but larger writes. A new segment begins with each
 * start and after each failure, so that nothing is written after an incomplete record.
 */
export class TickLog {
  private isTaken = false;
  private file: DiskFile | undefined;
  private fileBytes = 0;
  /** The number of the newest segment. */
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

  constructor(private readonly options: LogOptions) {
    this.segment = options.lastSegment;
    if (options.sync === 'second')
      this.sync = options.clock.every(syncMs, () => void this.file?.sync().catch(() => {}));
  }

  append(record: LogRecord, done: (outcome: WriteOutcome) => void) {
    if (this.isTaken) return;
    const bytes = frameOf(encodeRecord(record));
    this.waiting.push({ record, bytes, done });
    this.waitingBytes += bytes.length;
    // The limit also covers a write that never finishes.
    if (this.waitingBytes > this.options.waitingBytesMax) {
      this.lose();
      return;
    }
    this.write();
  }

  /** The ticks of a room that were appended but not written yet. */
  unwritten(room: string): TickRecord[] {
    return [...this.batch, ...this.waiting].flatMap(({ record }) => (record.room === room ? [record.record] : []));
  }

  /**
   * Waits until everything appended so far has been written or lost, or is waiting for a failing disk: that is, for the
   * current write and the next one. Waiting until no write is in progress could take forever while rooms are played.
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

  private write() {
    if (this.writing !== undefined || this.retry !== undefined || this.waiting.length === 0) return;
    this.writing = this.writeAll().finally(() => {
      this.writing = undefined;
      this.write();
    });
  }

  private async writeAll() {
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
      if (this.options.sync === 'always') await this.file!.sync();
      if (!(await this.options.mayAcknowledge())) {
        this.isTaken = true;
        this.waiting = [];
      }
    } catch (error) {
      // Bytes that were not acknowledged are written again, to another segment.
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
      this.options.listener.working();
    }
    for (const { done } of batch) done('kept');
  }

  private async fail(error: unknown) {
    const wasFailing = this.isFailing;
    this.isFailing = true;
    await this.file?.close().catch(() => {});
    this.file = undefined;
    if (!this.isClosed) {
      this.retry = this.options.clock.after(retryMs, () => {
        this.retry = undefined;
        this.write();
      });
    }
    if (!wasFailing) this.options.listener.failing(messageOf(error));
  }

  private lose() {
    const lost = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    for (const { done } of lost) done('lost');
    this.options.listener.lost();
  }

  private async nextSegment() {
    await this.file?.close();
    this.file = undefined;
    const { disk, folder, sync } = this.options;
    await disk.makeFolder(folder);
    const next = this.segment + 1;
    const file = await disk.open(join(folder, nameOf(next)), 'append');
    this.file = file;
    this.segment = next;
    // fsync the directory, too: otherwise a power failure could lose the name of the new file.
    if (sync !== 'never') await disk.syncFolder(folder);
    const start = new TextEncoder().encode(magic);
    await writeFully(file, start);
    this.fileBytes = start.length;
  }
}

function nameOf(segment: number) {
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

/**
 * Reads a segment. `lostBytes`: the size of an incomplete record at the end. Undefined if the segment was written by
 * another version of the format. Rejects if the file cannot be read.
 */
export async function readSegment(disk: Disk, { path }: Segment) {
  const bytes = await disk.read(path);
  // The header of the file is incomplete.
  if (bytes.length < magic.length) return { records: [], lostBytes: bytes.length };
  const start = new TextDecoder().decode(bytes.subarray(0, magic.length));
  if (start !== magic) {
    // After a power failure, a file may have its length but no content. Nothing in it was acknowledged, because
    // acknowledging requires a sync.
    return start.startsWith(magic.slice(0, -1)) ? undefined : { records: [], lostBytes: bytes.length };
  }
  const { messages, lostBytes } = readFrames(bytes, magic.length, isRow);
  return { records: messages.map(decodeRecord), lostBytes };
}
