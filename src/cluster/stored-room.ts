import type { DialectName, Input, Limits } from '../../engine/index.ts';

/** Labels of a room, by which clients choose among rooms. */
export type RoomProperties = Readonly<Record<string, string | number | boolean>>;

/** The properties of a room that never change. The state of a room follows from them and from its inputs. */
export interface RoomIdentity {
  readonly id: string;
  readonly slug: string;
  /** The version of the definition that it plays: the hash of its text. */
  readonly version: string;
  readonly seed: string;
  readonly dialect: DialectName;
  readonly limits: Limits;
  readonly epochMs: number;
  readonly properties?: RoomProperties | undefined;
  /** The code without which nobody may enter a private room. */
  readonly code?: string | undefined;
  /** Whether it was opened because all others were full. It ends when it is no longer needed. */
  readonly isExtra?: boolean | undefined;
}

/** The parts of a room's snapshot other than the simulation. */
interface RoomMemory {
  /** Players in the game, with the number of the latest input of each. */
  readonly players: readonly RoomPlayer[];
  /** Ids of unanswered web requests. */
  readonly requests: readonly number[];
  /** The largest number in a player's id so far, so that no id is given twice. */
  readonly playersMade: number;
  /** The players that left most recently, the last one at the end. Missing in journals of earlier versions. */
  readonly gone?: readonly string[] | undefined;
}

export interface RoomPlayer {
  readonly id: string;
  readonly sequence: number;
  readonly userId?: string | undefined;
  /**
   * Wall time of the tick in which it joined, ms since 1970. Distinguishes it from a player with the same id in ticks
   * that were lost. Missing in older snapshots.
   */
  readonly joinedMs?: number | undefined;
  /** Resume tokens that were issued before this, ms since 1970, are invalid. Missing if only one was issued. */
  readonly resumableFromMs?: number | undefined;
  /** `RecentResults`, packed. Only in snapshots, and missing in older ones. */
  readonly results?: readonly number[] | undefined;
}

/** A seat that is reserved until a wall time, ms since 1970: for its account or, if it has none, for anybody. */
export interface ReservedUntil {
  readonly id: string;
  readonly userId?: string | undefined;
  readonly untilMs: number;
}

export interface RoomSnapshot extends RoomMemory {
  readonly tick: number;
  /** Reserved seats of a room that is handed over to another process. */
  readonly reserved?: readonly ReservedUntil[] | undefined;
  /** The snapshot of the simulation. */
  readonly bytes: Uint8Array;
}

/** One tick in the journal. */
export interface TickRecord {
  readonly tick: number;
  /** Wall time at which it was played, ms since 1970. */
  readonly atMs: number;
  readonly inputs: readonly Input[];
  /** Player and sequence number of each numbered input. */
  readonly sequences: readonly (readonly [player: string, sequence: number])[];
  /** The hash of the state after the tick; only recorded at intervals. */
  readonly hash?: string | undefined;
  /** Players whose resume tokens became invalid if they were issued before the given time. Default none. */
  readonly renewed?: readonly (readonly [player: string, fromMs: number])[] | undefined;
}

/** The data from which a room is resumed. */
export interface StoredRoom {
  readonly room: RoomIdentity;
  readonly snapshot: RoomSnapshot | undefined;
  /** The ticks after the snapshot, in order. */
  readonly ticks: readonly TickRecord[];
}
