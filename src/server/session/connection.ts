import type { Observer, Relay } from '../../cluster/index.ts';
import type { Clock, Timer } from '../../machine/index.ts';
import { type Code, exemptFill, Releases, TokenBucket } from '../../net/index.ts';
import type { TrafficLimits } from '../base/options.ts';
import type { RoomEntry, Seat } from '../lobby/room.ts';
import type { Seats } from '../lobby/seats.ts';
import type { InputCommand } from './chat-filter.ts';
import type { Codec, JoinMessage, SentMessage } from './codec.ts';
import type { Origin } from './origins.ts';
import type { Socket } from './socket.ts';

/**
 * The close codes of a client that has finished and of a page that is being left (RFC 6455, section 7.4.1). A lost
 * connection has neither.
 */
const goodbyeCodes: ReadonlySet<number | undefined> = new Set([1000, 1001]);
/** How many new connections are charged to an address when one of its connections ends with `too-many`. */
const floodConnects = 20;
/** The minimum interval between two `refused` messages on a connection, ms. */
const refusalMs = 500;
/**
 * A client counts as silent only if frames were sent to it during at least this fraction of the time: in a paused room
 * there is nothing to acknowledge.
 */
const framedShare = 0.3;
/** The maximum number of messages that are held back until the `welcome`, which waits for the journal. */
const heldMessagesMax = 256;

/** The dependencies of a connection, besides its socket. */
export interface ConnectionServices {
  readonly seats: Seats;
  readonly observer: Observer;
  readonly clock: Clock;
}

/** One client connection: its socket, its limits, and its state in the session layer. */
export class Connection {
  readonly messages: TokenBucket;
  readonly bytes: TokenBucket;
  readonly large: TokenBucket;
  readonly strikes: TokenBucket;
  private readonly releases = new Releases();
  state: 'new' | 'joining' | 'playing' | 'gone' = 'new';
  readonly handshake: Timer;
  room: RoomEntry | undefined;
  seat: Seat | undefined;
  /** The account of a spectator; undefined for guests and players. */
  watcherId: string | undefined;
  /** The message with which the client asked to join or to watch. */
  request: Uint8Array | undefined;
  /** The relay to another process; set if that process plays the client's room. */
  relay: Relay | undefined;
  /** The time until which a process that plays the room is searched for, ms of the clock. */
  forwardUntilMs = Infinity;
  /**
   * When the client last gave a sign that it receives messages, ms of the clock: an acknowledgement of a frame or, in
   * protocols without acknowledgements, any message or pong.
   */
  private answeredMs: number;
  private readonly silentMs: number;
  /** When the last frame was sent, ms of the clock. */
  framedMs = -Infinity;
  /**
   * When the resume token of this connection was issued. Set only if the earlier tokens of the seat become invalid once
   * the client has received this token.
   */
  renewedMs: number | undefined;
  /** The request to join, while the connection is taking over the player of its account. */
  takesOver: JoinMessage | undefined;
  /** The number of the latest input, in protocols whose inputs the session layer numbers. */
  sequence = 0;
  /** The arrival times of inputs that have no result yet, by the number of the input, ms of the clock. */
  readonly arrivedMs = new Map<number, number>();
  /**
   * Inputs that wait until the chat filter has checked an earlier input; undefined while it checks none. There are at
   * most as many as a client may have pending.
   */
  unchecked: InputCommand[] | undefined;
  private held: Uint8Array[] | undefined = [];
  private refusedAtMs = -Infinity;

  constructor(
    readonly id: number,
    readonly socket: Socket,
    readonly codec: Codec,
    readonly origin: Origin,
    limits: TrafficLimits,
    private readonly services: ConnectionServices,
  ) {
    const { clock } = services;
    const nowMs = clock.now();
    this.messages = new TokenBucket(limits.messages, nowMs);
    this.bytes = new TokenBucket(limits.bytes, nowMs);
    this.large = new TokenBucket(limits.large, nowMs);
    this.strikes = new TokenBucket({ size: limits.strikesMax, perSecond: 1 }, nowMs);
    this.answeredMs = nowMs;
    this.silentMs = limits.silentMs;
    this.handshake = clock.after(limits.handshakeMs, () => this.end('handshake-timeout'));
    origin.connections++;
  }

  get isGone(): boolean {
    return this.state === 'gone';
  }

  /**
   * Whether the client seems to be gone: it gives no sign that it receives anything, although frames are sent to it.
   */
  get isSilent(): boolean {
    const { answeredMs, framedMs, silentMs } = this;
    return this.services.clock.now() - answeredMs >= silentMs && framedMs - answeredMs >= silentMs * framedShare;
  }

  /** Notes that the client has given a sign that it receives messages. */
  answers() {
    this.answeredMs = this.services.clock.now();
    if (this.seat === undefined) return;
    this.seat.hasAnswered = true;
    this.seat.isSilent = false;
  }

  /**
   * Charges a message to the limits of the connection, and to those that all connections of its address share. Returns
   * false if either are used up. A connection that has most of its own limits left is exempt from the shared limits,
   * because other connections must have used these up. Releases of keys are never refused.
   */
  mayReceive(kind: string | undefined, bytes: number): boolean {
    return this.releases.accept(kind, this.isWithinLimits(bytes));
  }

  private isWithinLimits(bytes: number) {
    const nowMs = this.services.clock.now();
    if (!this.messages.spend(1, nowMs) || !this.bytes.spend(bytes, nowMs)) return false;
    if (this.origin.isTrusted) return true;
    const isShared = this.origin.buckets.messages.spend(1, nowMs) && this.origin.buckets.bytes.spend(bytes, nowMs);
    return isShared || Math.min(this.messages.fill(nowMs), this.bytes.fill(nowMs)) >= exemptFill;
  }

  takeSeat(room: RoomEntry, seat: Seat) {
    this.room = room;
    this.seat = seat;
    this.origin.addSeat(room, seat);
  }

  /** Sends a message, and counts it for the metrics unless `isCounted` is false. */
  send(message: SentMessage, isCounted = true) {
    if (this.isGone) return;
    let length = 0;
    for (const bytes of this.codec.encode(message)) {
      this.socket.send(bytes);
      length += bytes.length;
    }
    if (length > 0 && isCounted) this.services.observer.sent(message.kind, length);
  }

  /** Tells the client how fast its room plays. */
  sendPace({ pace }: RoomEntry) {
    const { reason = '' } = pace;
    this.send({ kind: 'pace', speed: pace.speedAt(this.services.clock.now()), reason });
  }

  /** Sends a message of the room, or holds it back until `release`. Returns false if too many are held back. */
  forward(bytes: Uint8Array): boolean {
    if (this.held === undefined) this.socket.send(bytes);
    else if (this.held.push(bytes) > heldMessagesMax) return false;
    return true;
  }

  /** Sends the messages that were held back. Call it after the `welcome`. */
  release() {
    for (const bytes of this.held ?? []) this.socket.send(bytes);
    this.held = undefined;
  }

  /** Reports a refusal to the operator's metrics, and punishes the client as `punish` does. */
  strike(code: Code) {
    this.services.observer.refused(code);
    this.punish(code);
  }

  /** Tells the client about a refusal, or ends the connection if there were too many. */
  punish(code: Code) {
    const now = this.services.clock.now();
    if (!this.strikes.spend(1, now)) this.end('too-many');
    else if (now - this.refusedAtMs >= refusalMs) {
      this.refusedAtMs = now;
      this.send({ kind: 'refused', code, text: code });
    }
  }

  /** Ends the connection. `code` and `text` give the reason. */
  end(code: Code, text?: string) {
    if (this.isGone) return;
    const { room, seat, origin, services } = this;
    const { seats, observer, clock } = services;
    observer.ended(code);
    // Delays reconnections from an address that floods the server.
    if (code === 'too-many') origin.buckets.connects.drain(floodConnects, clock.now());
    this.finish(code, text);
    if (room !== undefined) seats.unwatch(room, this.id);
    if (room === undefined || seat === undefined || room.seats.get(seat.player) !== seat) return;
    if (seat.session !== this.id) return;
    // A seat whose player has not joined is freed. A player in the game is kept for a while, unless its client flooded
    // the server.
    if (!seat.isIn) room.seats.delete(seat.player);
    else if (code === 'too-many') seats.leave(room, seat);
    else this.loseSeat(room, seat);
  }

  /** Like `end`, but leaves the seat as it is, because the process is ending, too. */
  finish(code: Code, text?: string) {
    if (this.isGone) return;
    for (const bytes of this.codec.encodeEnd(code, text, this.state === 'playing')) this.socket.send(bytes);
    this.close(code);
  }

  /** Closes a connection to which another process has already sent the last messages. */
  close(code: Code) {
    if (this.isGone) return;
    this.stop();
    this.socket.end(code);
  }

  drop() {
    if (this.isGone) return;
    this.stop();
    this.socket.drop();
  }

  /** Handles the end of the connection, which the transport has closed. */
  lost(closeCode: number | undefined) {
    const { id, state, room, seat, services } = this;
    this.origin.connections--;
    const isGoodbye = goodbyeCodes.has(closeCode);
    this.stop(isGoodbye ? closeCode : undefined);
    if (room !== undefined) services.seats.unwatch(room, id);
    if (room === undefined || seat === undefined || room.seats.get(seat.player) !== seat) return;
    if (state !== 'gone') {
      const about = { room: room.identity.id, player: seat.player, connection: id, closeCode };
      services.observer.event('connection-lost', about);
    }
    this.loseSeat(room, seat, isGoodbye);
  }

  private stop(closeCode?: number) {
    this.state = 'gone';
    this.handshake.cancel();
    this.relay?.close(closeCode);
  }

  /**
   * Keeps the seat of a lost connection. If the client has never given a sign that it receives messages, a newcomer may
   * take the seat.
   */
  private loseSeat(room: RoomEntry, seat: Seat, isGoodbye = false) {
    seat.isSilent ||= !seat.hasAnswered;
    this.services.seats.lose(room, seat, this.id, isGoodbye);
  }
}
