import type { ServerClock, Timer } from '../machine/clock.ts';
import { type Code, closeCodeOf } from '../protocol/codes.ts';
import type { Codec, JoinMessage } from './codec.ts';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';
import type { Socket } from './socket.ts';

/** The part of a WebSocket that a server uses: that of the package `ws` has it. */
export interface Wire {
  readonly readyState: number;
  /** The value of `readyState` while messages can be sent. */
  readonly OPEN: number;
  readonly bufferedAmount: number;
  send(bytes: Uint8Array, options: { readonly binary: boolean }): void;
  ping(): void;
  close(code: number, reason: string): void;
  /** Nothing that comes is read any more. */
  pause(): void;
  terminate(): void;
}

/** A side that says nothing is asked after this long, and is gone if it is silent as long again. */
const silenceMs = 15_000;
/** The time of a closed connection to take the last messages. */
const endMs = 500;

/** A wire and the connection at its end: passes on what comes, and gives up a side that has fallen silent. */
export class Link implements Socket {
  readonly address: string;
  private readonly wire: Wire;
  private readonly hub: Hub;
  private readonly clock: ServerClock;
  private readonly isText: boolean;
  private readonly connection: Connection;
  private readonly pulse: Timer;
  private ending: Timer | undefined;
  private isAlive = true;

  constructor(wire: Wire, address: string, codec: Codec, hub: Hub, clock: ServerClock) {
    this.wire = wire;
    this.address = address;
    this.hub = hub;
    this.clock = clock;
    this.isText = codec.isText;
    this.connection = hub.connect(this, codec);
    this.pulse = clock.every(silenceMs, () => this.beat());
  }

  // Events of the wire.

  /** The join in the opening of the wire, in protocols that join by it. */
  greet(join: JoinMessage): void {
    this.hub.greet(this.connection, join);
  }

  /** A message; undefined for one of the other form than the codec's. */
  message(bytes: Uint8Array | undefined): void {
    this.isAlive = true;
    if (bytes === undefined) this.hub.fault(this.connection, 'malformed');
    else this.hub.receive(this.connection, bytes);
  }

  /** The wire refused a frame, and closes. */
  refused(code: Code): void {
    this.hub.broken(this.connection, code);
  }

  /** It costs as much as a message does, because a side may send it without having been asked. */
  pong(bytes: number): void {
    this.isAlive = true;
    this.hub.control(this.connection, bytes);
  }

  /** It is answered by the wire, and costs as much as a message does. */
  ping(bytes: number): void {
    this.hub.control(this.connection, bytes);
  }

  closed(): void {
    this.pulse.cancel();
    this.ending?.cancel();
    this.hub.lost(this.connection);
  }

  // Messages of the connection.

  get backlogBytes(): number {
    return this.wire.bufferedAmount;
  }

  send(bytes: Uint8Array): void {
    if (this.wire.readyState === this.wire.OPEN) this.wire.send(bytes, { binary: !this.isText });
  }

  end(code: Code): void {
    this.wire.close(closeCodeOf(code), code);
    // A client that is sent away for sending too much goes on sending: nothing of that is read.
    if (code === 'too-many') this.wire.pause();
    this.ending = this.clock.after(endMs, () => this.wire.terminate());
  }

  drop(): void {
    this.wire.terminate();
  }

  private beat(): void {
    if (!this.isAlive) {
      this.wire.terminate();
      return;
    }
    this.isAlive = false;
    this.wire.ping();
  }
}
