import type { Relay } from '../../cluster/index.ts';
import type { Timer } from '../../machine/index.ts';
import { type Code, exemptFill, Releases, TokenBucket } from '../../net/index.ts';
import type { TrafficLimits } from '../base/options.ts';
import type { RoomEntry, Seat } from '../lobby/room.ts';
import type { InputCommand } from './chat-filter.ts';
import type { Codec, JoinMessage, SentMessage } from './codec.ts';
import type { Origin } from './origins.ts';
import type { Socket } from './socket.ts';

/** The minimum interval between two `refused` messages on a connection. */
const refusalMs = 500;
/**
 * A client is silent only if frames were sent for this share of the time without an answer: nobody could acknowledge
 * anything in a room that is paused.
 */
const framedShare = 0.3;
/** At most this many messages are held back until the `welcome`, which waits for the journal. */
const heldMessagesMax = 256;

/** One client connection: its socket, its limits, and its state in the session layer. */
export class Connection {
  readonly messages: TokenBucket;
  readonly bytes: TokenBucket;
  readonly large: TokenBucket;
  readonly strikes: TokenBucket;
  private readonly releases = new Releases();
  state: 'new' | 'joining' | 'playing' | 'gone' = 'new';
  handshake: Timer | undefined;
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
  answeredMs: number;
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
    nowMs: number,
  ) {
    this.messages = new TokenBucket(limits.messages, nowMs);
    this.bytes = new TokenBucket(limits.bytes, nowMs);
    this.large = new TokenBucket(limits.large, nowMs);
    this.strikes = new TokenBucket({ size: limits.strikesMax, perSecond: 1 }, nowMs);
    this.answeredMs = nowMs;
    this.silentMs = limits.silentMs;
  }

  /** Whether the client seems to be gone. */
  isSilent(nowMs: number): boolean {
    const { answeredMs, framedMs, silentMs } = this;
    return nowMs - answeredMs >= silentMs && framedMs - answeredMs >= silentMs * framedShare;
  }

  /**
   * Charges a message to the limits. False if they are used up: the connection's own, or the shared one of its address.
   * Connections that have most of their own limits left are exempt from the latter, because others have used it up.
   * Releases of keys are never refused.
   */
  mayReceive(kind: string | undefined, bytes: number, nowMs: number): boolean {
    return this.releases.accept(kind, this.isWithinLimits(bytes, nowMs));
  }

  private isWithinLimits(bytes: number, nowMs: number): boolean {
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

  /** Returns the number of bytes sent. */
  send(message: SentMessage): number {
    if (this.state === 'gone') return 0;
    let length = 0;
    for (const bytes of this.codec.encode(message)) {
      this.socket.send(bytes);
      length += bytes.length;
    }
    return length;
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

  /** Whether a `refused` message may be sent now; limits their rate. */
  maySendRefusal(nowMs: number): boolean {
    if (nowMs - this.refusedAtMs < refusalMs) return false;
    this.refusedAtMs = nowMs;
    return true;
  }

  end(code: Code, text?: string): void {
    if (this.state === 'gone') return;
    for (const bytes of this.codec.encodeEnd(code, text, this.state === 'playing')) this.socket.send(bytes);
    this.state = 'gone';
    this.handshake?.cancel();
    this.relay?.close();
    this.socket.end(code);
  }

  /** Closes a connection whose last messages another process has sent. */
  close(code: Code): void {
    if (this.state === 'gone') return;
    this.state = 'gone';
    this.socket.end(code);
  }

  drop(): void {
    if (this.state === 'gone') return;
    this.state = 'gone';
    this.handshake?.cancel();
    this.relay?.close();
    this.socket.drop();
  }
}
