import type { ClientMessage, Decoded, ServerMessage } from '../../protocol/messages.ts';

/** What a protocol is to the session layer: bytes that become messages, and messages that become bytes. */
export interface Codec {
  /** The subprotocol by which a WebSocket asks for it, and under which rooms know it. */
  readonly name: string;
  /** The largest message of any kind, bytes. */
  readonly bytesMax: number;
  /** What the bytes claim to be, without decoding them; undefined for nothing that a client sends. */
  kindOf(bytes: Uint8Array): string | undefined;
  /** How many bytes a message of the kind may have. */
  bytesMaxOf(kind: string): number;
  /** Throws nothing. */
  decode(bytes: Uint8Array): Decoded<ClientMessage>;
  /** A fresh buffer each time. */
  encode(message: Exclude<ServerMessage, { kind: 'frame' | 'events' }>): Uint8Array;
}
