import type { RoomIdentity, RoomSnapshot, TickRecord } from '../room/messages.ts';

/** A room as it can be resumed. */
export interface StoredRoom {
  readonly room: RoomIdentity;
  readonly snapshot: RoomSnapshot | undefined;
  /** After the snapshot, in order. */
  readonly ticks: readonly TickRecord[];
}

/** Whether what was handed over is kept: `lost` where there was no room for it. */
export type Fate = 'kept' | 'lost';

/** Called when a journal begins to fail, and when it works again. */
export interface JournalListener {
  failing(message: string): void;
  working(): void;
  /** Ticks of a room, or of every room, are not kept: a snapshot has to take their place. */
  lost(room?: string): void;
  /** Another process has a room now, or all of them: they are given up here at once, and nothing more is said of them. */
  taken(room?: string): void;
}

/** The events of a journal that several processes write to. */
export interface SharedListener extends JournalListener {
  /** A room whose process is gone is this one's. Resolves when it is played, or is given up. */
  found(room: StoredRoom): Promise<void>;
  /** Whether one more room would have a place here. */
  mayTake(): boolean;
  /** The rooms of this process, as others list them. */
  rooms(): readonly ListedRoom[];
}

/** A room in the messages between processes. */
export interface ListedRoom {
  readonly id: string;
  readonly slug: string;
  readonly version: string;
  readonly title: string;
  readonly rate: number;
  readonly players: number;
  readonly watchers: number;
  /** Whether one more may play. */
  readonly isOpen: boolean;
  /** Ticks played lately, as a part of those that were due. */
  readonly speed: number;
  /** Whether it has been too slow for players not to notice. */
  readonly isSlow: boolean;
}

/** A process, and what it said of its rooms last. */
export interface ListedProcess {
  readonly id: string;
  readonly url: string | undefined;
  readonly rooms: readonly ListedRoom[];
}

/** Processes that share a journal. */
export interface Fleet {
  readonly self: Pick<ListedProcess, 'id' | 'url'>;
  readonly others: readonly ListedProcess[];
}

/** Where a room is played. */
export interface RoomPlace {
  /** This process has it, or is about to. */
  readonly isOurs: boolean;
  /** The lease of its process holds; else somebody is about to take it over. */
  readonly isAlive: boolean;
  /** Where clients reach its process, if that says so. */
  readonly url: string | undefined;
}

/** The functions of a journal that several processes write to. */
export interface SharedRooms {
  /** A takeover is over after this, if there is a process that has a place. */
  readonly takeoverMs: number;
  /** Takes over rooms whose process is gone, now and from now on. Resolves when those of now are here. */
  begin(): Promise<void>;
  /** Takes over one room, once its process is gone, and says how things stand. Undefined for a room that is no more. */
  adopt(room: string): Promise<RoomPlace | undefined>;
  /** Undefined for a room that no process plays or will play. */
  locate(room: string): Promise<RoomPlace | undefined>;
  /** Other processes that live, know rooms of this form, and take over what they find. */
  others(): Promise<number>;
  /** Other processes that live, with their rooms. */
  listed(): Promise<readonly ListedProcess[]>;
  /** The name of this process for others. */
  readonly self: Pick<ListedProcess, 'id' | 'url'>;
  /** All rooms of this process are given up: others can have them at once. Nothing is written any more. */
  release(): Promise<void>;
}

/**
 * Where rooms are written down so that they outlive the process. No call here waits: a caller that depends on a write gives a function, which is
 * called when the write is kept.
 */
export interface RoomJournal {
  /** Text of a definition, by version; before the first room that plays it. */
  keepDefinition(version: string, text: string): Promise<void>;
  readDefinition(version: string): Promise<string | undefined>;
  /** No room of this process plays the version any more. */
  forgetDefinition(version: string): Promise<void>;
  /**
   * A new room; its ticks may be appended at once. `before` keeps what the room needs, and comes first. Where it rejects, no tick is kept until it was
   * called again and did not.
   */
  keepRoom(room: RoomIdentity, before?: () => Promise<void>): Promise<void>;
  append(room: string, record: TickRecord, done: (fate: Fate) => void): void;
  keepSnapshot(room: string, snapshot: RoomSnapshot): Promise<void>;
  forget(room: string): Promise<void>;
  /** The room cannot be resumed: its data stays for people to look into, and is not tried again. */
  setAside(room: string): Promise<void>;
  /** The rooms that were there when the journal was opened, and are this process's. */
  readonly stored: readonly StoredRoom[];
  /** Undefined for a journal of one process. */
  readonly shared: SharedRooms | undefined;
  /** Whether a machine that loses its power may lose what was called kept. */
  readonly isLossy: boolean;
  /**
   * The number of this process among those that play the room one after the other, at least 1: larger than that of each before it. No fault that loses
   * ticks of the room loses it.
   */
  life(room: string): number;
  /** One room as it stands now, to go on from: everything appended so far is in it, or has been reported as lost. */
  read(room: string): Promise<StoredRoom | undefined>;
  /** All ticks of a room that are still kept, from the first on or from a snapshot on. */
  history(room: string): Promise<StoredRoom | undefined>;
  /** Everything appended so far has met its fate. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Keeps nothing: rooms end with the process. */
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

  append(_room: string, _record: TickRecord, done: (fate: Fate) => void): void {
    done('kept');
  }

  async keepSnapshot(): Promise<void> {}
  async forget(): Promise<void> {}
  async setAside(): Promise<void> {}

  life(): number {
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
