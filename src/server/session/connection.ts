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
 * The close codes of a client that has finished, and of a page that goes away (RFC 6455, section 7.4.1). A lost
 * connection has neither.
 */
const goodbyeCodes: ReadonlySet<number | undefined> = new Set([1000, 1001]);
/** How many new connections a connection that ended with `too-many` costs its address. */
const floodConnects = 20;
/** The minimum interval between two `refused` messages on a connection. */
const refusalMs = 500;
/**
 * A client is silent only if frames were sent for this share of the time without an answer: nobody could acknowledge
 * anything in a room that is paused.
 */
const framedShare = 0.3;
/** At most this many messages are held back until the `welcome`, which waits for the journal. */
const heldMessagesMax = 256;

/** What a connection uses besides its socket. */
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
  /** The account of a spectator. */
  watcherId: string | undefined;
  /** The message with which the client asked to join or to watch. */
  request: Uint8Array | undefined;
  /** Set if another process plays the room of the client. */
  relay: Relay | undefined;
  /** Until when such a process is looked for. */
  forwardUntilMs = Number.POSITIVE_INFINITY;
  /**
   * When the client last showed that it receives: by acknowledging a frame or, in protocols without that, by any
   * message or pong.
   */
  private answeredMs: number;
  private readonly silentMs: number;
  /** When the last frame was sent. */
  framedMs = Number.NEGATIVE_INFINITY;
  /** When its resume token was given, if earlier tokens of its seat end once the client has received it. */
  renewedMs: number | undefined;
  /** The request to join, while the connection is taking over the player of its account. */
  takesOver: JoinMessage | undefined;
  /** The number of the latest input, if the session numbers them. */
  sequence = 0;
  /** When inputs without a result arrived, by number. */
  readonly arrivedMs = new Map<number, number>();
  /**
   * Inputs that wait until the chat filter has checked an earlier one, at most as many as a client may have pending.
   */
  unchecked: InputCommand[] | undefined;
  private held: Uint8Array[] | undefined = [];
  private refusedAtMs = Number.NEGATIVE_INFINITY;

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

  /** Whether the client seems to be gone. */
  get isSilent(): boolean {
    const { answeredMs, framedMs, silentMs } = this;
    return this.services.clock.now() - answeredMs >= silentMs && framedMs - answeredMs >= silentMs * framedShare;
  }

  /** The client has shown that it receives what is sent to it. */
  answers(): void {
    this.answeredMs = this.services.clock.now();
    if (this.seat === undefined) return;
    this.seat.hasAnswered = true;
    this.seat.isSilent = false;
  }

  /**
   * Charges a message to the limits. False if they are used up: the connection's own, or the shared one of its address.
   * Connections that have most of their own limits left are exempt from the latter, because others have used it up.
   * Releases of keys are never refused.
   */
  mayReceive(kind: string | undefined, bytes: number): boolean {
    return this.releases.accept(kind, this.isWithinLimits(bytes));
  }

  private isWithinLimits(bytes: number): boolean {
    const nowMs = this.services.clock.now();
    if (!this.messages.spend(1, nowMs) || !this.bytes.spend(bytes, nowMs)) return false;
    if (this.origin.isTrusted) return true;
    const isShared = this.origin.messages.spend(1, nowMs) && this.origin.bytes.spend(bytes, nowMs);
    return isShared || Math.min(this.messages.fill(nowMs), this.bytes.fill(nowMs)) >= exemptFill;
  }

  takeSeat(room: RoomEntry, seat: Seat): void {
    this.room = room;
    this.seat = seat;
    this.origin.addSeat(room, seat);
  }

  /** Sends a message, and counts it for the metrics unless `isCounted` is false. */
  send(message: SentMessage, isCounted = true): void {
    if (this.isGone) return;
    let length = 0;
    for (const bytes of this.codec.encode(message)) {
      this.socket.send(bytes);
      length += bytes.length;
    }
    if (length > 0 && isCounted) this.services.observer.sent(message.kind, length);
  }

  /** Tells the client how fast its room plays. */
  sendPace({ pace }: RoomEntry): void {
    const { reason = '' } = pace;
    this.send({ kind: 'pace', speed: pace.speedAt(this.services.clock.now()), reason });
  }

  /** Sends a message of the room, or holds it until `release`. False if too many are held. */
  forward(bytes: Uint8Array): boolean {
    if (this.held === undefined) this.socket.send(bytes);
    else if (this.held.push(bytes) > heldMessagesMax) return false;
    return true;
  }

  /** Sends the held messages. Call this after the `welcome`. */
  release(): void {
    for (const bytes of this.held ?? []) this.socket.send(bytes);
    this.held = undefined;
  }

  /** Counts a refusal, and punishes the client. */
  strike(code: Code): void {
    this.services.observer.refused(code);
    this.punish(code);
  }

  /** Tells the client about a refusal, or ends the connection if there were too many. */
  punish(code: Code): void {
    const now = this.services.clock.now();
    if (!this.strikes.spend(1, now)) this.end('too-many');
    else if (now - this.refusedAtMs >= refusalMs) {
      this.refusedAtMs = now;
      this.send({ kind: 'refused', code, text: code });
    }
  }

  /** Ends the connection, with the reason. */
  end(code: Code, text?: string): void {
    if (this.isGone) return;
    const { room, seat, origin, services } = this;
    const { seats, observer, clock } = services;
    observer.ended(code);
    // Delays the reconnection of an address that floods the server.
    if (code === 'too-many') origin.connects.drain(floodConnects, clock.now());
    this.finish(code, text);
    if (room !== undefined) seats.unwatch(room, this.id);
    if (room === undefined || seat === undefined || room.seats.get(seat.player) !== seat) return;
    if (seat.session !== this.id) return;
    // A seat without a player is freed. A player in the game is kept for a while, unless its client flooded the server.
    if (!seat.isIn) room.seats.delete(seat.player);
    else if (code === 'too-many') seats.leave(room, seat);
    else this.loseSeat(room, seat);
  }

  /** `end` without consequences for the seat, because the process ends, too. */
  finish(code: Code, text?: string): void {
    if (this.isGone) return;
    for (const bytes of this.codec.encodeEnd(code, text, this.state === 'playing')) this.socket.send(bytes);
    this.stop();
    this.socket.end(code);
  }

  /** Closes a connection whose last messages another process has sent. */
  close(code: Code): void {
    if (this.isGone) return;
    this.stop();
    this.socket.end(code);
  }

  drop(): void {
    if (this.isGone) return;
    this.stop();
    this.socket.drop();
  }

  /** The transport has closed the connection. */
  lost(closeCode: number | undefined): void {
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

  private stop(closeCode?: number): void {
    this.state = 'gone';
    this.handshake.cancel();
    this.relay?.close(closeCode);
  }

  /** A client that has never received anything keeps its seat only until a newcomer needs it. */
  private loseSeat(room: RoomEntry, seat: Seat, isGoodbye = false): void {
    seat.isSilent ||= !seat.hasAnswered;
    this.services.seats.lose(room, seat, this.id, isGoodbye);
  }
}
