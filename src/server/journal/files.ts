import { join } from 'node:path';
import { frameOf, readFrames } from '../../journal/frames.ts';
import type { ServerClock } from '../../machine/clock.ts';
import { type Disk, readIfThere, replaceFile } from '../../machine/disk.ts';
import type { Processes } from '../../machine/processes.ts';
import { ServerError } from '../base/codes.ts';
import type { Observer } from '../base/observer.ts';
import type { SyncPolicy } from '../base/options.ts';
import type { RoomIdentity, RoomSnapshot, TickRecord } from '../room/messages.ts';
import { inOrder, isIdentity, isSnapshot, storedRoom } from './forms.ts';
import type { Fate, JournalListener, RoomJournal, StoredRoom } from './journal.ts';
import { readSegment, segmentsOf, TickLog } from './log.ts';

/** Form of the files of rooms; another one is another version. */
const form = 1;
/** Begins the name of a file that says which process is about to take the lock. */
const claimName = 'lock-claim-';
/** How long another process may take from its claim to its lock, and how often it is looked at, ms. */
const claimMs = 5000;
const claimStepMs = 20;
/** Segments that no recovery needs stay for replays, while all together have no more than this. */
const keptBytesMax = 256 * 1024 * 1024;

/** A file of a room: what it is, or a snapshot. */
interface RoomFile {
  readonly form: typeof form;
  readonly room: RoomIdentity;
  /** The ticks that follow are in this segment and later ones. */
  readonly segment: number;
  readonly snapshot?: RoomSnapshot | undefined;
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
  /** Called with each fault that was found. */
  readonly onNotice: Observer['problem'];
}

/**
 * Rooms in a folder: `definitions/` by version; `rooms/` with two files for each room, its identity and its newest snapshot; `log/` with the
 * ticks of all rooms.
 */
export class FileJournal implements RoomJournal {
  stored: readonly StoredRoom[] = [];
  readonly shared = undefined;
  private readonly folder: string;
  private readonly disk: Disk;
  private readonly options: FileJournalOptions;
  private log!: TickLog;
  /** The identity of each room, and the first segment that it needs. */
  private readonly rooms = new Map<string, { identity: RoomIdentity; segment: number; hasSnapshot: boolean }>();
  /** Rooms of which the file that says what they are is not written yet: their ticks would not be found. */
  private readonly unnamed = new Set<string>();
  private work: Promise<void> = Promise.resolve();
  /** By room: the last tick that is lost, and those that wait behind it. */
  private readonly gaps = new Map<string, Gap>();

  private constructor(options: FileJournalOptions) {
    this.folder = options.folder;
    this.disk = options.disk;
    this.options = options;
  }

  /** Throws `ServerError` for a folder that cannot be used. */
  static async open(options: FileJournalOptions): Promise<FileJournal> {
    const journal = new FileJournal(options);
    try {
      await journal.start();
    } catch (error) {
      if (error instanceof ServerError) throw error;
      throw new ServerError('bad-journal', error instanceof Error ? error.message : String(error));
    }
    return journal;
  }

  async keepDefinition(version: string, text: string): Promise<void> {
    await this.replace(this.path('definitions', `${version}.json`), new TextEncoder().encode(text));
  }

  async readDefinition(version: string): Promise<string | undefined> {
    const bytes = await readIfThere(this.disk, this.path('definitions', `${version}.json`));
    return bytes && new TextDecoder().decode(bytes);
  }

  async keepRoom(room: RoomIdentity): Promise<void> {
    const { id } = room;
    let known = this.rooms.get(id);
    if (known === undefined) {
      known = { identity: room, segment: Math.max(1, this.log.segment), hasSnapshot: false };
      this.rooms.set(id, known);
      this.unnamed.add(id);
    }
    await this.keepFile(`${id}.room`, { form, room, segment: known.segment });
    if (this.rooms.get(id) !== known) {
      await this.forget(id);
      return;
    }
    this.unnamed.delete(id);
    this.closeGap(id, -1);
  }

  append(room: string, record: TickRecord, done: (fate: Fate) => void): void {
    this.log.append({ room, record }, (fate) => {
      if (fate === 'lost') {
        done(fate);
        this.gapOf(room).tick = record.tick;
        // Written, and nothing leads to it until the room has its file, and a snapshot takes the place of what is lost.
      } else if (this.gaps.has(room) || this.unnamed.has(room)) this.gapOf(room).behind.push(done);
      else done(fate);
    });
  }

  async keepSnapshot(id: string, snapshot: RoomSnapshot): Promise<void> {
    const known = this.rooms.get(id);
    if (known === undefined) return;
    const { identity: room } = known;
    // Ticks after the snapshot can have been handed over already, but none of them can be in an older segment than the newest.
    const segment = Math.max(1, this.log.segment);
    await this.keepFile(`${id}.snapshot`, { form, room, segment, snapshot });
    if (this.rooms.get(id) !== known) {
      await this.forget(id);
      return;
    }
    known.segment = segment;
    known.hasSnapshot = true;
    this.closeGap(id, snapshot.tick);
    await this.tidy();
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
        await this.disk.rename(path, `${path}.aside`).catch(() => {});
      }
    });
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
    // One that stays is taken for that of a crash.
    await this.disk.remove(this.path('lock')).catch(() => {});
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
    await this.lock();
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
      this.rooms.set(room.id, { identity: room, segment, hasSnapshot: snapshot !== undefined });
    }
    this.stored = files.map((file) => storedRoom(file, ticks.get(file.room.id)));
    const { disk, clock, sync, listener, waitingBytesMax = 64 * 1024 * 1024 } = this.options;
    const lastSegment = segments.at(-1)?.number ?? 0;
    this.log = new TickLog({ disk, clock, folder: this.path('log'), lastSegment, sync, listener, waitingBytesMax });
  }

  /**
   * Two processes that write to one journal would tear it. A lock whose process is gone is a crash's. Several processes can find such a lock at the
   * same time. Each makes its claim before it looks for other claims, so that never two of them go on. A process gives way to one with a lower
   * number. It waits for one with a higher number, which may have looked before the claim was there. So one of them goes on.
   */
  private async lock(): Promise<void> {
    const { processes } = this.options;
    const claim = this.path(`${claimName}${processes.own}`);
    await (await this.disk.open(claim, 'replace')).close();
    try {
      for (const name of await this.disk.list(this.folder)) {
        const other = name.startsWith(claimName) ? Number(name.slice(claimName.length)) : processes.own;
        if (other === processes.own) continue;
        if (other < processes.own) this.refuseBeside(other);
        await this.claimEnds(this.path(name), other);
        await this.disk.remove(this.path(name));
      }
      // After the claims: a process without one may have taken the lock meanwhile.
      const path = this.path('lock');
      const found = await readIfThere(this.disk, path);
      this.refuseBeside(found === undefined ? 0 : Number(new TextDecoder().decode(found)));
      await this.replace(path, new TextEncoder().encode(`${processes.own}\n`));
    } finally {
      await this.disk.remove(claim).catch(() => {});
    }
  }

  /** The claim is given up, or its process is gone. Rejects for a claim that stays. */
  private async claimEnds(claim: string, owner: number): Promise<void> {
    const { processes, clock } = this.options;
    for (let waitedMs = 0; owner > 0 && processes.isAlive(owner); waitedMs += claimStepMs) {
      if ((await readIfThere(this.disk, claim)) === undefined) return;
      if (waitedMs >= claimMs) this.refuseBeside(owner);
      await new Promise<void>((resolve) => clock.after(claimStepMs, resolve));
    }
  }

  private refuseBeside(owner: number): void {
    const { processes } = this.options;
    if (!(owner > 0) || owner === processes.own || !processes.isAlive(owner)) return;
    throw new ServerError('journal-in-use', `The process ${owner} writes to ${this.folder}.`);
  }

  /** The newest of the two files of a room that can be read. */
  private async readRoom(id: string): Promise<RoomFile | undefined> {
    for (const end of ['snapshot', 'room']) {
      // One that cannot be read now is not missing: an older one would lose what was acknowledged.
      const bytes = await readIfThere(this.disk, this.path('rooms', `${id}.${end}`));
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
      if (content.lostBytes > 0) {
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
    const done = this.work.then(act);
    this.work = done.catch(() => {});
    return done;
  }

  /** The old file or the new one, whenever the machine stops. */
  private replace(path: string, bytes: Uint8Array): Promise<void> {
    return replaceFile(this.disk, path, bytes, { sync: this.options.sync !== 'never' });
  }

  /** Segments that nothing needs go, oldest first, when all together are large. */
  private async tidy(): Promise<void> {
    const needed = Math.min(this.log.segment, ...[...this.rooms.values()].map(({ segment }) => segment));
    const segments = await segmentsOf(this.disk, this.path('log'));
    let bytes = 0;
    for (const segment of segments.reverse()) {
      bytes += await this.disk.size(segment.path).catch(() => 0);
      if (segment.number < needed && bytes > keptBytesMax) await this.disk.remove(segment.path);
    }
  }
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
