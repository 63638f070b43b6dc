import type { RoomProperties } from '../../cluster/index.ts';
import type { Code } from '../../net/index.ts';

/** The description of a room to open. */
export interface NewRoom {
  /** The name of the game. Default: the first game. */
  readonly game?: string;
  readonly seed?: string;
  /** Labels by which players choose among rooms. */
  readonly properties?: RoomProperties;
  /**
   * Whether it is listed nowhere, and can be entered only by its code or with a reserved seat. It ends with its last
   * player.
   */
  readonly isPrivate?: boolean;
}

export interface OpenedRoom {
  readonly room: string;
  /** The code of a private room. Players join with `#CODE` as the room. */
  readonly code?: string | undefined;
}

export interface WantedSeats {
  /** Accounts that each get a seat which only they can take. */
  readonly users?: readonly string[];
  /** The number of seats that anybody with the token can take. */
  readonly guests?: number;
  /** How long the seats are kept, in seconds. Default 60. */
  readonly seconds?: number;
}

/** The reserved seats. Each token can be used once, in place of a resume token. */
export type ReservedSeats =
  | { readonly seats: readonly { readonly userId?: string | undefined; readonly token: string }[] }
  | { readonly code: Code };
