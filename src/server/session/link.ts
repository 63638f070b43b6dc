import type { Opening } from '../../cluster/index.ts';
import type { ServerClock, Timer } from '../../machine/index.ts';
import { type Code, closeCodeOf } from '../../net/index.ts';
import type { Codec, JoinMessage } from './codec.ts';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';
import type { Socket } from './socket.ts';
import { type Corkable, TurnCork } from './turn-cork.ts';

/** The part of the package `ws`'s `WebSocket` that a server uses. */
export interface Wire {
  readonly readyState: number;
  /** The value of `readyState` that means that messages can be sent. */
  readonly OPEN: number;
  readonly bufferedAmount: number;
  send(bytes: Uint8Array, options: { readonly binary: boolean }): void;
  ping(data?: string): void;
  close(code: number, reason: string): void;
  /** Stops reading from the connection. */
  pause(): void;
  terminate(): void;
}

/** The client that opened a connection, and how the client opened it. */
export interface Client {
  /** The IP address. */
  readonly address: string;
  readonly opening: Opening;
  /** Whether another process of the cluster has forwarded the connection to this one. */
  readonly isForwarded: boolean;
}

/** A client is pinged at this interval (ms), and dropped if nothing arrives during this many intervals. */
const heartbeatMs = 5000;
const silentBeatsMax = 4;
/** The content of the ping that `ask` sends; the pings of heartbeats are empty. */
const question = '?';
/** How long the client may take to receive the last messages of a connection that is being closed, ms. */
const endMs = 500;

/** Connects a WebSocket to the session layer: passes on its messages, and drops clients that have fallen silent. */
export class Link implements Socket {
  readonly address: string;
  readonly opening: Opening;
  readonly isForwarded: boolean;
  private readonly isText: boolean;
  private readonly connection: Connection;
  private readonly heartbeat: Timer;
  private ending: Timer | undefined;
  /** The number of heartbeats since the last message. */
  private silentBeats = 0;
  private readonly cork: TurnCork;

  /** `stream` is the network stream below the WebSocket. */
  constructor(
    private readonly wire: Wire,
    client: Client,
    codec: Codec,
    private readonly hub: Hub,
    private readonly clock: ServerClock,
    stream?: Corkable,
  ) {
    this.cork = new TurnCork(stream);
    this.address = client.address;
    this.opening = client.opening;
    this.isForwarded = client.isForwarded;
    this.isText = codec.isText;
    this.connection = hub.connections.open(this, codec);
    this.heartbeat = clock.every(heartbeatMs, () => this.beat());
  }

  // Events of the WebSocket:

  /** Handles a request to join, in protocols in which the request is part of opening the connection. */
  greet(join: JoinMessage) {
    this.hub.admissions.request(this.connection, join);
  }

  /** Ends the connection of a page that may not connect, and tells it the reason. */
  turnAway(code: Code) {
    this.hub.observer.refused(code);
    this.connection.end(code);
  }

  /** Handles a message. `bytes` is undefined for a text message in a binary protocol, and vice versa. */
  message(bytes: Uint8Array | undefined) {
    this.silentBeats = 0;
    if (bytes === undefined) this.connection.strike('malformed');
    else this.hub.receive(this.connection, bytes);
  }

  /** Reports that the WebSocket is closing because of an invalid frame. */
  refused(code: Code) {
    if (this.connection.isGone) return;
    this.hub.observer.refused(code);
    this.hub.observer.ended(code);
  }

  /** Handles a pong. It counts against the limits like a message, because a client may send unsolicited pongs. */
  pong(bytes: number) {
    this.silentBeats = 0;
    this.hub.controlMessage(this.connection, bytes);
    if (bytes === question.length) this.hub.answered(this.connection);
  }

  /** Handles a ping. It counts against the limits like a message. The WebSocket sends the pong by itself. */
  ping(bytes: number) {
    this.hub.controlMessage(this.connection, bytes);
  }

  closed(closeCode: number) {
    this.heartbeat.cancel();
    this.ending?.cancel();
    this.hub.connections.lost(this.connection, closeCode);
  }

  // Methods of `Socket`, for the session layer:

  get backlogBytes(): number {
    return this.wire.bufferedAmount;
  }

  send(bytes: Uint8Array) {
    if (this.wire.readyState !== this.wire.OPEN) return;
    this.cork.cork();
    this.wire.send(bytes, { binary: !this.isText });
  }

  ask() {
    // For a forwarded connection, the process that forwards it would answer the ping rather than the client.
    if (!this.isForwarded && this.wire.readyState === this.wire.OPEN) this.wire.ping(question);
  }

  end(code: Code) {
    this.wire.close(closeCodeOf(code), code);
    // Nothing more is read from a flooding client.
    if (code === 'too-many') this.wire.pause();
    this.ending = this.clock.after(endMs, () => this.wire.terminate());
  }

  drop() {
    this.cork.uncork();
    this.wire.terminate();
  }

  private beat() {
    if (++this.silentBeats < silentBeatsMax) this.wire.ping();
    else this.hub.dropped(this.connection.id, 'idle');
  }
}
