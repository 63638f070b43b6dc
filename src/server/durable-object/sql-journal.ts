import { messageOf } from '../../../engine/core/index.ts';
import {
  decodeRecord,
  encodeRecord,
  isRow,
  type JournalListener,
  joined,
  type Observer,
  type RoomIdentity,
  type RoomJournal,
  type RoomSnapshot,
  type StoredRoom,
  storedRoom,
  type TickRecord,
  type WriteOutcome,
} from '../../cluster/index.ts';
import { frameOf, readFrames } from '../../journal/index.ts';
import type { ServerClock, Timer } from '../../machine/index.ts';
import { form, type RoomFile, readRoomFile } from '../journal/room-file.ts';
import type { Pieces } from './pieces.ts';
import type { ObjectStorage } from './platform.ts';

/** How many snapshots are kept: if the newest cannot be read, the room goes back to the one before. */
const snapshotsKept = 2;
const retryMs = 1000;
/** A group with this many bytes is written at once. */
const groupBytesMax = 1_000_000;

/** Where all rooms keep the definitions that they play. */
export type DefinitionTexts = Pick<RoomJournal, 'keepDefinition' | 'readDefinition' | 'forgetDefinition'>;

interface SqlJournalOptions {
  readonly pieces: Pieces;
  readonly storage: ObjectStorage;
  readonly clock: ServerClock;
  readonly definitions: DefinitionTexts;
  readonly listener: JournalListener;
  readonly onNotice: Observer['problem'];
  /** Whether everything that the game has saved for players could be written. */
  readonly saved: () => Promise<boolean>;
  /** How long ticks are gathered for a row, ms. Rows are billed. */
  readonly groupMs: number;
}

/**
 * The journal of one room, in the SQLite of its object: a row for the ticks of `groupMs`, the newest snapshots, the
 * identity of the room. What is sent after a write leaves the object when the write is durable, because the platform
 * holds it back until then; so a write counts as kept at once.
 */
export class SqlJournal implements RoomJournal {
  readonly stored: readonly StoredRoom[];
  readonly shared = undefined;
  readonly isLossy = false;
  private readonly starts: number;
  private group: {
    readonly record: TickRecord;
    readonly bytes: Uint8Array;
    readonly done: (o: WriteOutcome) => void;
  }[] = [];
  private groupBytes = 0;
  private timer: Timer | undefined;
  private isFailing = false;

  constructor(private readonly options: SqlJournalOptions) {
    const { pieces } = options;
    const stored = this.load();
    this.stored = stored === undefined ? [] : [stored];
    this.starts = (pieces.numbers('start').at(-1) ?? 0) + 1;
    if (stored !== undefined) this.countStart();
  }

  keepDefinition(version: string, text: string): Promise<void> {
    return this.options.definitions.keepDefinition(version, text);
  }

  readDefinition(version: string): Promise<string | undefined> {
    return this.options.definitions.readDefinition(version);
  }

  /** `forget` has done that: there is one room. */
  async forgetDefinition(): Promise<void> {}

  async keepRoom(room: RoomIdentity, before?: () => Promise<void>): Promise<void> {
    await before?.();
    this.options.pieces.put('room', 0, frameOf({ form, room }));
    this.countStart();
  }

  append(room: string, record: TickRecord, done: (outcome: WriteOutcome) => void): void {
    const bytes = frameOf(encodeRecord({ room, record }));
    this.group.push({ record, bytes, done });
    this.groupBytes += bytes.length;
    if (this.groupBytes >= groupBytesMax && !this.isFailing) this.flush();
    else this.timer ??= this.options.clock.after(this.options.groupMs, () => this.flush());
  }

  async keepSnapshot(_id: string, snapshot: RoomSnapshot): Promise<void> {
    const { pieces } = this.options;
    await this.saved();
    const room = this.file('room', 0)?.room;
    if (room === undefined) return;
    pieces.put('snapshot', snapshot.tick, frameOf({ form, room, snapshot }));
    const oldest = pieces.numbers('snapshot').at(-snapshotsKept);
    if (oldest === undefined) return;
    pieces.deleteBefore('snapshot', oldest);
    // The group that has the first tick after the oldest snapshot.
    pieces.deleteBefore('tick', pieces.numbers('tick').findLast((first) => first <= oldest + 1) ?? 0);
  }

  /** Deletes everything: a room that is over costs nothing. */
  async forget(): Promise<void> {
    await this.saved();
    this.drop();
    const { pieces, storage, definitions } = this.options;
    const version = this.file('room', 0)?.room.version;
    await storage.deleteAll();
    pieces.forget();
    if (version !== undefined) await definitions.forgetDefinition(version);
  }

  async setAside(): Promise<void> {
    this.drop();
    for (const kind of ['room', 'snapshot', 'tick']) this.options.pieces.setAside(kind);
  }

  incarnation(): number {
    return this.starts;
  }

  async read(): Promise<StoredRoom | undefined> {
    this.flush();
    return this.load();
  }

  async history(): Promise<StoredRoom | undefined> {
    this.flush();
    const [oldest] = this.options.pieces.numbers('snapshot');
    const file = oldest === undefined ? this.file('room', 0) : this.file('snapshot', oldest);
    return file && storedRoom(file, this.ticksAfter(oldest ?? 0));
  }

  async settled(): Promise<void> {
    this.flush();
  }

  async close(): Promise<void> {
    this.flush();
    this.drop();
  }

  /** Waits for saved data of players, which only the ticks that are about to be deleted could save again. */
  private async saved(): Promise<void> {
    this.flush();
    if (!(await this.options.saved())) throw new Error('Saved data of players could not be written.');
  }

  /** Writes what has been gathered. If that fails, it is retried, and nothing of it is acknowledged. */
  private flush(): void {
    const { group } = this;
    const [first] = group;
    this.timer?.cancel();
    this.timer = undefined;
    if (first === undefined) return;
    const { pieces, listener, clock } = this.options;
    try {
      pieces.put('tick', first.record.tick, joined(group.map(({ bytes }) => bytes)));
    } catch (error) {
      this.timer = clock.after(retryMs, () => this.flush());
      if (!this.isFailing) listener.failing(messageOf(error));
      this.isFailing = true;
      return;
    }
    this.group = [];
    this.groupBytes = 0;
    if (this.isFailing) listener.working();
    this.isFailing = false;
    for (const { done } of group) done('kept');
  }

  private drop(): void {
    this.timer?.cancel();
    this.timer = undefined;
    this.group = [];
  }

  /** The room as it can be resumed: from the newest snapshot that can be read, with the ticks up to a gap. */
  private load(): StoredRoom | undefined {
    const { pieces } = this.options;
    for (const number of pieces.numbers('snapshot').reverse()) {
      const file = this.file('snapshot', number);
      if (file !== undefined) return storedRoom(file, this.ticksAfter(number, true));
      pieces.setAside('snapshot', number);
    }
    const file = this.file('room', 0);
    if (file !== undefined) return storedRoom(file, this.ticksAfter(0, true));
    pieces.setAside('room');
    return undefined;
  }

  private file(kind: 'room' | 'snapshot', number: number): RoomFile | undefined {
    const bytes = this.options.pieces.get(kind, number);
    const file = bytes && readRoomFile(bytes, `${kind} ${number}`, undefined, this.options.onNotice);
    return typeof file === 'string' ? undefined : file;
  }

  /**
   * The ticks after one, without a gap. `setsAside`: the rows from the first that cannot be read are of no use any
   * more.
   */
  private ticksAfter(tick: number, setsAside = false): TickRecord[] {
    const { pieces, onNotice } = this.options;
    const rows = pieces.numbers('tick');
    const ticks: TickRecord[] = [];
    for (const first of rows.slice(
      Math.max(
        0,
        rows.findLastIndex((number) => number <= tick + 1),
      ),
    )) {
      const { messages, lostBytes } = readFrames(pieces.get('tick', first)!, 0, isRow);
      ticks.push(...messages.map((row) => decodeRecord(row).record));
      if (lostBytes === 0) continue;
      if (setsAside) {
        onNotice('journal-torn', `The ticks from ${first} on cannot be read, and are set aside.`);
        for (const number of rows) if (number >= first) pieces.setAside('tick', number);
      }
      break;
    }
    return ticks;
  }

  private countStart(): void {
    const { pieces } = this.options;
    pieces.put('start', this.starts, new Uint8Array());
    pieces.deleteBefore('start', this.starts);
  }
}

/** The id of the room that an object keeps, if there is one. */
export function storedId(pieces: Pieces): string | undefined {
  const bytes = pieces.get('room', 0);
  const file = bytes && readRoomFile(bytes, 'room', undefined, () => {});
  return typeof file === 'string' ? undefined : file?.room.id;
}
