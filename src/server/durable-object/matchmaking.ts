import type { RoomProperties } from '../../cluster/index.ts';
import type { Code } from '../../net/index.ts';

/** A room to be opened. */
export interface NewRoom {
  /** Default: the first game. */
  readonly game?: string;
  readonly seed?: string;
  /** Labels by which players choose among rooms. */
  readonly properties?: RoomProperties;
  /** Whether it is listed nowhere, and entered by its code or a reserved seat. It ends with its last player. */
  readonly isPrivate?: boolean;
}

export interface OpenedRoom {
  readonly room: string;
  /** What players of a private room join with: `#CODE` as the room. */
  readonly code?: string | undefined;
}

export interface WantedSeats {
  /** Accounts, each of which gets a seat that only it can take. */
  readonly users?: readonly string[];
  /** The number of seats that anybody with the token can take. */
  readonly guests?: number;
  /** How long they are kept. Default 60. */
  readonly seconds?: number;
}

/** Each token is used once, in place of a resume token. */
export type ReservedSeats =
  | { readonly seats: readonly { readonly userId?: string | undefined; readonly token: string }[] }
  | { readonly code: Code };
