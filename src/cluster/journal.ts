import type { SlowReason } from '../net/index.ts';
import type { RoomIdentity, RoomProperties, RoomSnapshot, StoredRoom, TickRecord } from './stored-room.ts';

/** Whether a record was written to the journal. `lost`: it never will be. */
export type WriteOutcome = 'kept' | 'lost';

export interface JournalListener {
  /** The journal cannot be written. */
  failing(message: string): void;
  /** The journal can be written again. */
  working(): void;
  /** Ticks of a room, or of all rooms, were lost: a snapshot must replace them. */
  lost(room?: string): void;
  /**
   * Another process has taken over a room, or all of them. They must be dropped immediately; nothing more is reported
   * about them.
   */
  taken(room?: string): void;
}

/** The events of a journal that several processes share. */
export interface SharedListener extends JournalListener {
  /** This process has taken over a room. Resolves when the room is being played, or was dropped. */
  found(room: StoredRoom): Promise<void>;
  /** Whether this process can take over another room. */
  mayTake(): boolean;
  /** Whether this process admits new players. Processes that do not refer theirs to it. */
  admits(): boolean;
  /** Called with each heartbeat: whether a process of a newer version is running. */
  newer(isThere: boolean): void;
  /** The rooms of this process, for other processes. */
  rooms(): readonly ListedRoom[];
}

/** The public data of a room, also for other processes. */
export interface ListedRoom {
  readonly id: string;
  readonly slug: string;
  readonly version: string;
  readonly title: string;
  readonly rate: number;
  readonly players: number;
  readonly watchers: number;
  /** Whether another player may join. */
  readonly isOpen: boolean;
  /** The share of recent ticks that were played; see `Pace`. */
  readonly speed: number;
  /** Whether the room is so slow that players notice. */
  readonly isSlow: boolean;
  /** Why the room is slow. */
  readonly slowReason?: SlowReason | undefined;
  readonly properties?: RoomProperties | undefined;
  /** The code of a private room: for other processes and administrators, not for players. */
  readonly code?: string | undefined;
}

/** A process, with the rooms that it last published. */
export interface ListedProcess extends Reach {
  readonly id: string;
  readonly admits: boolean;
  readonly rooms: readonly ListedRoom[];
}

/** Processes that share a journal. */
export interface Fleet {
  readonly self: Pick<ListedProcess, 'id' | 'url'>;
  readonly others: readonly ListedProcess[];
}

/** Where a room is played. */
export interface RoomLocation {
  /** Whether this process has the room, or is taking it over. */
  readonly isOurs: boolean;
  /** Whether the lease of its process is valid; if not, the room will be taken over. */
  readonly isAlive: boolean;
  /** Where its process is reached. */
  readonly reach: Reach;
}

/** The addresses of a process, as far as it has published them. */
export interface Reach {
  /** For clients. */
  readonly url: string | undefined;
  /** For other processes, `ws://HOST:PORT`. */
  readonly inside: string | undefined;
}

/** The part of a journal that several processes share. */
export interface SharedRooms {
  /** How long a takeover takes at most, if some process can take the room over. */
  readonly takeoverMs: number;
  /** Starts taking over rooms of dead processes. Resolves when those found now have been taken over. */
  begin(): Promise<void>;
  /** `locate`, which also takes over the room if its process is dead. */
  adopt(room: string): Promise<RoomLocation | undefined>;
  /** Undefined for a room that does not exist any more. */
  locate(room: string): Promise<RoomLocation | undefined>;
  /** The number of other living processes that would take over the rooms of this process. */
  others(): Promise<number>;
  /** The other living processes, with their rooms. */
  listed(): Promise<readonly ListedProcess[]>;
  /** Publishes the rooms of this process now rather than with the next heartbeat. */
  publish(): Promise<void>;
  /** Publishes the address at which other processes reach this one. */
  reachable(inside: string): Promise<void>;
  /** The id and the address by which other processes know this one. */
  readonly self: Pick<ListedProcess, 'id' | 'url'>;
  /** Releases all rooms of this process, so that others can take them over immediately. Nothing is written any more. */
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
  /** Called when no room of this process has the version any more. */
  forgetDefinition(version: string): Promise<void>;
  /**
   * Writes a new room, after calling `before`, which writes what the room depends on. Ticks may be appended before it
   * resolves. If it rejects, it must be called again; until it succeeds, no tick counts as kept.
   */
  keepRoom(room: RoomIdentity, before?: () => Promise<void>): Promise<void>;
  append(room: string, record: TickRecord, done: (outcome: WriteOutcome) => void): void;
  keepSnapshot(room: string, snapshot: RoomSnapshot): Promise<void>;
  /** Removes a room. */
  forget(room: string): Promise<void>;
  /** Sets aside a room that cannot be resumed: its data is kept for inspection. */
  setAside(room: string): Promise<void>;
  /** The rooms to resume, as of when the journal was opened. */
  readonly stored: readonly StoredRoom[];
  /** Undefined for a journal of a single process. */
  readonly shared: SharedRooms | undefined;
  /** Whether a power failure may lose records that were reported as kept. */
  readonly isLossy: boolean;
  /**
   * The number of processes that have played the room one after the other, including this one; or any other number that
   * increases with each of them. Not affected by faults that lose ticks.
   */
  incarnation(room: string): number;
  /** The current data of a room, for resuming it. Contains everything appended so far that was not reported as lost. */
  read(room: string): Promise<StoredRoom | undefined>;
  /** All ticks of a room that still exist, starting from the first tick or from a snapshot. */
  history(room: string): Promise<StoredRoom | undefined>;
  /** Waits until everything appended so far has been written or lost. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A journal that writes nothing: rooms end with the process. */
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

  append(_room: string, _record: TickRecord, done: (outcome: WriteOutcome) => void): void {
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
