import type { Reach } from '../../cluster/index.ts';
import { type Clock, digest, pause } from '../../machine/index.ts';
import type { Code } from '../../net/index.ts';
import type { RoomEntry, Seat } from '../lobby/room.ts';
import type { Rooms } from '../lobby/rooms.ts';
import type { JoinMessage } from './codec.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import type { Moderation } from './moderation.ts';
import { isRoom } from './room-finder.ts';
import type { Identify, Identity, ResumeTokens } from './tokens.ts';

/** How long a returning page waits for its room, and how often it checks, ms. */
const returnWaitMs = 8000;
const returnStepMs = 100;
/** How often a joining connection checks whether its previous player has left, ms. */
const departureStepMs = 20;

/** The dependencies for giving a connection the seat of an existing player. */
export interface ReconnectServices {
  readonly rooms: Rooms;
  readonly tokens: ResumeTokens;
  readonly identify: Identify;
  readonly clock: Clock;
}

/** Gives connections the seats of players who are already in a game. */
export class Reconnects {
  constructor(
    private readonly services: ReconnectServices,
    private readonly connections: Connections,
    private readonly moderation: Moderation,
  ) {}

  /**
   * Continues as the player of a resume token. If the token of an account is given, too, it must be that of the
   * player's account; otherwise, the resume token is sufficient. If the connection cannot continue here, returns the
   * code, or the process that plays the room.
   */
  async resume(connection: Connection, resume: string, token: string | undefined): Promise<Code | Reach | undefined> {
    const { rooms, tokens } = this.services;
    const identity = await this.identityOf(token);
    if (typeof identity === 'string') return identity;
    const known = await tokens.readResume(resume);
    if (known === undefined || known.room !== (connection.socket.onlyRoom ?? known.room)) return 'resume-unknown';
    const room = await rooms.directory.find(known.room);
    if (room === undefined) return rooms.ends.isOver(known.room) ? 'room-ended' : 'match-lost';
    if (!isRoom(room)) return room;
    const seat = room.seats.get(known.player);
    if (seat === undefined || !seat.isIn || seat.isLeaving) return 'resume-unknown';
    // The journal has lost the player of the token together with the newest ticks, and another player has been given
    // the id.
    if (known.joinedMs !== undefined && known.joinedMs !== seat.joinedMs) return 'resume-unknown';
    if (known.givenMs < seat.resumableFromMs) return 'resume-unknown';
    if (token !== undefined && identity?.userId !== seat.userId) return 'not-permitted';
    seat.givenMs = Math.max(seat.givenMs, known.givenMs);
    return this.takeOver(connection, room, seat);
  }

  /**
   * Gives a page that lost its connection its seat again. The seat is found by the page's account or, for guests, by
   * its ticket. Returns a code if that is not possible.
   */
  async returnToSeat(connection: Connection, { token, ticket }: JoinMessage): Promise<Code | undefined> {
    const { rooms, clock } = this.services;
    const identity = await this.identityOf(token);
    if (typeof identity === 'string') return identity;
    const isOwn = ownSeats(identity, ticket);
    // A page tries only once, so the call waits for a room that is being moved to another thread or resumed from its
    // journal.
    for (let waitedMs = 0; waitedMs < returnWaitMs; waitedMs += returnStepMs) {
      let own: { readonly room: RoomEntry; readonly seat: Seat } | undefined;
      for (const room of rooms.byId.values()) {
        if (room.state !== 'open' && room.state !== 'opening') continue;
        for (const seat of room.seats.values()) {
          // Among several rooms, the page shows the one that it joined last.
          const isNewer = own === undefined || (seat.joinedMs ?? 0) > (own.seat.joinedMs ?? 0);
          if (isOwn(seat) && seat.isIn && !seat.isLeaving && isNewer) own = { room, seat };
        }
      }
      if (own === undefined) break;
      if (own.room.state === 'open') return this.takeOver(connection, own.room, own.seat, true);
      await pause(clock, returnStepMs);
      if (connection.isGone) return undefined;
    }
    return 'resume-unknown';
  }

  /**
   * Gives the connection a seat that is in use, and ends the seat's older connection. Returns a code if the player is
   * banned. `isBack`: the client still shows an old state of the room.
   */
  takeOver(connection: Connection, room: RoomEntry, seat: Seat, isBack = false): Code | undefined {
    if (connection.isGone) return undefined;
    if (this.moderation.isBanned(connection, room, seat.userId)) return 'banned';
    const older = this.connections.of(seat.session);
    connection.takeSeat(room, seat);
    this.services.rooms.seats.attach(room, seat, connection.id, connection.codec.name, isBack);
    if (older !== undefined) {
      older.seat = undefined;
      older.end('replaced');
    }
    return undefined;
  }

  /**
   * Waits until the seats that the same person is leaving are free. Only then can the data be loaded that the game
   * saves when the player leaves.
   */
  async waitForDeparture(isOwn: (seat: Seat) => boolean, connection?: Connection): Promise<void> {
    const { rooms, clock } = this.services;
    const isLeaving = () =>
      [...rooms.byId.values()].some(({ seats }) => [...seats.values()].some((seat) => seat.isLeaving && isOwn(seat)));
    while (isLeaving() && connection?.isGone !== true) await pause(clock, departureStepMs);
  }

  /** The identity for a token; undefined without a token, because a returning player need not prove its account. */
  private async identityOf(token: string | undefined) {
    return token === undefined ? undefined : this.services.identify(token);
  }
}

/**
 * The player id of a guest with a ticket, the same in every process. It is a hash, because all clients see the id and
 * must not learn the ticket.
 */
export function playerOfTicket(ticket: string): string {
  return `g${digest(ticket, 16)}`;
}

/** Returns a function that recognizes the seats of an account or, for guests, those of a ticket. */
export function ownSeats(identity: Identity | undefined, ticket: string | undefined): (seat: Seat) => boolean {
  const ofTicket = ticket === undefined ? undefined : playerOfTicket(ticket);
  return ({ userId, player }) =>
    identity === undefined ? player === ofTicket && userId === undefined : userId === identity.userId;
}
