import type { Dictionary } from '../../engine/core/index.ts';
import type { DialectName, Input, Limits } from '../../engine/index.ts';

/** The labels of a room, by which clients choose among rooms. */
export type RoomProperties = Dictionary<string | number | boolean>;

/** The properties of a room that never change. They and the inputs of the room determine its state. */
export interface RoomIdentity {
  readonly id: string;
  readonly slug: string;
  /** The version of the definition that the room plays: the hash of its text. */
  readonly version: string;
  readonly seed: string;
  readonly dialect: DialectName;
  readonly limits: Limits;
  readonly epochMs: number;
  readonly properties?: RoomProperties | undefined;
  /**
   * The code of a private room, without which players cannot enter the room. Other processes and administrators are
   * told it, players are not.
   */
  readonly code?: string | undefined;
  /** Whether the room was opened because all others were full. Such a room ends when it is no longer needed. */
  readonly isExtra?: boolean | undefined;
}

/** The part of a room's snapshot that does not belong to the simulation. */
interface RoomMemory {
  /** The players in the game, each with the number of its latest input. */
  readonly players: readonly RoomPlayer[];
  /** The ids of unanswered web requests. */
  readonly requests: readonly number[];
  /** The largest number in a player's id so far, so that no id is used twice. */
  readonly playersMade: number;
  /** The players that left most recently, the last one at the end. Missing in journals of earlier versions. */
  readonly gone?: readonly string[] | undefined;
}

export interface RoomPlayer {
  readonly id: string;
  readonly sequence: number;
  readonly userId?: string | undefined;
  /**
   * The wall time of the tick in which the player joined, ms since 1970. Distinguishes the player from one with the
   * same id in ticks that were lost. Missing in older snapshots.
   */
  readonly joinedMs?: number | undefined;
  /**
   * Resume tokens issued before this time are invalid, ms since 1970. Missing if the player has been issued only one
   * token.
   */
  readonly resumableFromMs?: number | undefined;
  /** The packed `RecentResults`. Present only in snapshots, and missing in older ones. */
  readonly results?: readonly number[] | undefined;
}

/**
 * A seat that is reserved until a wall time, in ms since 1970, for an account or, without `userId`, for anyone with its
 * token.
 */
export interface ReservedUntil {
  readonly id: string;
  readonly userId?: string | undefined;
  readonly untilMs: number;
}

export interface RoomSnapshot extends RoomMemory {
  readonly tick: number;
  /** The reserved seats of a room that is handed over to another process. */
  readonly reserved?: readonly ReservedUntil[] | undefined;
  /** The snapshot of the simulation. */
  readonly bytes: Uint8Array;
}

/** One tick in the journal. */
export interface TickRecord {
  readonly tick: number;
  /** The wall time at which the tick was played, ms since 1970. */
  readonly atMs: number;
  readonly inputs: readonly Input[];
  /** The player and the sequence number of each numbered input. */
  readonly sequences: readonly (readonly [player: string, sequence: number])[];
  /** The hash of the state after the tick. Only some ticks, at regular intervals, have one. */
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
