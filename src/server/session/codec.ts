import type { Opening } from '../../cluster/index.ts';
import type { ClientMessage, Code, Decoded, ServerMessage } from '../../net/index.ts';

/** A request to join. Some members exist only in some protocols. */
export type JoinMessage = Extract<ClientMessage, { kind: 'join' }> & {
  /** Whether `room` is only a preference. */
  readonly isRoomOptional?: boolean;
  readonly isMobile?: boolean;
  /** A secret of the page by which a guest is recognized. */
  readonly ticket?: string;
  /** Whether the page has lost its connection and wants to continue as the same player. */
  readonly isReturning?: boolean;
};

/** A client's message, in any protocol. */
export type SessionMessage =
  | Exclude<ClientMessage, { kind: 'join' | 'input' }>
  | JoinMessage
  /** `sequence` is missing in protocols that do not number inputs; the session then numbers them. */
  | (Omit<Extract<ClientMessage, { kind: 'input' }>, 'sequence'> & { readonly sequence?: number })
  | { readonly kind: 'nothing' };

/** A message that the session layer sends. Frames and events come from the room, already encoded. */
export type SentMessage = Exclude<ServerMessage, { kind: 'frame' | 'events' | 'bye' }>;

/** A protocol as seen by the session layer: converts bytes to messages and back. */
export interface Codec {
  /** The name of the WebSocket subprotocol. */
  readonly name: string;
  /** The paths at which clients open WebSockets. */
  readonly paths: readonly string[];
  /** Whether messages are sent as text rather than binary. */
  readonly isText: boolean;
  /** The maximum size of a message of any kind, bytes. */
  readonly bytesMax: number;
  /**
   * In protocols in which opening a connection is a request to join, returns that request. Undefined in protocols in
   * which clients send a message to join.
   */
  readonly joinOf: ((opening: Opening) => JoinMessage) | undefined;
  /** Whether clients connect to the URL in the text of the code `elsewhere`. */
  readonly followsAddresses: boolean;
  /** Whether clients acknowledge frames. */
  readonly acknowledgesFrames: boolean;
  /** Whether the `welcome` contains a resume token. */
  readonly givesResumeTokens: boolean;
  /** The kind of a message, without decoding it; undefined if clients send no such kind. */
  kindOf(bytes: Uint8Array): string | undefined;
  /** The sequence number of an input, without decoding it; undefined if there is none. */
  sequenceOf(bytes: Uint8Array): number | undefined;
  /** The maximum size of a message of this kind, bytes. */
  bytesMaxOf(kind: string): number;
  /** Decodes a message. Never throws. */
  decode(bytes: Uint8Array): Decoded<SessionMessage>;
  /** Encodes a message. Returns new buffers each time, one per message; none if the protocol has no such message. */
  encode(message: SentMessage): readonly Uint8Array[];
  /** Encodes the last messages of a connection. `text` is the game's explanation, which may contain HTML. */
  encodeEnd(code: Code, text: string | undefined, isPlaying: boolean): readonly Uint8Array[];
}

/** How a client opens a WebSocket, by the target and the headers of its request. */
export function openingOf(target: string, header: (name: string) => string | null | undefined): Opening {
  // A target that is a whole URL is ignored, because it could change where the connection is forwarded to.
  const path = target.startsWith('/') ? target : '/';
  const offered = (header('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim());
  const query = new URLSearchParams(path.split('?').slice(1).join('?'));
  return { path, query, offered, userAgent: header('user-agent') ?? '' };
}

/** The protocol of a client; the first if it offers no subprotocol. Undefined if it offers only unknown ones. */
export function codecFor(codecs: readonly Codec[], offered: readonly string[]): Codec | undefined {
  return offered.flatMap((name) => (name === '' ? codecs[0]! : codecs.filter((codec) => codec.name === name)))[0];
}
