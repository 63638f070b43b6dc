import type { Clock } from '../machine/clock.ts';
import type { Code } from '../protocol/codes.ts';
import type { Admission, Departure, JoinInput, RoomCommand, RoomPlayer } from '../room/messages.ts';
import type { RoomEntry, RoomsListener, Seat } from './room.ts';

export interface SeatsOptions {
  /** Connections that may watch one room without playing. */
  readonly watchersMax: number;
  /** How long a player stays whose connection is lost, ms. */
  readonly graceMs: number;
}

/** The players and watchers of all rooms, with their connections. */
export class Seats {
  listener!: RoomsListener;
  private readonly options: SeatsOptions;
  private readonly clock: Clock;

  constructor(options: SeatsOptions, clock: Clock) {
    this.options = options;
    this.clock = clock;
  }

  // Requests of connections.

  /** `wish`: an id for the player that is not in use. */
  take(
    room: RoomEntry,
    { userId, session, canReturn, wish }: Pick<Seat, 'userId' | 'session' | 'canReturn'> & { wish: string | undefined },
  ): Seat {
    const player = wish ?? `p${++room.playersMade}`;
    const seat: Seat = {
      ...{ player, userId, session, isIn: false, isLeaving: false, joinedMs: undefined, canReturn, grace: undefined },
    };
    room.seats.set(player, seat);
    return seat;
  }

  join(room: RoomEntry, session: number, protocol: string, input: JoinInput & { readonly clientId: string }): void {
    room.thread.send({ kind: 'join', room: room.identity.id, session, protocol, input });
  }

  /** Gives a seat to another connection. */
  attach(room: RoomEntry, seat: Seat, session: number, protocol: string, isBack: boolean): void {
    seat.grace?.cancel();
    seat.grace = undefined;
    seat.session = session;
    room.thread.send({ kind: 'attach', room: room.identity.id, session, protocol, player: seat.player, isBack });
  }

  /** The connection of a seat is lost; its player stays for a while. */
  lose(room: RoomEntry, seat: Seat, session: number): void {
    room.thread.send({ kind: 'detach', room: room.identity.id, session });
    if (seat.session !== session) return;
    seat.session = undefined;
    this.wait(room, seat);
  }

  leave(room: RoomEntry, seat: Seat): void {
    seat.grace?.cancel();
    seat.grace = undefined;
    // It was taken away, and somebody with the same ticket can have another.
    if (room.seats.get(seat.player) !== seat) return;
    if (!seat.isIn) room.seats.delete(seat.player);
    else if (!seat.isLeaving) {
      seat.isLeaving = true;
      this.sendAway(room, seat.player);
    }
  }

  /** A code says why there is no place for one more. The room's answer comes as `watched`. */
  watch(
    room: RoomEntry,
    session: number,
    protocol: string,
    request: Extract<RoomCommand, { kind: 'watch' }>['request'],
  ): Code | undefined {
    if (room.watchers.size >= this.options.watchersMax) return 'server-full';
    room.watchers.add(session);
    room.thread.send({ kind: 'watch', room: room.identity.id, session, protocol, request });
    return undefined;
  }

  unwatch(room: RoomEntry, session: number): void {
    if (room.watchers.delete(session)) room.thread.send({ kind: 'detach', room: room.identity.id, session });
  }

  // Reports of rooms.

  admit(room: RoomEntry, admission: Admission, isKept: boolean): void {
    const seat = room.seats.get(admission.player);
    // Its place was given back while it joined: no connection would end it, and the room would never sleep.
    if (seat === undefined && admission.code === undefined) this.sendAway(room, admission.player);
    if (admission.code !== undefined && seat !== undefined && !seat.isIn) room.seats.delete(admission.player);
    else if (seat !== undefined && admission.code === undefined) {
      seat.isIn = true;
      seat.joinedMs = admission.joinedMs;
      // Its connection was lost while it joined.
      if (seat.session === undefined && seat.grace === undefined) this.wait(room, seat);
    }
    this.listener.admitted(room, admission, isKept);
  }

  depart(room: RoomEntry, { player, reason, message }: Departure): void {
    const seat = room.seats.get(player);
    if (seat === undefined) return;
    seat.grace?.cancel();
    room.seats.delete(player);
    this.listener.unseated(room, seat, reason, message);
  }

  /** The players of a room that was begun: each has a seat, and those without a connection are waited for. */
  settle(room: RoomEntry, players: readonly RoomPlayer[]): void {
    const present = new Set(players.map(({ id }) => id));
    for (const seat of [...room.seats.values()]) if (!present.has(seat.player)) room.seats.delete(seat.player);
    for (const { id: player, userId, joinedMs } of players) {
      const known = room.seats.get(player);
      const seat: Seat = known ?? {
        ...{ player, userId, session: undefined, isIn: true, isLeaving: false, joinedMs, canReturn: true },
        grace: undefined,
      };
      room.seats.set(player, seat);
      seat.isIn = true;
      seat.joinedMs = joinedMs;
      // The room was resumed from before the player left.
      if (seat.isLeaving) this.sendAway(room, player);
      else if (seat.session === undefined) this.wait(room, seat);
    }
  }

  /** The room goes on, and its connections come again. */
  drop(room: RoomEntry): void {
    for (const seat of room.seats.values()) {
      if (seat.session !== undefined) this.listener.dropped(seat.session);
      seat.session = undefined;
    }
    for (const session of room.watchers) this.listener.dropped(session);
    room.watchers.clear();
    room.insights.end();
  }

  /** The room is no more. */
  clear(room: RoomEntry, code: Code): void {
    this.stopWaiting(room);
    for (const seat of room.seats.values()) this.listener.unseated(room, seat, code, undefined);
    room.seats.clear();
    for (const session of room.watchers) this.listener.watched(room, session, code);
    room.watchers.clear();
    room.insights.end(code);
  }

  /** No player of a room is given up any more. */
  stopWaiting(room: RoomEntry): void {
    for (const seat of room.seats.values()) seat.grace?.cancel();
  }

  private sendAway(room: RoomEntry, player: string): void {
    room.thread.send({ kind: 'leave', room: room.identity.id, player });
  }

  private wait(room: RoomEntry, seat: Seat): void {
    seat.grace?.cancel();
    if (seat.isLeaving) return;
    if (!seat.canReturn) {
      this.leave(room, seat);
      return;
    }
    seat.grace = this.clock.after(this.options.graceMs, () => this.leave(room, seat));
  }
}
