import type { Input, OutputEvent } from '../../../engine/index.ts';
import type { RoomIdentity, RoomPlayer, RoomSnapshot, StoredRoom } from '../../cluster/index.ts';
import type { Code } from '../../net/index.ts';

/**
 * Messages between the server's main thread and the rooms, as plain data that can be cloned. The main thread has the
 * sockets, the journal and the stores; the rooms are played in the same thread or in others.
 */

/**
 * The reasons for which ticks are skipped. `held`: the room was held back, because its long ticks delay other rooms.
 * `late`: the room itself is too slow. `others`: the room had to wait for the long ticks of other rooms.
 */
export type Overrun = 'held' | 'late' | 'others';

/** A player as shown to an operator. */
export interface RoomPerson {
  readonly player: string;
  readonly name: string;
  readonly userId: string | undefined;
  /** The IP address from which the player joined. */
  readonly ip: string | undefined;
  readonly isMuted: boolean;
  readonly joinedMs: number | undefined;
}

/** The questions that the main thread can ask a room, each with the type of its answer. */
export interface RoomAnswers {
  /** The latest tick, and the hash of the state after it. */
  readonly hash: { readonly tick: number; readonly hash: string };
  readonly people: readonly RoomPerson[];
  /** The preview of the room in lists of games, as SVG: the map with all units, or the map alone. */
  readonly picture: string;
  readonly map: string;
}

export type JoinInput = Extract<Input, { kind: 'join' }>;
/** Answers of the platform to a `PlatformRequest`. */
export type PlatformInput = Extract<Input, { kind: 'adResult' | 'coinsResult' }>;

/** Inputs that the host makes about a player in the game. */
export type HostInput = PlatformInput | Extract<Input, { kind: 'hostModerate' }>;
/** Inputs that the host makes for the whole room. */
export type RoomInput =
  | Extract<Input, { kind: 'announce' | 'hostValue' }>
  | Omit<Extract<Input, { kind: 'host' }>, 'player'>;

/** A game's request to the platform, which an input answers. `player` is a client id. */
export type PlatformRequest =
  | { readonly kind: 'ad'; readonly player: string }
  | { readonly kind: 'coins'; readonly player: string; readonly amount: number; readonly feePaidBy: string };

interface RoomStart {
  readonly room: RoomIdentity;
  /**
   * The room time (see `RoomPlay.timeMs`) from which the room starts, ms. It is later than any time that clients of the
   * room were sent before, by this process or another.
   */
  readonly startMs: number;
}

export type RoomCommand =
  | { readonly kind: 'define'; readonly version: string; readonly text: string }
  /** The version of a definition is no longer needed. */
  | { readonly kind: 'undefine'; readonly version: string }
  | ({ readonly kind: 'open' } & RoomStart)
  | ({ readonly kind: 'resume' } & Pick<StoredRoom, 'snapshot' | 'ticks'> & RoomStart)
  | (CommandToRoom & OfRoom);

/** The room that a message is for, or from. */
export interface OfRoom {
  readonly room: string;
}

/** A command to a room, for the thread that plays it. */
export type CommandToRoom =
  /** Plays the last tick, in which the trigger `serverShuttingDown` fires. */
  | { readonly kind: 'close' }
  /** Pauses the room, or continues it. */
  | { readonly kind: 'pause'; readonly on: boolean }
  | {
      readonly kind: 'join';
      readonly session: number;
      readonly protocol: string;
      readonly input: JoinInput & { readonly clientId: string };
    }
  /** Assigns a new connection to a player that is in the game. */
  | {
      readonly kind: 'attach';
      readonly session: number;
      readonly protocol: string;
      readonly player: string;
      /** Whether the client reconnects and still shows an old state of the room. */
      readonly isBack: boolean;
    }
  /** Adds a spectator. `request` identifies the person, for bans and permissions. */
  | {
      readonly kind: 'watch';
      readonly session: number;
      readonly protocol: string;
      readonly request: Pick<JoinInput, 'userId' | 'ip' | 'roleIds'>;
    }
  | { readonly kind: 'detach'; readonly session: number }
  /**
   * Invalidates the player's resume tokens that were issued before `fromMs`. The room records this with its next tick,
   * so that the journal contains it.
   */
  | { readonly kind: 'resumable'; readonly player: string; readonly fromMs: number }
  | { readonly kind: 'leave'; readonly player: string }
  | {
      readonly kind: 'input';
      readonly session: number;
      readonly player: string;
      readonly sequence: number;
      readonly tick: number | undefined;
      readonly input: Input;
    }
  /** Records an input that was refused before it reached the room. The input uses up its sequence number. */
  | {
      readonly kind: 'refusedInput';
      /** Whether the input was a chat message. Its player is then told about the refusal. */
      readonly isChat?: boolean;
      readonly session: number;
      readonly player: string;
      readonly sequence: number;
      readonly code: Code;
    }
  | { readonly kind: 'acknowledge'; readonly session: number; readonly frame: number }
  | { readonly kind: 'answer'; readonly requestId: number; readonly body?: unknown }
  /** An input of the host. `request` is repeated in the report of the tick in which the input took effect. */
  | {
      readonly kind: 'hostInput';
      readonly input: HostInput | RoomInput;
      readonly request?: number;
    }
  | { readonly kind: 'ask'; readonly what: keyof RoomAnswers; readonly request: number }
  /**
   * Removes the room from this thread and returns a snapshot, because the room will be continued in another thread or,
   * with `isHandedOver`, in another process.
   */
  | { readonly kind: 'release'; readonly isHandedOver?: boolean }
  /** Removes the room, because another process has taken it over. */
  | { readonly kind: 'drop' }
  /** Requests a snapshot of the current state. */
  | { readonly kind: 'snapshot' };

/** The outcome of a numbered input. */
export interface InputResult {
  readonly session: number;
  readonly sequence: number;
  /** The tick in which the input was processed. */
  readonly tick: number;
  readonly code?: Code | undefined;
}

/** The outcome of a `join` or `attach`. */
export interface Admission {
  readonly session: number;
  readonly player: string;
  /** The reason why the join was refused; undefined if it was not. */
  readonly code?: Code | undefined;
  /** The sequence number of the player's latest input. */
  readonly sequence: number;
  /** When the player joined; see `RoomPlayer`. */
  readonly joinedMs?: number | undefined;
  /** After an `attach`: the newest results of the player's inputs, in case the client did not receive them. */
  readonly results?: readonly Omit<InputResult, 'session'>[] | undefined;
}

/** A message of the room to one or more clients. */
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

/** A player's chat message that the game has published. */
export interface Said {
  readonly player: string;
  readonly name: string;
  readonly userId?: string | undefined;
  readonly text: string;
  /** The client ids of the only players who see the message; undefined if everybody sees it. */
  readonly to?: readonly string[] | undefined;
}

/** The findings of a replay of recorded ticks. */
export interface Replayed {
  /** The first tick whose recorded hash differs from the hash of the replayed state; undefined if there is none. */
  readonly differsAt: number | undefined;
  /** Saves in the replayed ticks, with the wall time of each. */
  readonly saves: readonly { readonly event: OutputEvent<'persistence'>; readonly atMs: number }[];
}

/** All reports of a room except that of a tick. */
export type OtherReport =
  | {
      readonly kind: 'opened';
      readonly tick: number;
      readonly rate: number;
      /** Whether the game was over before its first tick. */
      readonly ended: boolean;
    }
  | ({
      readonly kind: 'resumed';
      readonly tick: number;
      readonly rate: number;
      readonly hash: string;
      readonly players: readonly RoomPlayer[];
      readonly playersMade: number;
      /** Whether the game was over when it was resumed. */
      readonly ended: boolean;
    } & Replayed)
  /** The results of inputs that were refused without waiting for a tick. */
  | { readonly kind: 'inputResults'; readonly results: readonly InputResult[] }
  /** The answer to `watch`. It is sent immediately, because a spectator does not affect the game. */
  | {
      readonly kind: 'watched';
      readonly session: number;
      /** The reason why the request to watch was refused; undefined if it was not. */
      readonly code?: Code | undefined;
      readonly sendings: readonly Sending[];
    }
  | {
      readonly kind: 'answered';
      readonly request: number;
      readonly answer: RoomAnswers[keyof RoomAnswers];
    }
  | { readonly kind: 'snapshot'; readonly snapshot: RoomSnapshot }
  | {
      readonly kind: 'released';
      readonly snapshot: RoomSnapshot;
      readonly hash: string;
      /**
       * The saves that the game would make if it ended now; only for a room that is handed over. They are written,
       * because the next process may be unable to continue the room.
       */
      readonly saves: readonly OutputEvent<'persistence'>[];
    }
  /** Ticks were skipped. */
  | { readonly kind: 'overrun'; readonly ticks: number; readonly why: Overrun }
  | {
      readonly kind: 'failed';
      readonly message: string;
      /** The reason why the room must not be resumed, if any: it would use too much memory or time again. */
      readonly excess?: 'room-too-large' | 'room-too-slow';
    };
