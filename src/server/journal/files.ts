import { join } from 'node:path';
import { cached, messageOf } from '../../../engine/core/index.ts';
import {
  type JournalListener,
  type Observer,
  type RoomIdentity,
  type RoomJournal,
  type RoomSnapshot,
  ServerError,
  type StoredRoom,
  storedRoom,
  type TickRecord,
  type WriteOutcome,
  withoutReplacedTicks,
} from '../../cluster/index.ts';
import { frameOf } from '../../journal/index.ts';
import {
  type Disk,
  ifExists,
  type Processes,
  readIfExists,
  replaceFile,
  type ServerClock,
  type Timer,
} from '../../machine/index.ts';
import type { SyncPolicy } from '../base/options.ts';
import { FolderLock } from './folder-lock.ts';
import { readSegment, segmentsOf, TickLog } from './log.ts';
import { form, type RoomFile, readRoomFile } from './room-file.ts';

const megabyte = 1024 * 1024;
/**
 * The delay before another snapshot is requested, ms, if a snapshot that should replace lost ticks could not be
 * written.
 */
const snapshotRetryMs = 1000;

const startsName = 'starts';

/** The content of a room's files. */
interface SegmentedFile extends RoomFile {
  /** The first segment of the log that may contain ticks of the room after its snapshot. */
  readonly segment: number;
}

class KnownRoom {
  /** The snapshot that is waiting to be written. A newer one replaces it. */
  next: NextSnapshot | undefined;
  /** Whether the identity of the room is written. Without the identity, the room's ticks could not be replayed. */
  isNamed = true;
  gap: Gap | undefined;

  constructor(
    readonly identity: RoomIdentity,
    /** The number of the first segment that is needed, in addition to the room's newest file, to resume the room. */
    public segment: number,
    /** The newest tick. */
    public newestTick: number,
    /** The tick of the snapshot. If no later tick exists, the room needs no segment. */
    public keptTick: number,
  ) {}
}

interface NextSnapshot {
  snapshot: RoomSnapshot;
  segment: number;
  kept: Promise<void>;
}

/**
 * A gap in a room's ticks: the newest lost tick, and the later ticks, which are written but cannot be acknowledged
 * because of the gap.
 */
interface Gap {
  /** The last lost tick, or -1. */
  tick: number;
  readonly waiting: ((outcome: WriteOutcome) => void)[];
}

export interface FileJournalOptions {
  readonly disk: Disk;
  readonly clock: ServerClock;
  readonly processes: Processes;
  readonly folder: string;
  readonly sync: SyncPolicy;
  readonly listener: JournalListener;
  /**
   * The maximum number of bytes of ticks that are queued while nothing can be written; further ticks are lost. Default
   * 64 MB.
   */
  readonly waitingBytesMax?: number;
  /** Segments that recovery does not need are kept for replays while the log is no larger than this. Default 256 MB. */
  readonly keptBytesMax?: number;
  /** Called for each problem that was found. */
  readonly onNotice: Observer['problem'];
}

/**
 * A journal in a folder. `starts`: the number of processes so far. `definitions/`: texts of definitions, by version.
 * `rooms/`: two files per room, with its identity and with its newest snapshot. `log/`: the ticks of all rooms.
 */
export class FileJournal implements RoomJournal {
  stored: readonly StoredRoom[] = [];
  readonly shared = undefined;
  readonly isLossy: boolean;
  private readonly folder: string;
  private readonly disk: Disk;
  private lock: FolderLock | undefined;
  private log!: TickLog;
  private isOpen = false;
  /** How many times a process has opened the folder, including this one. */
  private starts = 1;
  private readonly rooms = new Map<string, KnownRoom>();
  private work: Promise<void> = Promise.resolve();
  /** Rooms with a gap whose snapshot could not be written. */
  private readonly unclosed = new Set<string>();
  private snapshotTimer: Timer | undefined;

  private constructor(private readonly options: FileJournalOptions) {
    this.folder = options.folder;
    this.disk = options.disk;
    this.isLossy = options.sync !== 'always';
  }

  /** Opens the journal in a folder. Rejects with `ServerError` if the folder cannot be used. */
  static async open(options: FileJournalOptions): Promise<FileJournal> {
    const journal = new FileJournal(options);
    try {
      await journal.start();
    } catch (error) {
      await journal.lock?.release();
      if (error instanceof ServerError) throw error;
      throw new ServerError('bad-journal', messageOf(error));
    }
    return journal;
  }

  async keepDefinition(version: string, text: string): Promise<void> {
    const path = this.path('definitions', `${version}.json`);
    await this.afterWork(() => this.replace(path, new TextEncoder().encode(text)));
  }

  async forgetDefinition(version: string): Promise<void> {
    await this.afterWork(() => this.disk.remove(this.path('definitions', `${version}.json`)));
  }

  async readDefinition(version: string): Promise<string | undefined> {
    const bytes = await readIfExists(this.disk, this.path('definitions', `${version}.json`));
    return bytes && new TextDecoder().decode(bytes);
  }

  async keepRoom(room: RoomIdentity, before?: () => Promise<void>): Promise<void> {
    const { id } = room;
    let known = this.rooms.get(id);
    if (known === undefined) {
      known = new KnownRoom(room, Math.max(1, this.log.segment), 0, 0);
      this.rooms.set(id, known);
      known.isNamed = false;
    }
    await before?.();
    const bytes = frameOf({ form, room, segment: known.segment });
    await this.afterWork(() => this.replace(this.path('rooms', `${id}.room`), bytes));
    if (this.rooms.get(id) !== known) {
      await this.forget(id);
      return;
    }
    known.isNamed = true;
    closeGap(known, -1);
  }

  append(room: string, record: TickRecord, done: (fate: WriteOutcome) => void) {
    const known = this.rooms.get(room);
    if (known !== undefined) known.newestTick = record.tick;
    this.log.append({ room, record }, (outcome) => {
      const current = this.rooms.get(room);
      if (current !== undefined && outcome === 'lost') gapOf(current).tick = record.tick;
      // A written tick cannot be replayed until the room's identity and a snapshot newer than the lost ticks are
      // written, too.
      if (outcome === 'lost' || current === undefined || (current.isNamed && current.gap === undefined)) done(outcome);
      else gapOf(current).waiting.push(done);
    });
  }

  keepSnapshot(id: string, snapshot: RoomSnapshot): Promise<void> {
    const known = this.rooms.get(id);
    if (known === undefined) return Promise.resolve();
    // Ticks after the snapshot may have been appended already, but never to a segment older than the current one.
    const segment = Math.max(1, this.log.segment);
    if (known.next !== undefined) {
      Object.assign(known.next, { snapshot, segment });
      return known.next.kept;
    }
    const next: NextSnapshot = { snapshot, segment, kept: Promise.resolve() };
    known.next = next;
    next.kept = this.keepNext(id, known, next);
    return next.kept;
  }

  private async keepNext(id: string, known: KnownRoom, next: NextSnapshot) {
    const { identity: room } = known;
    try {
      await this.afterWork(async () => {
        known.next = undefined;
        const { segment, snapshot } = next;
        await this.replace(this.path('rooms', `${id}.snapshot`), frameOf({ form, room, segment, snapshot }));
      });
    } catch (error) {
      if (known.next === next) known.next = undefined;
      this.retrySnapshot(id);
      throw error;
    }
    if (this.rooms.get(id) !== known) {
      await this.forget(id);
      return;
    }
    known.segment = next.segment;
    known.keptTick = next.snapshot.tick;
    closeGap(known, next.snapshot.tick);
    await this.tidy();
  }

  /**
   * Requests another snapshot for a room with lost ticks. Until it is written, no tick is acknowledged, and a sleeping
   * room takes no snapshot by itself.
   */
  private retrySnapshot(room: string) {
    if (this.rooms.get(room)?.gap === undefined) return;
    this.unclosed.add(room);
    this.snapshotTimer ??= this.options.clock.after(snapshotRetryMs, () => {
      this.snapshotTimer = undefined;
      const rooms = [...this.unclosed];
      this.unclosed.clear();
      for (const id of rooms) if (this.rooms.get(id)?.gap !== undefined) this.options.listener.lost(id);
    });
  }

  async forget(room: string): Promise<void> {
    this.rooms.delete(room);
    await this.afterWork(async () => {
      for (const end of ['room', 'snapshot']) await this.disk.remove(this.path('rooms', `${room}.${end}`));
      // The folder is synced, because otherwise a power failure could restore a room that has ended.
      if (this.options.sync !== 'never') await this.disk.syncFolder(this.path('rooms'));
    });
  }

  async setAside(id: string): Promise<void> {
    this.rooms.delete(id);
    await this.afterWork(async () => {
      for (const end of ['room', 'snapshot']) {
        const path = this.path('rooms', `${id}.${end}`);
        await ifExists(this.disk.rename(path, `${path}.aside`));
      }
    });
  }

  incarnation(): number {
    return this.starts;
  }

  async read(id: string): Promise<StoredRoom | undefined> {
    const known = this.rooms.get(id);
    if (known === undefined) return undefined;
    await this.settled();
    // The result includes ticks that still wait for a failing disk: they will be written, so the room must not continue
    // from an earlier state.
    const unwritten = this.log.unwritten(id);
    const { identity: room, segment, isNamed } = known;
    const stored = (await this.readRoom(id)) ?? (isNamed ? undefined : { form, room, segment });
    if (stored === undefined) return undefined;
    const written = (await this.ticksOf(new Set([id]), stored.segment)).get(id) ?? [];
    return storedRoom(stored, withoutReplacedTicks([...written, ...unwritten]));
  }

  async history(id: string): Promise<StoredRoom | undefined> {
    const known = this.rooms.get(id);
    if (known === undefined) return undefined;
    await this.settled();
    const ticks = (await this.ticksOf(new Set([id]), 0)).get(id) ?? [];
    if (ticks[0]?.tick === 1) return { room: known.identity, snapshot: undefined, ticks };
    const stored = await this.readRoom(id);
    return stored && storedRoom(stored, ticks);
  }

  async settled(): Promise<void> {
    await this.log.settled();
    await this.work;
  }

  async close(): Promise<void> {
    await this.log.close();
    await this.work;
    this.snapshotTimer?.cancel();
    await this.lock?.release();
  }

  private path(...parts: string[]) {
    return join(this.folder, ...parts);
  }

  private async start() {
    for (const name of ['definitions', 'rooms', 'log']) await this.disk.makeFolder(this.path(name));
    const { disk, clock, processes, folder, sync, listener, waitingBytesMax = 64 * megabyte } = this.options;
    const onTaken = () => listener.taken();
    const lock = await FolderLock.take({ disk, clock, processes, folder, sync: sync !== 'never', onTaken });
    this.lock = lock;
    this.starts = await this.countStart();
    const segments = await segmentsOf(this.disk, this.path('log'));
    const files: SegmentedFile[] = [];
    for (const name of await this.disk.list(this.path('rooms'))) {
      if (!name.endsWith('.room')) continue;
      const id = name.slice(0, -'.room'.length);
      const file = await this.readRoom(id);
      if (file === undefined) await this.setAside(id);
      else files.push(file);
    }
    const first = Math.min(...files.map(({ segment }) => segment));
    const ids = new Set(files.map(({ room }) => room.id));
    const ticks = await this.ticksOf(ids, files.length === 0 ? Infinity : first);
    for (const { room, segment, snapshot } of files) {
      const keptTick = snapshot?.tick ?? 0;
      this.rooms.set(room.id, new KnownRoom(room, segment, ticks.get(room.id)?.at(-1)?.tick ?? keptTick, keptTick));
    }
    this.stored = files.map((file) => storedRoom(file, ticks.get(file.room.id)));
    const lastSegment = segments.at(-1)?.number ?? 0;
    const mayAcknowledge = () => lock.holds();
    const log = { disk, clock, folder: this.path('log'), lastSegment, sync, listener, waitingBytesMax, mayAcknowledge };
    this.log = new TickLog(log);
    this.isOpen = true;
  }

  /**
   * Increments the number of starts. Always synced, because after a power failure the number must not be used a second
   * time.
   */
  private async countStart() {
    const path = this.path(startsName);
    const found = await readIfExists(this.disk, path);
    const before = found === undefined ? 0 : Number(new TextDecoder().decode(found));
    if (!Number.isSafeInteger(before) || before < 0) throw new Error(`${path} must contain a number.`);
    await replaceFile(this.disk, path, new TextEncoder().encode(`${before + 1}\n`), { sync: true });
    return before + 1;
  }

  /** Reads the snapshot file of a room, or else the file with its identity. Undefined if neither is usable. */
  private async readRoom(id: string): Promise<SegmentedFile | undefined> {
    for (const end of ['snapshot', 'room']) {
      // Read errors are thrown, because falling back to the older file would lose acknowledged ticks.
      const bytes = await readIfExists(this.disk, this.path('rooms', `${id}.${end}`));
      if (bytes === undefined) continue;
      const file = readRoomFile<SegmentedFile>(bytes, `${id}.${end}`, id, this.options.onNotice);
      if (file === 'other-version') return undefined;
      if (file !== 'damaged') return file;
    }
    return undefined;
  }

  /** The ticks of rooms in the log, from a segment on, by room. For repeated ticks, see `withoutReplacedTicks`. */
  private async ticksOf(ids: ReadonlySet<string>, from: number): Promise<Map<string, TickRecord[]>> {
    const byRoom = new Map<string, TickRecord[]>();
    for (const segment of await segmentsOf(this.disk, this.path('log'))) {
      if (segment.number < from) continue;
      const content = await readSegment(this.disk, segment);
      if (content === undefined) {
        this.options.onNotice('journal-version', `${segment.path} was written by another version, so it is ignored.`, {
          file: segment.path,
        });
        continue;
      }
      // Incomplete records are reported only at the start. Later, they are writes of this process that are pending or
      // will be repeated.
      if (content.lostBytes > 0 && !this.isOpen) {
        this.options.onNotice(
          'journal-torn',
          `The last ${content.lostBytes} bytes of ${segment.path} are an incomplete record.`,
          { file: segment.path },
        );
      }
      for (const { room, record } of content.records) {
        if (!ids.has(room)) continue;
        cached(byRoom, room, () => []).push(record);
      }
    }
    return new Map(Array.from(byRoom, ([room, ticks]) => [room, withoutReplacedTicks(ticks)] as const));
  }

  /**
   * Serializes writes, so that an older snapshot never replaces a newer one. A failure does not affect later writes.
   */
  private afterWork(act: () => Promise<void>) {
    const done = this.work.then(async () => {
      if ((await this.lock?.holds()) === false) throw new Error(`Another process has taken over ${this.folder}.`);
      await act();
    });
    this.work = done.catch(() => {});
    return done;
  }

  private replace(path: string, bytes: Uint8Array) {
    return replaceFile(this.disk, path, bytes, { sync: this.options.sync !== 'never' });
  }

  /** Removes the oldest segments that recovery does not need, while the log is larger than `keptBytesMax`. */
  private async tidy() {
    let needed = this.log.segment;
    for (const { segment, newestTick, keptTick } of this.rooms.values()) {
      if (newestTick > keptTick) needed = Math.min(needed, segment);
    }
    const { keptBytesMax = 256 * megabyte } = this.options;
    const segments = await segmentsOf(this.disk, this.path('log'));
    let bytes = 0;
    for (const segment of segments.reverse()) {
      bytes += await this.disk.size(segment.path).catch(() => 0);
      if (segment.number < needed && bytes > keptBytesMax) await this.disk.remove(segment.path);
    }
  }
}

function gapOf(room: KnownRoom): Gap {
  room.gap ??= { tick: -1, waiting: [] };
  return room.gap;
}

/**
 * Acknowledges the ticks that waited for a gap to close, if the room's identity is written and the snapshot of `tick`
 * covers the lost ticks.
 */
function closeGap(room: KnownRoom, tick: number) {
  const { gap, isNamed } = room;
  if (gap === undefined || tick < gap.tick || !isNamed) return;
  room.gap = undefined;
  for (const done of gap.waiting) done('kept');
}
