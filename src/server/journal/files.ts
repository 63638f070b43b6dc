import { join } from 'node:path';
import { engineVersion } from '../../../engine/core/version.ts';
import { frameOf, readFrames } from '../../journal/frames.ts';
import { type Disk, ifExists, readIfExists, replaceFile } from '../../machine/disk.ts';
import type { Processes } from '../../machine/processes.ts';
import { ServerError } from '../base/codes.ts';
import type { Observer } from '../base/observer.ts';
import type { SyncPolicy } from '../base/options.ts';
import type { ServerClock, Timer } from '../machine/clock.ts';
import type { RoomIdentity, RoomSnapshot, TickRecord } from '../room/messages.ts';
import { FolderLock } from './folder-lock.ts';
import { inOrder, isIdentity, isSnapshot, storedRoom } from './forms.ts';
import type { Fate, JournalListener, RoomJournal, StoredRoom } from './journal.ts';
import { readSegment, segmentsOf, TickLog } from './log.ts';

/** Form of the files of rooms. Those of another form, or of another engine, are of another version. */
const form = `1/${engineVersion}`;
const megabyte = 1024 * 1024;
/** A snapshot that has to take the place of lost ticks, and could not be written, is asked for again after this. */
const askAgainMs = 1000;

const startsName = 'starts';

/** A file of a room: what it is, or a snapshot. */
interface RoomFile {
  readonly form: string;
  readonly room: RoomIdentity;
  /** The ticks that follow are in this segment and later ones. */
  readonly segment: number;
  readonly snapshot?: RoomSnapshot | undefined;
}

interface KnownRoom {
  readonly identity: RoomIdentity;
  /** The first segment that its newest file says. */
  segment: number;
  /** Its newest tick, and the tick of its snapshot. Where they are equal it needs no segment. */
  newestTick: number;
  keptTick: number;
  /** The snapshot that waits for its turn; a newer one takes its place. */
  next: NextSnapshot | undefined;
}

interface NextSnapshot {
  snapshot: RoomSnapshot;
  segment: number;
  kept: Promise<void>;
}

interface Gap {
  /** -1 where none is lost. */
  tick: number;
  readonly behind: ((fate: Fate) => void)[];
}

export interface FileJournalOptions {
  readonly disk: Disk;
  readonly clock: ServerClock;
  readonly processes: Processes;
  readonly folder: string;
  readonly sync: SyncPolicy;
  readonly listener: JournalListener;
  /** The bytes that wait while nothing can be written; more are lost. Default 64 MB. */
  readonly waitingBytesMax?: number;
  /** Segments that no recovery needs stay for replays, while all together have no more than this. Default 256 MB. */
  readonly keptBytesMax?: number;
  /** Called with each fault that was found. */
  readonly onNotice: Observer['problem'];
}

/**
 * Rooms in a folder: `starts`, a number; `definitions/` by version; `rooms/` with two files for each room, its identity and its newest snapshot; `log/` with the
 * ticks of all rooms.
 */
export class FileJournal implements RoomJournal {
  stored: readonly StoredRoom[] = [];
  readonly shared = undefined;
  readonly isLossy: boolean;
  private readonly folder: string;
  private readonly disk: Disk;
  private readonly options: FileJournalOptions;
  private lock: FolderLock | undefined;
  private log!: TickLog;
  private isOpen = false;
  /** How often a process has opened the folder, this time included. */
  private starts = 1;
  private readonly rooms = new Map<string, KnownRoom>();
  /** Rooms of which the file that says what they are is not written yet: their ticks would not be found. */
  private readonly unnamed = new Set<string>();
  private work: Promise<void> = Promise.resolve();
  /** By room: the last tick that is lost, and those that wait behind it. */
  private readonly gaps = new Map<string, Gap>();
  /** Rooms with a gap of which the snapshot could not be written. */
  private readonly unclosed = new Set<string>();
  private asking: Timer | undefined;

  private constructor(options: FileJournalOptions) {
    this.folder = options.folder;
    this.disk = options.disk;
    this.isLossy = options.sync !== 'always';
    this.options = options;
  }

  /** Throws `ServerError` for a folder that cannot be used. */
  static async open(options: FileJournalOptions): Promise<FileJournal> {
    const journal = new FileJournal(options);
    try {
      await journal.start();
    } catch (error) {
      await journal.lock?.release();
      if (error instanceof ServerError) throw error;
      throw new ServerError('bad-journal', error instanceof Error ? error.message : String(error));
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
      known = knownRoom(room, Math.max(1, this.log.segment), 0, 0);
      this.rooms.set(id, known);
      this.unnamed.add(id);
    }
    await before?.();
    await this.keepFile(`${id}.room`, { form, room, segment: known.segment });
    if (this.rooms.get(id) !== known) {
      await this.forget(id);
      return;
    }
    this.unnamed.delete(id);
    this.closeGap(id, -1);
  }

  append(room: string, record: TickRecord, done: (fate: Fate) => void): void {
    const known = this.rooms.get(room);
    if (known !== undefined) known.newestTick = record.tick;
    this.log.append({ room, record }, (fate) => {
      if (fate === 'lost') {
        done(fate);
        this.gapOf(room).tick = record.tick;
        // Written, and nothing leads to it until the room has its file, and a snapshot takes the place of what is lost.
      } else if (this.gaps.has(room) || this.unnamed.has(room)) this.gapOf(room).behind.push(done);
      else done(fate);
    });
  }

  keepSnapshot(id: string, snapshot: RoomSnapshot): Promise<void> {
    const known = this.rooms.get(id);
    if (known === undefined) return Promise.resolve();
    // Ticks after the snapshot can have been handed over already, but none of them can be in an older segment than the newest.
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

  private async keepNext(id: string, known: KnownRoom, next: NextSnapshot): Promise<void> {
    const { identity: room } = known;
    try {
      await this.afterWork(async () => {
        known.next = undefined;
        const { segment, snapshot } = next;
        await this.replace(this.path('rooms', `${id}.snapshot`), frameOf({ form, room, segment, snapshot }));
      });
    } catch (error) {
      if (known.next === next) known.next = undefined;
      this.askAgain(id);
      throw error;
    }
    if (this.rooms.get(id) !== known) {
      await this.forget(id);
      return;
    }
    known.segment = next.segment;
    known.keptTick = next.snapshot.tick;
    this.closeGap(id, next.snapshot.tick);
    await this.tidy();
  }

  /** Nothing behind lost ticks is acknowledged before a snapshot, and a room that sleeps takes none by itself. */
  private askAgain(room: string): void {
    if (!this.gaps.has(room)) return;
    this.unclosed.add(room);
    this.asking ??= this.options.clock.after(askAgainMs, () => {
      this.asking = undefined;
      const rooms = [...this.unclosed];
      this.unclosed.clear();
      for (const id of rooms) if (this.gaps.has(id)) this.options.listener.lost(id);
    });
  }

  async forget(room: string): Promise<void> {
    this.drop(room);
    await this.afterWork(async () => {
      for (const end of ['room', 'snapshot']) await this.disk.remove(this.path('rooms', `${room}.${end}`));
      // Or a loss of power would bring back a room that has ended.
      if (this.options.sync !== 'never') await this.disk.syncFolder(this.path('rooms'));
    });
  }

  async setAside(id: string): Promise<void> {
    this.drop(id);
    await this.afterWork(async () => {
      for (const end of ['room', 'snapshot']) {
        const path = this.path('rooms', `${id}.${end}`);
        await ifExists(this.disk.rename(path, `${path}.aside`));
      }
    });
  }

  life(): number {
    return this.starts;
  }

  async read(id: string): Promise<StoredRoom | undefined> {
    const known = this.rooms.get(id);
    if (known === undefined) return undefined;
    await this.settled();
    // Ticks that wait for a disk that fails are written later, and so have happened: no room may go on from before them.
    const unwritten = this.log.unwritten(id);
    const { identity: room, segment } = known;
    const stored = (await this.readRoom(id)) ?? (this.unnamed.has(id) ? { form, room, segment } : undefined);
    if (stored === undefined) return undefined;
    const written = (await this.ticksOf(new Set([id]), stored.segment)).get(id) ?? [];
    return storedRoom(stored, inOrder([...written, ...unwritten]));
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
    this.asking?.cancel();
    await this.lock?.release();
  }

  private drop(room: string): void {
    this.rooms.delete(room);
    this.unnamed.delete(room);
    this.gaps.delete(room);
  }

  private gapOf(room: string): Gap {
    let gap = this.gaps.get(room);
    if (gap === undefined) {
      gap = { tick: -1, behind: [] };
      this.gaps.set(room, gap);
    }
    return gap;
  }

  /** The room has its file, and a snapshot leads to a tick. */
  private closeGap(room: string, tick: number): void {
    const gap = this.gaps.get(room);
    if (gap === undefined || tick < gap.tick || this.unnamed.has(room)) return;
    this.gaps.delete(room);
    for (const done of gap.behind) done('kept');
  }

  private path(...parts: string[]): string {
    return join(this.folder, ...parts);
  }

  private async start(): Promise<void> {
    for (const name of ['definitions', 'rooms', 'log']) await this.disk.makeFolder(this.path(name));
    const { disk, clock, processes, folder, sync, listener, waitingBytesMax = 64 * megabyte } = this.options;
    const onTaken = (): void => listener.taken();
    const lock = await FolderLock.take({ disk, clock, processes, folder, sync: sync !== 'never', onTaken });
    this.lock = lock;
    this.starts = await this.countStart();
    const segments = await segmentsOf(this.disk, this.path('log'));
    const files: RoomFile[] = [];
    for (const name of await this.disk.list(this.path('rooms'))) {
      if (!name.endsWith('.room')) continue;
      const id = name.slice(0, -'.room'.length);
      const file = await this.readRoom(id);
      if (file === undefined) await this.setAside(id);
      else files.push(file);
    }
    const first = Math.min(...files.map(({ segment }) => segment));
    const ids = new Set(files.map(({ room }) => room.id));
    const ticks = await this.ticksOf(ids, files.length === 0 ? Number.POSITIVE_INFINITY : first);
    for (const { room, segment, snapshot } of files) {
      const keptTick = snapshot?.tick ?? 0;
      this.rooms.set(room.id, knownRoom(room, segment, ticks.get(room.id)?.at(-1)?.tick ?? keptTick, keptTick));
    }
    this.stored = files.map((file) => storedRoom(file, ticks.get(file.room.id)));
    const lastSegment = segments.at(-1)?.number ?? 0;
    const mayPromise = (): Promise<boolean> => lock.holds();
    const log = { disk, clock, folder: this.path('log'), lastSegment, sync, listener, waitingBytesMax, mayPromise };
    this.log = new TickLog(log);
    this.isOpen = true;
  }

  /** It is synced whatever the policy says: a number that comes again would be that of an earlier process. */
  private async countStart(): Promise<number> {
    const path = this.path(startsName);
    const found = await readIfExists(this.disk, path);
    const before = found === undefined ? 0 : Number(new TextDecoder().decode(found));
    if (!Number.isSafeInteger(before) || before < 0) throw new Error(`${path} does not hold a number of starts.`);
    await replaceFile(this.disk, path, new TextEncoder().encode(`${before + 1}\n`), { sync: true });
    return before + 1;
  }

  /** The newest of the two files of a room that can be read. */
  private async readRoom(id: string): Promise<RoomFile | undefined> {
    for (const end of ['snapshot', 'room']) {
      // One that cannot be read now is not missing: an older one would lose what was acknowledged.
      const bytes = await readIfExists(this.disk, this.path('rooms', `${id}.${end}`));
      if (bytes === undefined) continue;
      const [file] = readFrames(bytes, 0, isRoomFile).messages;
      if (file !== undefined) return file;
      const name = `${id}.${end}`;
      this.options.onNotice('journal-version', `${name} is of another version or damaged.`, { file: name });
    }
    return undefined;
  }

  /** Of the rooms, in order of ticks; a tick that stands there twice is taken as it stands last. */
  private async ticksOf(ids: ReadonlySet<string>, from: number): Promise<Map<string, TickRecord[]>> {
    const byRoom = new Map<string, TickRecord[]>();
    for (const segment of await segmentsOf(this.disk, this.path('log'))) {
      if (segment.number < from) continue;
      const content = await readSegment(this.disk, segment);
      if (content === undefined) {
        this.options.onNotice('journal-version', `${segment.path} is of another version.`, { file: segment.path });
        continue;
      }
      // A write of this process that failed, or is on its way, loses nothing: it is made again in another segment.
      if (content.lostBytes > 0 && !this.isOpen) {
        this.options.onNotice(
          'journal-torn',
          `The last ${content.lostBytes} bytes of ${segment.path} are no whole record.`,
          { file: segment.path },
        );
      }
      for (const { room, record } of content.records) {
        if (!ids.has(room)) continue;
        const ticks = byRoom.get(room);
        if (ticks === undefined) byRoom.set(room, [record]);
        else ticks.push(record);
      }
    }
    return new Map(Array.from(byRoom, ([room, ticks]) => [room, inOrder(ticks)] as const));
  }

  private keepFile(name: string, content: RoomFile): Promise<void> {
    return this.afterWork(() => this.replace(this.path('rooms', name), frameOf(content)));
  }

  /** One after the other, so that an older snapshot never replaces a newer one. A failure is the caller's alone. */
  private afterWork(act: () => Promise<void>): Promise<void> {
    const done = this.work.then(async () => {
      if ((await this.lock?.holds()) === false) throw new Error(`Another process has taken ${this.folder}.`);
      await act();
    });
    this.work = done.catch(() => {});
    return done;
  }

  /** The old file or the new one, whenever the machine stops. */
  private replace(path: string, bytes: Uint8Array): Promise<void> {
    return replaceFile(this.disk, path, bytes, { sync: this.options.sync !== 'never' });
  }

  /** Segments that nothing needs go, oldest first, when all together are large. */
  private async tidy(): Promise<void> {
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

function knownRoom(identity: RoomIdentity, segment: number, newestTick: number, keptTick: number): KnownRoom {
  return { identity, segment, newestTick, keptTick, next: undefined };
}

function isRoomFile(value: unknown): value is RoomFile {
  if (value === null || typeof value !== 'object') return false;
  const { form: found, room, segment, snapshot } = value as Partial<RoomFile>;
  return (
    found === form &&
    Number.isSafeInteger(segment) &&
    isIdentity(room) &&
    (snapshot === undefined || isSnapshot(snapshot))
  );
}
