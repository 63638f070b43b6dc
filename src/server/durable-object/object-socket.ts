import { type Code, closeCodeOf } from '../../net/index.ts';
import type { Codec } from '../session/codec.ts';
import type { Socket } from '../session/socket.ts';
import type { ObjectWire } from './platform.ts';

/** The data that a socket keeps while its room is not in memory. */
export interface Attachment {
  readonly room: string;
  /** The client's IP address. */
  readonly address: string;
  /** The name of the client's protocol. */
  readonly protocol: string;
  /** The URL at which the client finds rooms; undefined if its protocol cannot send it there. */
  readonly lobbyUrl: string | undefined;
  /** The message with which the client joined or started to watch. */
  readonly request?: Uint8Array | undefined;
}

const openState = 1;
const decoder = new TextDecoder();

/** Connects a WebSocket of the platform to the session layer. */
export class ObjectSocket implements Socket {
  readonly address: string;
  readonly lobbyUrl: string | undefined;
  /**
   * The number of bytes sent since the last message of the client. It stands in for the length of the send queue, which
   * the platform does not expose: clients acknowledge frames, so what was sent since their last message may still be
   * queued.
   */
  backlogBytes = 0;

  /**
   * `onlyRoom`: the id of the only room that the client may enter; undefined for a private room, which is entered by
   * its code. `onEnd` is called when this side has closed the socket.
   */
  constructor(
    private readonly wire: ObjectWire,
    private readonly codec: Codec,
    { address, lobbyUrl }: Attachment,
    readonly onlyRoom: string | undefined,
    private readonly onEnd: () => void,
  ) {
    this.address = address;
    this.lobbyUrl = lobbyUrl;
  }

  send(bytes: Uint8Array) {
    if (this.wire.readyState !== openState) return;
    this.backlogBytes += bytes.length;
    sendBytes(this.codec, this.wire, bytes);
  }

  end(code: Code) {
    this.close(closeCodeOf(code), code);
  }

  drop() {
    this.close();
  }

  private close(code?: number, reason?: string) {
    closeWire(this.wire, code, reason);
    queueMicrotask(this.onEnd);
  }
}

/** Tells a client that has not joined why its connection ends, and closes it. */
export function endWire(codec: Codec, wire: ObjectWire, code: Code, text?: string) {
  for (const bytes of codec.encodeEnd(code, text, false)) sendBytes(codec, wire, bytes);
  closeWire(wire, closeCodeOf(code), code);
}

function sendBytes({ isText }: Codec, wire: ObjectWire, bytes: Uint8Array) {
  wire.send(isText ? decoder.decode(bytes) : bytes);
}

/** Closes a socket, which may be closed already. */
export function closeWire(wire: ObjectWire, code?: number, reason?: string) {
  try {
    wire.close(code, reason);
  } catch {
    // The client has already closed the socket.
  }
}
