import type { Code } from '../protocol/codes.ts';
import type { ClientMessage, Decoded, ServerMessage } from '../protocol/messages.ts';

/** The data with which a page opens a connection. */
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

/** The messages of a connection, in any protocol. */
export type SessionMessage =
  | Exclude<ClientMessage, { kind: 'join' | 'input' }>
  | JoinMessage
  /** Inputs of a protocol that does not count them are counted by the session. */
  | (Omit<Extract<ClientMessage, { kind: 'input' }>, 'sequence'> & { readonly sequence?: number })
  | { readonly kind: 'nothing' };

/** The messages to a connection; frames and events come encoded from its room. */
export type SentMessage = Exclude<ServerMessage, { kind: 'frame' | 'events' | 'bye' }>;

/** A protocol for the session layer: it turns bytes into messages, and messages into bytes. */
export interface Codec {
  /** The subprotocol by which a WebSocket asks for it. */
  readonly name: string;
  /** Whether its messages travel as text. */
  readonly isText: boolean;
  /** The largest message of any kind, bytes. */
  readonly bytesMax: number;
  /** The join that the opening of a connection is; undefined where clients say it in a message. */
  readonly joinOf: ((opening: Opening) => JoinMessage) | undefined;
  /** Whether `welcome` brings what takes a lost connection up again. */
  readonly givesResumeTokens: boolean;
  /** The kind that the bytes claim, without decoding them; undefined for nothing that a client sends. */
  kindOf(bytes: Uint8Array): string | undefined;
  /** The number of an input whose message is not decoded; undefined where it has none. */
  sequenceOf(bytes: Uint8Array): number | undefined;
  /** How many bytes a message of the kind may have. */
  bytesMaxOf(kind: string): number;
  /** Throws nothing. */
  decode(bytes: Uint8Array): Decoded<SessionMessage>;
  /** Fresh buffers each time, one for each message; none for messages that the protocol does not have. */
  encode(message: SentMessage): readonly Uint8Array[];
  /** The last messages of a connection. `text`: what the game says of it, which may hold HTML. */
  encodeEnd(code: Code, text: string | undefined, isPlaying: boolean): readonly Uint8Array[];
}
