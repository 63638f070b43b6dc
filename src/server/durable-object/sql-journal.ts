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

/** The number of snapshots that are kept: if the newest cannot be read, the room is resumed from the one before. */
const snapshotsKept = 2;
const retryMs = 1000;

/** The part of a journal that stores the definitions which rooms play. */
export type DefinitionTexts = Pick<RoomJournal, 'keepDefinition' | 'readDefinition' | 'forgetDefinition'>;

interface SqlJournalOptions {
  readonly pieces: Pieces;
  readonly storage: ObjectStorage;
  readonly clock: ServerClock;
  readonly definitions: DefinitionTexts;
  readonly listener: JournalListener;
  readonly onNotice: Observer['problem'];
  /** Waits until everything that the game has saved for players is written. Resolves with false if that failed. */
  readonly saved: () => Promise<boolean>;
  /** How long ticks are collected into one row, ms, because the platform charges for each row that is written. */
  readonly groupMs: number;
}

/**
 * The journal of one room, in the SQLite database of its object: a row for the ticks of each `groupMs`, the newest
 * snapshots, and the identity of the room. The platform holds back messages that are sent after a write until the write
 * is durable, so a write can be acknowledged immediately.
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

  /** Does nothing, because there is only one room and `forget` deletes its definition. */
  async forgetDefinition(): Promise<void> {}

  async keepRoom(room: RoomIdentity, before?: () => Promise<void>): Promise<void> {
    await before?.();
    this.options.pieces.put('room', 0, frameOf({ form, room }));
    this.countStart();
  }

  append(room: string, record: TickRecord, done: (outcome: WriteOutcome) => void) {
    const bytes = frameOf(encodeRecord({ room, record }));
    this.group.push({ record, bytes, done });
    this.timer ??= this.options.clock.after(this.options.groupMs, () => this.flush());
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
    // Ticks are kept from the group on that contains the first tick after the oldest snapshot.
    pieces.deleteBefore('tick', pieces.numbers('tick').findLast((first) => first <= oldest + 1) ?? 0);
  }

  /** Deletes everything, so that a room that is over costs nothing. */
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

  /**
   * Waits until saved data of players is written: only the ticks that are about to be deleted could save it again.
   * Rejects if the data could not be written.
   */
  private async saved() {
    this.flush();
    if (!(await this.options.saved())) throw new Error('Player data could not be saved.');
  }

  /** Writes the collected ticks. If that fails, they are not acknowledged, and the write is retried. */
  private flush() {
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
    if (this.isFailing) listener.working();
    this.isFailing = false;
    for (const { done } of group) done('kept');
  }

  private drop() {
    this.timer?.cancel();
    this.timer = undefined;
    this.group = [];
  }

  /**
   * The room in the state in which it can be resumed: the newest readable snapshot, and the ticks after it up to the
   * first gap. Undefined if nothing can be read.
   */
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
   * The ticks after `tick`, up to the first gap. With `setsAside`, rows from the first unreadable one on are set aside,
   * because they cannot be used any more.
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
        onNotice('journal-torn', `The ticks from tick ${first} on cannot be read, and are set aside.`);
        for (const number of rows) if (number >= first) pieces.setAside('tick', number);
      }
      break;
    }
    return ticks;
  }

  private countStart() {
    const { pieces } = this.options;
    pieces.put('start', this.starts, new Uint8Array());
    pieces.deleteBefore('start', this.starts);
  }
}

/** The id of the room in an object's storage; undefined if there is none. */
export function storedId(pieces: Pieces): string | undefined {
  const bytes = pieces.get('room', 0);
  const file = bytes && readRoomFile(bytes, 'room', undefined, () => {});
  return typeof file === 'string' ? undefined : file?.room.id;
}
