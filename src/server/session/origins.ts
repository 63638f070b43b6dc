import { cached } from '../../../engine/core/index.ts';
import type { ServerClock, Timer } from '../../machine/index.ts';
import { type BucketOptions, TokenBucket } from '../../net/index.ts';
import type { TrafficLimits } from '../base/options.ts';
import type { RoomEntry, Seat } from '../lobby/room.ts';
import { AddressList, networkOf } from './addresses.ts';

/** The limit for attempts with wrong codes of private rooms, per IP address. */
const codes = { size: 10, perSecond: 0.1 };
/** The limit for telling refused pages why they may not connect, per IP address. */
const foreign = { size: 10, perSecond: 1 };
/** The limit of reports about players, per IP address. */
const reports = { size: 5, perSecond: 1 / 60 };
const sweepMs = 10_000;

/** The limits that all connections from one IP address share (for IPv6, from one network). */
export class Origin {
  connections = 0;
  readonly buckets: Readonly<Record<'messages' | 'bytes' | 'connects' | 'reports' | 'codes' | 'foreign', TokenBucket>>;
  /** The seats that were taken from this address, with their rooms. */
  private readonly seats = new Map<Seat, RoomEntry>();

  constructor(
    limits: TrafficLimits,
    readonly isTrusted: boolean,
    nowMs: number,
  ) {
    const bucket = (options: BucketOptions): TokenBucket => new TokenBucket(options, nowMs);
    this.buckets = {
      messages: bucket(limits.addressMessages),
      bytes: bucket(limits.addressBytes),
      connects: bucket(limits.connects),
      reports: bucket(reports),
      codes: bucket(codes),
      foreign: bucket(foreign),
    };
  }

  isForgettable(nowMs: number): boolean {
    const isIdle = this.connections === 0 && Object.values(this.buckets).every((bucket) => bucket.fill(nowMs) === 1);
    return isIdle && this.waiting() === 0;
  }

  addSeat(room: RoomEntry, seat: Seat) {
    if (!this.isTrusted) this.seats.set(seat, room);
  }

  /** The number of seats from this address that are kept for players whose connection was lost. */
  waiting(): number {
    let count = 0;
    for (const [seat, room] of this.seats) {
      if (room.seats.get(seat.player) !== seat) this.seats.delete(seat);
      else if (seat.session === undefined) count++;
    }
    return count;
  }
}

/** The limits of all IP addresses from which connections come. Trusted addresses are exempt. */
export class Origins {
  private readonly byNetwork = new Map<string, Origin>();
  private readonly trusted: AddressList;
  private readonly sweeper: Timer;

  constructor(
    private readonly limits: TrafficLimits,
    private readonly clock: ServerClock,
  ) {
    this.trusted = new AddressList(limits.trustedAddresses);
    this.sweeper = clock.every(sweepMs, () => this.sweep());
  }

  close() {
    this.sweeper.cancel();
  }

  of(address: string): Origin {
    const isTrusted = this.trusted.has(address);
    const key = isTrusted ? address : networkOf(address);
    return cached(this.byNetwork, key, () => new Origin(this.limits, isTrusted, this.clock.now()));
  }

  /** Whether an address may open another connection. If so, the connection is charged to the limits of the address. */
  mayConnect(address: string): boolean {
    const { isTrusted, connections, buckets } = this.of(address);
    return (
      isTrusted || (connections < this.limits.connectionsPerAddress && buckets.connects.spend(1, this.clock.now()))
    );
  }

  private sweep() {
    const now = this.clock.now();
    for (const [key, origin] of this.byNetwork) if (origin.isForgettable(now)) this.byNetwork.delete(key);
  }
}
