import type { ReservedUntil, RoomPlayer } from '../../cluster/index.ts';
import type { Clock } from '../../machine/index.ts';
import type { Code } from '../../net/index.ts';
import type { Admission, Departure, RoomCommand } from '../room/room-messages.ts';
import { capacityOf, type RoomEntry, type RoomsListener, Seat, seatsOf, tell } from './room.ts';

export interface SeatsOptions {
  /** The maximum number of spectators per room. */
  readonly watchersMax: number;
  /** How long a player stays in the game after its connection was lost, ms. */
  readonly graceMs: number;
}

/**
 * The grace period of a player whose client said goodbye, ms, unless `graceMs` is shorter. A page that is reloaded
 * returns within it.
 */
export const goodbyeMs = 5000;

/** Assigns connections to the players and spectators of all rooms. */
export class Seats {
  listener!: RoomsListener;
  /** Whether clients can connect. Before that, no grace period runs, because players cannot return yet. */
  private isReachable = false;

  constructor(
    private readonly options: SeatsOptions,
    private readonly clock: Clock,
  ) {}

  /** Starts the grace periods of all players that were resumed before clients could connect. */
  begin(rooms: Iterable<RoomEntry>) {
    this.isReachable = true;
    for (const room of rooms) {
      for (const seat of room.seats.values()) if (seat.isIn && seat.session === undefined) this.wait(room, seat);
    }
  }

  // Requests of connections:

  /** Takes a seat for a new player. `preferredId` is a free id to use; by default a new one is made. */
  take(
    room: RoomEntry,
    {
      userId,
      reservation,
      session,
      canReturn,
      preferredId,
    }: Pick<Seat, 'userId' | 'reservation' | 'session' | 'canReturn'> & { preferredId: string | undefined },
  ): Seat {
    // A player with a reservation already has a seat set aside.
    this.makePlace(room, reservation === undefined ? 1 : 0);
    const player = preferredId ?? `p${++room.playersMade}`;
    const seat = new Seat(player, userId, canReturn, session, reservation);
    room.seats.set(player, seat);
    return seat;
  }

  /** Assigns a connection to a seat, in place of an earlier connection. */
  attach(room: RoomEntry, seat: Seat, session: number, protocol: string, isBack: boolean) {
    seat.grace?.cancel();
    seat.grace = undefined;
    seat.session = session;
    seat.isSilent = false;
    tell(room, { kind: 'attach', session, protocol, player: seat.player, isBack });
  }

  /**
   * Handles the end of a seat's connection. The player stays in the game for a while, but only briefly if its client
   * said goodbye.
   */
  lose(room: RoomEntry, seat: Seat, session: number, isGoodbye: boolean) {
    tell(room, { kind: 'detach', session });
    if (seat.session !== session) return;
    seat.session = undefined;
    this.wait(room, seat, isGoodbye ? goodbyeMs : undefined);
  }

  /** Makes players leave whose clients seem to be gone, until `wanted` more seats are free. */
  private makePlace(room: RoomEntry, wanted: number) {
    const seats = seatsOf(room);
    const missing = seats.length + room.reserved.size + wanted - capacityOf(room);
    for (const seat of seats.filter(({ isSilent }) => isSilent).slice(0, Math.max(0, missing))) {
      this.leave(room, seat);
      if (seat.session !== undefined) this.listener.dropped(seat.session, 'idle');
    }
  }

  /** Reserves a seat for `ms`. If necessary, a player whose client seems to be gone must leave. */
  reserve(room: RoomEntry, id: string, userId: string | undefined, ms: number) {
    this.makePlace(room, 1);
    const expiry = this.clock.after(ms, () => room.reserved.delete(id));
    room.reserved.set(id, { userId, untilMs: this.clock.date() + ms, expiry });
  }

  /** Restores the reservations of a room that another process has handed over. Each still ends at its original time. */
  reserveAgain(room: RoomEntry, reserved: readonly ReservedUntil[]) {
    for (const { id, userId, untilMs } of reserved) {
      const restMs = untilMs - this.clock.date();
      if (restMs > 0) this.reserve(room, id, userId, restMs);
    }
  }

  /** Ends a reservation that was used or is no longer needed. */
  redeem(room: RoomEntry, id: string) {
    room.reserved.get(id)?.expiry.cancel();
    room.reserved.delete(id);
  }

  leave(room: RoomEntry, seat: Seat) {
    seat.grace?.cancel();
    seat.grace = undefined;
    // The seat was freed already, and its id may belong to a new seat.
    if (room.seats.get(seat.player) !== seat) return;
    if (!seat.isIn) room.seats.delete(seat.player);
    else if (!seat.isLeaving) {
      seat.isLeaving = true;
      tell(room, { kind: 'leave', player: seat.player });
    }
  }

  /**
   * Adds a spectator. If there is no space for one, returns the reason; otherwise the room answers through `watched`.
   */
  watch(
    room: RoomEntry,
    session: number,
    protocol: string,
    request: Extract<RoomCommand, { kind: 'watch' }>['request'],
  ): Code | undefined {
    if (room.watchers.size >= this.options.watchersMax) return 'server-full';
    room.watchers.add(session);
    tell(room, { kind: 'watch', session, protocol, request });
    return undefined;
  }

  unwatch(room: RoomEntry, session: number) {
    if (room.watchers.delete(session)) tell(room, { kind: 'detach', session });
  }

  // Reports of rooms:

  admit(room: RoomEntry, admission: Admission, isKept: boolean) {
    const seat = room.seats.get(admission.player);
    // The seat was freed while the player joined. Without a connection, the player would never leave, and would keep
    // the room awake.
    if (seat === undefined && admission.code === undefined) tell(room, { kind: 'leave', player: admission.player });
    if (admission.code !== undefined && seat !== undefined && !seat.isIn) room.seats.delete(admission.player);
    else if (seat !== undefined && admission.code === undefined) {
      seat.isIn = true;
      if (seat.reservation !== undefined) this.redeem(room, seat.reservation);
      seat.joinedMs = admission.joinedMs;
      // If the connection was lost while the player was joining, the grace period begins now.
      if (seat.session === undefined && seat.grace === undefined) this.wait(room, seat);
    }
    this.listener.admitted(room, admission, isKept);
  }

  depart(room: RoomEntry, { player, reason, message }: Departure) {
    const seat = room.seats.get(player);
    if (seat === undefined) return;
    seat.grace?.cancel();
    room.seats.delete(player);
    this.listener.unseated(room, seat, reason, message);
  }

  /**
   * Makes the seats of a room match the players that it was opened or resumed with. Players without a connection get
   * their grace period.
   */
  settle(room: RoomEntry, players: readonly RoomPlayer[]) {
    const present = new Set(players.map(({ id }) => id));
    for (const seat of [...room.seats.values()]) if (!present.has(seat.player)) room.seats.delete(seat.player);
    for (const { id: player, userId, joinedMs, resumableFromMs = 0 } of players) {
      const known = room.seats.get(player);
      const seat = known ?? new Seat(player, userId, true, undefined);
      if (known === undefined) {
        Object.assign(seat, { givenMs: resumableFromMs, resumableFromMs, hasAnswered: true } satisfies Partial<Seat>);
      }
      room.seats.set(player, seat);
      seat.isIn = true;
      seat.joinedMs = joinedMs;
      // If the room was resumed from a state in which the player had not left yet, the player must leave again.
      if (seat.isLeaving) tell(room, { kind: 'leave', player });
      else if (seat.session === undefined) this.wait(room, seat);
    }
  }

  /** Drops all connections of a room that continues elsewhere; the clients must reconnect. */
  drop(room: RoomEntry) {
    for (const seat of room.seats.values()) {
      if (seat.session !== undefined) this.listener.dropped(seat.session);
      seat.session = undefined;
    }
    for (const session of room.watchers) this.listener.dropped(session);
    room.watchers.clear();
  }

  /** Frees all seats of a room that has ended. */
  clear(room: RoomEntry, code: Code) {
    this.stopWaiting(room);
    for (const seat of room.seats.values()) this.listener.unseated(room, seat, code, undefined);
    room.seats.clear();
    for (const session of room.watchers) this.listener.watched(room, session, code);
    room.watchers.clear();
  }

  /** Cancels the grace periods and reservations of a room. */
  stopWaiting(room: RoomEntry) {
    for (const id of [...room.reserved.keys()]) this.redeem(room, id);
    for (const seat of room.seats.values()) seat.grace?.cancel();
  }

  /** Starts the grace period of a player without a connection, at most `mostMs` long. */
  private wait(room: RoomEntry, seat: Seat, mostMs = Infinity) {
    seat.grace?.cancel();
    if (seat.isLeaving) return;
    if (!seat.canReturn) {
      this.leave(room, seat);
      return;
    }
    if (!this.isReachable) return;
    seat.grace = this.clock.after(Math.min(this.options.graceMs, mostMs), () => this.leave(room, seat));
  }
}
