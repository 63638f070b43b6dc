import type { DialectName, Input, Limits, OutputEvent } from '../../../engine/index.ts';
import type { Code } from '../protocol/codes.ts';

/**
 * Messages between the server's main thread and the rooms. The main thread has the sockets, the journal and the stores; the rooms are played in
 * it or in other threads. Plain data that can be cloned.
 */

/** The identity of a room for as long as it exists. With it and its inputs the room comes to the same state again. */
export interface RoomIdentity {
  readonly id: string;
  readonly slug: string;
  /** Which text of the definition it plays; see `Versions`. */
  readonly version: string;
  readonly seed: string;
  readonly dialect: DialectName;
  readonly limits: Limits;
  readonly epochMs: number;
}

/** The members of a room's snapshot beside its simulation. */
interface RoomMemory {
  /** Players in the game, with the number of the latest input of each. */
  readonly players: readonly RoomPlayer[];
  /** Requests to the web that have no answer yet. */
  readonly requests: readonly number[];
  /** The largest number of a player's id that there was: no id is given twice. */
  readonly playersMade: number;
  /** Players that left last, the newest at the end. Those of a journal of earlier versions are not known. */
  readonly gone?: readonly string[] | undefined;
}

export interface RoomPlayer {
  readonly id: string;
  readonly sequence: number;
  readonly userId?: string | undefined;
  /** Its saved data could not be read, and is still to be brought. */
  readonly awaitsData?: boolean | undefined;
  /** Wall time of the tick in which it joined, ms since 1970: distinguishes it from one with its id in ticks that were lost. Older snapshots leave it out. */
  readonly joinedMs?: number | undefined;
  /** `RecentResults`, packed. Only snapshots have them, and older ones leave them out. */
  readonly results?: readonly number[] | undefined;
}

export interface RoomSnapshot extends RoomMemory {
  readonly tick: number;
  /** Of the simulation. */
  readonly bytes: Uint8Array;
}

/** One tick as the journal has it. */
export interface TickRecord {
  readonly tick: number;
  /** Wall time at which it was played, ms since 1970. */
  readonly atMs: number;
  readonly inputs: readonly Input[];
  /** Player and number of each numbered input. */
  readonly sequences: readonly (readonly [player: string, sequence: number])[];
  /** Of the state that the tick left; now and then. */
  readonly hash?: string | undefined;
}

export type JoinInput = Extract<Input, { kind: 'join' }>;
/** The data of a player that only a platform has. */
export type PlatformInput = Extract<Input, { kind: 'adResult' | 'coinsResult' }>;

/** What the host brings of its own accord to a player in the game. */
export type HostInput = PlatformInput | Extract<Input, { kind: 'savedData' }>;

/** The requests of a game to the platform, whose answer is an input. `player`: client id. */
export type PlatformRequest =
  | { readonly kind: 'ad'; readonly player: string }
  | { readonly kind: 'coins'; readonly player: string; readonly amount: number; readonly feePaidBy: string };

interface RoomStart {
  readonly room: RoomIdentity;
  /** The time for pages from now on, ms: later than any that the room had before, here or in another process. */
  readonly startMs: number;
}

export type RoomCommand =
  | { readonly kind: 'define'; readonly version: string; readonly text: string }
  /** No room plays the version any more. */
  | { readonly kind: 'undefine'; readonly version: string }
  | ({ readonly kind: 'open' } & RoomStart)
  | ({
      readonly kind: 'resume';
      readonly snapshot: RoomSnapshot | undefined;
      readonly ticks: readonly TickRecord[];
    } & RoomStart)
  /** The game's last tick is played, in which the trigger of the shutdown fires. */
  | { readonly kind: 'close'; readonly room: string }
  /** The room stands still, or goes on. */
  | { readonly kind: 'pause'; readonly room: string; readonly on: boolean }
  | {
      readonly kind: 'join';
      readonly room: string;
      readonly session: number;
      readonly protocol: string;
      readonly input: JoinInput & { readonly clientId: string };
    }
  /** Another connection for a player that is in the game. */
  | {
      readonly kind: 'attach';
      readonly room: string;
      readonly session: number;
      readonly protocol: string;
      readonly player: string;
      /** Whether the page has a picture of the room, if an old one. */
      readonly isBack: boolean;
    }
  /** A connection that is shown the room and has no player. `request` names the person. */
  | {
      readonly kind: 'watch';
      readonly room: string;
      readonly session: number;
      readonly protocol: string;
      readonly request: Pick<JoinInput, 'userId' | 'ip' | 'roleIds'>;
    }
  | { readonly kind: 'detach'; readonly room: string; readonly session: number }
  | { readonly kind: 'leave'; readonly room: string; readonly player: string }
  | {
      readonly kind: 'input';
      readonly room: string;
      readonly session: number;
      readonly player: string;
      readonly sequence: number;
      readonly tick: number | undefined;
      readonly input: Input;
    }
  /** An input that was turned down before it came to the room. Its number is used up. */
  | {
      readonly kind: 'refusedInput';
      readonly room: string;
      readonly session: number;
      readonly player: string;
      readonly sequence: number;
      readonly code: Code;
    }
  | { readonly kind: 'acknowledge'; readonly room: string; readonly session: number; readonly frame: number }
  | { readonly kind: 'answer'; readonly room: string; readonly requestId: number; readonly body?: unknown }
  /** The host has something for a player. `request`: comes back in the report of the tick in which the input took effect. */
  | { readonly kind: 'hostInput'; readonly room: string; readonly input: HostInput; readonly request?: number }
  /** Asks for the hash of the room's state now. */
  | { readonly kind: 'hash'; readonly room: string; readonly request: number }
  /** The room is to be played elsewhere: it is given up here, with a snapshot. */
  | { readonly kind: 'give'; readonly room: string }
  /** The room is another's: it is given up as it is. */
  | { readonly kind: 'drop'; readonly room: string }
  /** Asks for a snapshot now. */
  | { readonly kind: 'snapshot'; readonly room: string };

/** The outcome of a numbered input. */
export interface InputResult {
  readonly session: number;
  readonly sequence: number;
  /** The tick in which it had its turn. */
  readonly tick: number;
  readonly code?: Code | undefined;
}

/** The outcome of a join or an attachment. */
export interface Admission {
  readonly session: number;
  readonly player: string;
  /** Why not. */
  readonly code?: Code | undefined;
  /** The number of the latest input of the player. */
  readonly sequence: number;
  /** Of a player that is let in. */
  readonly joinedMs?: number | undefined;
  /** Of a player that another connection takes over: its newest results. */
  readonly results?: readonly Omit<InputResult, 'session'>[] | undefined;
}

/** Bytes for some connections, which all get the same. */
export interface Sending {
  readonly sessions: readonly number[];
  readonly bytes: Uint8Array;
  /** The kind of the bytes, for the metrics. */
  readonly kind: 'frame' | 'events';
}

export interface Departure {
  readonly player: string;
  readonly reason: 'left' | 'kicked';
  readonly message?: string | undefined;
}

/** The effects of a tick in one message. */
export interface TickReport {
  readonly kind: 'tick';
  readonly room: string;
  readonly record: TickRecord;
  readonly results: readonly InputResult[];
  readonly admissions: readonly Admission[];
  readonly departures: readonly Departure[];
  readonly sendings: readonly Sending[];
  /** The work of the host: saves, requests to the web, and requests of the game to the server. */
  readonly outputs: readonly OutputEvent[];
  readonly platform: readonly PlatformRequest[];
  /** Of `platformInput`, those whose inputs took effect. */
  readonly applied: readonly number[];
  readonly players: number;
  readonly faults: number;
  /** Of playing and of encoding. */
  readonly tickMs: number;
  readonly encodeMs: number;
  /** Processor time of both. */
  readonly busyMs: number;
  /** How late it began. */
  readonly lateMs: number;
  readonly snapshot?: RoomSnapshot | undefined;
  readonly ended: boolean;
}

export type RoomReport =
  | TickReport
  | {
      readonly kind: 'opened';
      readonly room: string;
      readonly tick: number;
      readonly rate: number;
      /** The game was over before its first tick. */
      readonly ended: boolean;
    }
  | {
      readonly kind: 'resumed';
      readonly room: string;
      readonly tick: number;
      readonly rate: number;
      readonly hash: string;
      readonly players: readonly RoomPlayer[];
      readonly playersMade: number;
      /** The game was over when it was resumed. */
      readonly ended: boolean;
      /** The first tick whose recorded hash is another than that of the state. */
      readonly differsAt: number | undefined;
      /** Saves of the ticks played again, with the wall time of each. */
      readonly saves: readonly { readonly event: OutputEvent; readonly atMs: number }[];
    }
  /** Messages turned down before they came into a tick, and connections attached between ticks. */
  | { readonly kind: 'turnedDown'; readonly room: string; readonly results: readonly InputResult[] }
  /** The answer to `watch`. No tick waits for it: nothing in the game has changed. */
  | {
      readonly kind: 'watched';
      readonly room: string;
      readonly session: number;
      /** Why not. */
      readonly code?: Code | undefined;
      readonly sendings: readonly Sending[];
    }
  | {
      readonly kind: 'hash';
      readonly room: string;
      readonly request: number;
      readonly tick: number;
      readonly hash: string;
    }
  | { readonly kind: 'snapshot'; readonly room: string; readonly snapshot: RoomSnapshot }
  | { readonly kind: 'given'; readonly room: string; readonly snapshot: RoomSnapshot; readonly hash: string }
  | { readonly kind: 'overrun'; readonly room: string; readonly ticks: number }
  | { readonly kind: 'failed'; readonly room: string; readonly message: string };
