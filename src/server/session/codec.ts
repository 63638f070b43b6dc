import type { Code } from '../../protocol/codes.ts';
import type { ClientMessage, Decoded, ServerMessage } from '../../protocol/messages.ts';

/** What a page says of itself as it opens a connection. */
export interface Opening {
  readonly query: URLSearchParams;
  /** The subprotocols that it offers. */
  readonly offered: readonly string[];
  readonly userAgent: string;
}

/** A wish to join, with what only some protocols know. */
export type JoinMessage = Extract<ClientMessage, { kind: 'join' }> & {
  /** The room is where it would like to play, and not where it must. */
  readonly isRoomOptional?: boolean;
  readonly isMobile?: boolean;
  /** A text that only this page knows: with it a guest is known again. */
  readonly ticket?: string;
  /** The page has lost its connection, and wants to go on as who it was. */
  readonly returns?: boolean;
};

/** What a connection says, in whatever protocol. */
export type SessionMessage =
  | Exclude<ClientMessage, { kind: 'join' | 'input' }>
  | JoinMessage
  /** Inputs of a protocol that does not count them are counted by the session. */
  | (Omit<Extract<ClientMessage, { kind: 'input' }>, 'sequence'> & { readonly sequence?: number })
  | { readonly kind: 'nothing' };

/** What a connection is told; frames and events come encoded from its room. */
export type Told = Exclude<ServerMessage, { kind: 'frame' | 'events' | 'bye' }>;

/** What a protocol is to the session layer: bytes that become messages, and messages that become bytes. */
export interface Codec {
  /** The subprotocol by which a WebSocket asks for it. */
  readonly name: string;
  /** Whether its messages travel as text. */
  readonly isText: boolean;
  /** The largest message of any kind, bytes. */
  readonly bytesMax: number;
  /** The join that the opening of a connection is; undefined where clients say it in a message. */
  readonly joinOf: ((opening: Opening) => JoinMessage) | undefined;
  /** What the bytes claim to be, without decoding them; undefined for nothing that a client sends. */
  kindOf(bytes: Uint8Array): string | undefined;
  /** How many bytes a message of the kind may have. */
  bytesMaxOf(kind: string): number;
  /** Throws nothing. */
  decode(bytes: Uint8Array): Decoded<SessionMessage>;
  /** Fresh buffers each time, one for each message; none for what clients of the protocol are not told. */
  encode(message: Told): readonly Uint8Array[];
  /** The last messages of a connection. `text`: what the game says of it, which may hold HTML. */
  encodeEnd(code: Code, text: string | undefined, isPlaying: boolean): readonly Uint8Array[];
}
