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

/** Told when a journal begins to fail, and when it works again. */
export interface JournalListener {
  failing(message: string): void;
  working(): void;
  /** What was not written is lost, so that rooms have to be kept anew. */
  lost(): void;
}

/**
 * Where rooms are written down so that they outlive the process. Nothing here makes anybody wait: whoever must know hands over a function that is
 * called when what it is about is kept.
 */
export interface RoomJournal {
  /** Text of a definition, by version; before the first room that plays it. */
  keepDefinition(version: string, text: string): Promise<void>;
  readDefinition(version: string): Promise<string | undefined>;
  /** A new room; its ticks may be appended at once. */
  keepRoom(room: RoomIdentity): Promise<void>;
  append(room: string, record: TickRecord, done: (fate: Fate) => void): void;
  keepSnapshot(room: string, snapshot: RoomSnapshot): Promise<void>;
  forget(room: string): Promise<void>;
  /** The room cannot be resumed: what is kept of it stays for whoever looks into it, and is not tried again. */
  setAside(room: string): Promise<void>;
  /** The rooms that were there when the journal was opened. */
  readonly stored: readonly StoredRoom[];
  /** One room as it stands now; everything appended so far is in it. */
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
  private readonly texts = new Map<string, string>();

  async keepDefinition(version: string, text: string): Promise<void> {
    this.texts.set(version, text);
  }

  async readDefinition(version: string): Promise<string | undefined> {
    return this.texts.get(version);
  }

  async keepRoom(): Promise<void> {}

  append(_room: string, _record: TickRecord, done: (fate: Fate) => void): void {
    done('kept');
  }

  async keepSnapshot(): Promise<void> {}
  async forget(): Promise<void> {}
  async setAside(): Promise<void> {}

  async read(): Promise<undefined> {
    return undefined;
  }

  async history(): Promise<undefined> {
    return undefined;
  }

  async settled(): Promise<void> {}
  async close(): Promise<void> {}
}
