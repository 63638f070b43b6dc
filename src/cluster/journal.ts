import type { SlowReason } from '../net/index.ts';
import type { RoomIdentity, RoomSnapshot, StoredRoom, TickRecord } from './stored-room.ts';

/** The outcome of writing a record to the journal: `kept`, or `lost` if it will never be written. */
export type WriteOutcome = 'kept' | 'lost';

export interface JournalListener {
  /** Called when the journal cannot be written. */
  failing(message: string): void;
  /** Called when the journal can be written again. */
  working(): void;
  /** Called when ticks of a room, or of all rooms, were lost. A snapshot must replace them. */
  lost(room?: string): void;
  /**
   * Called when another process has taken over a room, or all of them. The receiver must drop these rooms immediately;
   * the journal reports nothing more about them.
   */
  taken(room?: string): void;
}

/** Receives the events of a journal that several processes share, and answers its questions about this process. */
export interface SharedListener extends JournalListener {
  /** Called when this process has taken over a room. Resolves when the room is being played, or was dropped. */
  found(room: StoredRoom): Promise<void>;
  /** Whether this process can take over another room. */
  mayTake(): boolean;
  /** Whether this process admits new players. If not, other processes send no new players here. */
  admits(): boolean;
  /** Called with each heartbeat. `isThere`: whether a process of a newer version is running. */
  newer(isThere: boolean): void;
  /** The rooms of this process, to be published for other processes. */
  rooms(): readonly ListedRoom[];
}

/** The public data of a room, which other processes receive, too. */
export interface ListedRoom extends Pick<RoomIdentity, 'id' | 'slug' | 'version' | 'properties' | 'code'> {
  readonly title: string;
  readonly rate: number;
  readonly players: number;
  readonly watchers: number;
  /** Whether another player may join. */
  readonly isOpen: boolean;
  /** The fraction of recent ticks that were played, from 0 to 1; see `Pace`. */
  readonly speed: number;
  /** Whether the room is so slow that players notice. */
  readonly isSlow: boolean;
  /** The reason why the room is slow, if known. */
  readonly slowReason?: SlowReason | undefined;
}

/** A process, with the rooms that it last published. */
export interface ListedProcess extends Reach {
  readonly id: string;
  readonly admits: boolean;
  readonly rooms: readonly ListedRoom[];
}

/** The process that plays a room. */
export interface RoomLocation {
  /** Whether this process has the room, or is taking it over. */
  readonly isOurs: boolean;
  /** Whether the process has a valid lease. If not, the room will be taken over. */
  readonly isAlive: boolean;
  /** The URLs of the process. */
  readonly reach: Reach;
}

/** The URLs of a process, as far as it has published them. */
export interface Reach {
  /** The URL for clients. */
  readonly url: string | undefined;
  /** The URL for other processes, `ws://HOST:PORT`. */
  readonly inside: string | undefined;
}

/** The access to the other processes that share the journal. */
export interface SharedRooms {
  /** The maximum time that a takeover takes, if there is a process that can take over the room, ms. */
  readonly takeoverMs: number;
  /** Starts taking over rooms of dead processes. Resolves when the rooms found at the start have been taken over. */
  begin(): Promise<void>;
  /** Like `locate`, but also takes over the room if its process is dead. */
  adopt(room: string): Promise<RoomLocation | undefined>;
  /** The process that plays a room; undefined if the room no longer exists. */
  locate(room: string): Promise<RoomLocation | undefined>;
  /** The number of other living processes that would take over the rooms of this process. */
  others(): Promise<number>;
  /** The other living processes, with the rooms that they have published. */
  listed(): Promise<readonly ListedProcess[]>;
  /** Publishes the rooms of this process immediately, rather than with the next heartbeat. */
  publish(): Promise<void>;
  /** Publishes the URL at which other processes reach this one. */
  reachable(inside: string): Promise<void>;
  /** The id and the URL by which other processes know this one. */
  readonly self: Pick<ListedProcess, 'id' | 'url'>;
  /**
   * Releases all rooms of this process, so that others can take them over immediately. Nothing is written afterwards.
   */
  release(): Promise<void>;
}

/**
 * Persists rooms, so that they survive the process. Each room has its identity, its newest snapshot, and the ticks
 * after that. Rooms never wait for the journal: `append` reports the outcome of the write by a callback.
 */
export interface RoomJournal {
  /** Writes the text of a definition. Called before the first room of that version is written. */
  keepDefinition(version: string, text: string): Promise<void>;
  readDefinition(version: string): Promise<string | undefined>;
  /** Called when no room of this process plays the version any more. */
  forgetDefinition(version: string): Promise<void>;
  /**
   * Writes a new room. First calls `before`, which writes the data that the room depends on. Ticks may be appended
   * before the call resolves. If the call rejects, it must be repeated; until it succeeds, no tick counts as kept.
   */
  keepRoom(room: RoomIdentity, before?: () => Promise<void>): Promise<void>;
  append(room: string, record: TickRecord, done: (outcome: WriteOutcome) => void): void;
  keepSnapshot(room: string, snapshot: RoomSnapshot): Promise<void>;
  /** Removes a room. */
  forget(room: string): Promise<void>;
  /** Sets aside a room that cannot be resumed: its data remains for inspection. */
  setAside(room: string): Promise<void>;
  /** The rooms to resume, as found when the journal was opened. */
  readonly stored: readonly StoredRoom[];
  /** The access to other processes; undefined for a journal of a single process. */
  readonly shared: SharedRooms | undefined;
  /** Whether a power failure may lose records that were reported as kept. */
  readonly isLossy: boolean;
  /**
   * A number that increases with each process that plays the room, for example the count of those processes. It never
   * decreases, not even after a fault that loses ticks.
   */
  incarnation(room: string): number;
  /**
   * The current data of a room, from which it can be resumed. It contains everything appended so far that was not
   * reported as lost.
   */
  read(room: string): Promise<StoredRoom | undefined>;
  /** All ticks of a room that still exist, from the first tick or from a snapshot on. */
  history(room: string): Promise<StoredRoom | undefined>;
  /** Waits until everything appended so far has been either written or lost. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A journal that writes nothing. Its rooms end with the process. */
export class NoJournal implements RoomJournal {
  readonly stored = [];
  readonly shared = undefined;
  readonly isLossy = false;
  private readonly texts = new Map<string, string>();

  async keepDefinition(version: string, text: string): Promise<void> {
    this.texts.set(version, text);
  }

  async readDefinition(version: string): Promise<string | undefined> {
    return this.texts.get(version);
  }

  async forgetDefinition(version: string): Promise<void> {
    this.texts.delete(version);
  }

  async keepRoom(_room: RoomIdentity, before?: () => Promise<void>): Promise<void> {
    await before?.();
  }

  append(_room: string, _record: TickRecord, done: (outcome: WriteOutcome) => void) {
    done('kept');
  }

  async keepSnapshot(): Promise<void> {}
  async forget(): Promise<void> {}
  async setAside(): Promise<void> {}

  incarnation(): number {
    return 1;
  }

  async read(): Promise<undefined> {
    return undefined;
  }

  async history(): Promise<undefined> {
    return undefined;
  }

  async settled(): Promise<void> {}
  async close(): Promise<void> {}
}
