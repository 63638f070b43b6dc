import { defined, messageOf } from '../../../engine/core/index.ts';
import type { Forwarder, Observer, Reach } from '../../cluster/index.ts';
import { type Code, protocolVersion, typedText } from '../../net/index.ts';
import { legible } from '../../text/index.ts';
import type { TrafficLimits } from '../base/options.ts';
import { freeSeats, type RoomEntry, type Seat, tell } from '../lobby/room.ts';
import { asNotDurable } from '../room/recent-results.ts';
import type { Admission, JoinInput } from '../room/room-messages.ts';
import type { JoinMessage, SessionMessage } from './codec.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import type { Moderation } from './moderation.ts';
import { sendResults } from './player-inputs.ts';
import { ownSeats, playerOfTicket, type ReconnectServices, Reconnects } from './reconnects.ts';
import { isRoom, RoomFinder } from './room-finder.ts';
import type { Identity, ReservedSeat } from './tokens.ts';

type WatchMessage = Extract<SessionMessage, { kind: 'watch' }>;

/** The reason why a client cannot join here: a code, or the process that plays its room. */
type Refusal = Code | Reach;

/** Loads the saved data of an account; undefined if the store cannot be read. */
type LoadSavedData = (room: RoomEntry, userId: string) => Promise<Pick<JoinInput, 'persisted' | 'account'> | undefined>;

const nameLengthMax = 32;
/** Codes whose actual cause may be that all rooms are ending. */
const noRoomCodes: ReadonlySet<string> = new Set(['server-full', 'room-ended', 'no-such-room'] satisfies Code[]);

/** The dependencies of admissions. */
export interface AdmissionServices extends ReconnectServices {
  readonly observer: Observer;
  readonly loadSavedData: LoadSavedData;
}

/** Admits clients to rooms: finds a seat for them, and welcomes them once the room has admitted them. */
export class Admissions {
  private readonly finder: RoomFinder;
  readonly reconnects: Reconnects;

  constructor(
    private readonly traffic: TrafficLimits,
    private readonly services: AdmissionServices,
    private readonly connections: Connections,
    private readonly moderation: Moderation,
    private readonly forwarder: Forwarder,
  ) {
    const { rooms, clock } = services;
    this.finder = new RoomFinder(rooms, clock);
    this.reconnects = new Reconnects(services, connections, moderation);
  }

  // Requests of clients:

  /** Handles a request to join or to watch. A connection may make only one such request. */
  request(connection: Connection, message: JoinMessage | WatchMessage) {
    if (connection.state !== 'new') connection.strike('already-joined');
    else void this.enter(connection, message);
  }

  /** Finds a room for the client. If the client is refused, the connection ends, or goes to another process. */
  private async enter(connection: Connection, message: JoinMessage | WatchMessage) {
    const { rooms, observer } = this.services;
    connection.handshake.cancel();
    connection.state = 'joining';
    if (message.protocol !== protocolVersion || rooms.isDraining) {
      connection.end(message.protocol !== protocolVersion ? 'protocol-version' : 'shutting-down');
      return;
    }
    try {
      const refusal =
        message.kind === 'join' ? await this.join(connection, message) : await this.watch(connection, message);
      // During shutdown, a search can fail because rooms are already ending; the client must learn the actual reason.
      if (typeof refusal === 'object') this.sendElsewhere(connection, refusal, message);
      else if (refusal !== undefined && rooms.isDraining && noRoomCodes.has(refusal)) {
        connection.end('shutting-down');
      } else if (refusal !== undefined) connection.end(refusal);
    } catch (error) {
      const why = `No room could be found for a client: ${messageOf(error)}`;
      observer.problem('room-failed', why, { connection: connection.id });
      connection.end('internal');
    }
  }

  /**
   * Sends a client to the process that plays its room: refers it to that process's public URL, or else forwards its
   * connection there. If neither is possible, the client must try again.
   */
  private sendElsewhere(connection: Connection, { url, inside }: Reach, message: JoinMessage | WatchMessage) {
    const mayFollow = url !== undefined && connection.codec.followsAddresses;
    if (mayFollow || inside === undefined || !this.forwarder.mayForward(connection)) {
      connection.end('elsewhere', url ?? '');
    } else if (!connection.isGone) {
      this.forwarder.forward(connection, inside, () => void this.enter(connection, message));
    }
  }

  /**
   * Finds a seat and asks the room to admit the player; the room answers with an `Admission`. Returns the reason if
   * there is no seat.
   */
  private async join(connection: Connection, message: JoinMessage): Promise<Refusal | undefined> {
    const { rooms, tokens, identify } = this.services;
    const { room: requested, token, resume, ticket } = message;
    if (resume !== undefined) {
      const reserved = await tokens.readSeat(resume);
      return reserved === undefined
        ? this.reconnects.resume(connection, resume, token)
        : this.takeReserved(connection, message, reserved);
    }
    if (message.isReturning === true) return this.reconnects.returnToSeat(connection, message);
    const identity = await identify(token);
    if (typeof identity === 'string') return identity;
    const isOwn = ownSeats(identity, ticket);
    await this.reconnects.waitForDeparture(isOwn, connection);
    if (connection.isGone) return undefined;
    const { onlyRoom, lobbyUrl } = connection.socket;
    const mayLeave = this.forwarder.mayForward(connection);
    // A newer connection of an account takes over from the older one. A guest can only return to a seat without a
    // connection, for example after reloading its page.
    const mayTakeOver = (seat: Seat) =>
      seat.isIn && isOwn(seat) && (identity !== undefined || seat.session === undefined);
    let found = await this.finder.forPlayer(connection, onlyRoom ?? requested, mayTakeOver, mayLeave);
    if (found === 'no-such-room' && message.isRoomOptional === true) {
      found = await this.finder.forPlayer(connection, undefined, mayTakeOver, mayLeave);
    }
    if (!isRoom(found)) return found;
    const own = [...found.seats.values()].find(mayTakeOver);
    if (this.moderation.isBanned(connection, found, identity?.userId)) return 'banned';
    if (own !== undefined) {
      connection.takesOver = message;
      return this.reconnects.takeOver(connection, found, own);
    }
    const isClosed = found.isClosed || rooms.isEmptying;
    if (!isClosed && freeSeats(found) > 0) return this.enterRoom(connection, message, found, identity);
    // A client that accepts any room of the game was sent here by a lobby that took the room to be open, so the lobby
    // must choose again.
    if (lobbyUrl !== undefined && requested !== onlyRoom) return { url: lobbyUrl, inside: undefined };
    return isClosed ? 'not-accepting' : 'server-full';
  }

  /** Takes a seat for a new player, and asks the room to admit it. Returns the reason if that is not possible. */
  private async enterRoom(
    connection: Connection,
    message: JoinMessage,
    found: RoomEntry,
    identity: Identity | undefined,
    reservation?: string,
  ): Promise<Refusal | undefined> {
    if (connection.isGone) return undefined;
    const { rooms, loadSavedData } = this.services;
    // Lost connections count, too, because their seats are kept: otherwise one address could fill a room with abandoned
    // seats.
    const { origin } = connection;
    if (!origin.isTrusted && origin.connections + origin.waiting() > this.traffic.connectionsPerAddress) {
      return 'too-many-connections';
    }
    // A ticket that is already in use in the room cannot identify another player.
    const { ticket } = message;
    const ticketSeat = ticket === undefined ? undefined : playerOfTicket(ticket);
    const isFree = ticketSeat !== undefined && !found.seats.has(ticketSeat);
    const canReturn = connection.codec.givesResumeTokens || identity !== undefined || isFree;
    const seat = rooms.seats.take(found, {
      userId: identity?.userId,
      reservation,
      session: connection.id,
      canReturn,
      preferredId: isFree ? ticketSeat : undefined,
    });
    connection.takeSeat(found, seat);
    const brought = identity === undefined ? {} : await loadSavedData(found, identity.userId);
    // While the data was being loaded, the connection or the room may have ended, or a ban may have been added.
    const isBanned = this.moderation.isBanned(connection, found, identity?.userId);
    if (isBanned || brought === undefined || connection.isGone || found.seats.get(seat.player) !== seat) {
      if (found.seats.get(seat.player) === seat) found.seats.delete(seat.player);
      return isBanned ? 'banned' : brought === undefined ? 'saved-data-unavailable' : 'room-ended';
    }
    const input = joinInput(connection, seat, message, identity, brought);
    tell(found, { kind: 'join', session: connection.id, protocol: connection.codec.name, input });
    return undefined;
  }

  /**
   * Joins with the token of a reserved seat, which can be used only once. The token stays valid after a failed join,
   * and while the player's connection is lost, because the player may not have received a resume token yet.
   */
  private async takeReserved(
    connection: Connection,
    message: JoinMessage,
    { room: id, seat }: ReservedSeat,
  ): Promise<Refusal | undefined> {
    const { rooms, identify } = this.services;
    const { onlyRoom = id } = connection.socket;
    const identity = await identify(message.token);
    if (typeof identity === 'string') return identity;
    const room = id === onlyRoom ? await rooms.directory.find(id) : undefined;
    if (room === undefined) return 'resume-unknown';
    if (!isRoom(room)) return room;
    const taken = [...room.seats.values()].find(({ reservation }) => reservation === seat);
    const reservation = taken ?? room.reserved.get(seat);
    if (reservation === undefined || connection.isGone) return 'resume-unknown';
    if (reservation.userId !== undefined && reservation.userId !== identity?.userId) return 'not-permitted';
    if (this.moderation.isBanned(connection, room, identity?.userId)) return 'banned';
    if (taken !== undefined) {
      if (taken.userId !== identity?.userId) return 'not-permitted';
      const isLost = taken.isIn && !taken.isLeaving && taken.session === undefined && taken.resumableFromMs === 0;
      return isLost ? this.reconnects.takeOver(connection, room, taken) : 'resume-unknown';
    }
    const own = identity && [...room.seats.values()].find(({ userId, isIn }) => isIn && userId === identity.userId);
    if (own !== undefined) {
      rooms.seats.redeem(room, seat);
      return this.reconnects.takeOver(connection, room, own);
    }
    return this.enterRoom(connection, message, room, identity, seat);
  }

  /**
   * Finds the room and asks it to admit a spectator; the room answers through `watched`. Players who may not play may
   * not watch, either.
   */
  private async watch(connection: Connection, { room: requested, token }: WatchMessage): Promise<Refusal | undefined> {
    const { rooms, identify } = this.services;
    const identity = await identify(token);
    if (typeof identity === 'string') return identity;
    const found = await this.finder.forSpectator(connection, requested);
    if (!isRoom(found)) return found;
    if (connection.isGone) return undefined;
    if (this.moderation.isBanned(connection, found, identity?.userId)) return 'banned';
    connection.room = found;
    connection.watcherId = identity?.userId;
    const watching = (): Code | undefined =>
      rooms.seats.watch(found, connection.id, connection.codec.name, {
        ip: connection.socket.address,
        ...defined({ userId: identity?.userId, roleIds: identity?.roleIds }),
      });
    const refusal = watching();
    const silent = [...found.watchers].map((id) => this.connections.of(id)).find((each) => each?.isSilent);
    if (refusal === undefined || silent === undefined) return refusal;
    silent.end('idle');
    return watching();
  }

  // Answers of rooms:

  admitted(room: RoomEntry, admission: Admission, isKept: boolean) {
    const { session, player, code } = admission;
    const connection = this.connections.of(session);
    if (connection === undefined || connection.seat?.player !== player) return;
    if (code !== undefined) {
      const { seat } = connection;
      if (code === 'resume-unknown') {
        // The player has just left the room, but the report that says so has not arrived yet.
        seat.isLeaving = true;
        seat.session = undefined;
      }
      if (!this.joinAnew(connection, code)) connection.end(code);
      return;
    }
    connection.takesOver = undefined;
    void this.welcome(connection, room, admission, isKept);
  }

  watched(room: RoomEntry, session: number, code: Code | undefined) {
    const connection = this.connections.of(session);
    if (connection === undefined || connection.room !== room) return;
    if (code !== undefined) {
      connection.end(code);
      return;
    }
    this.letIn(connection, room, { player: '', resume: '', sequence: 0 });
    this.services.observer.event('watching', { room: room.identity.id, connection: connection.id });
  }

  unseated(seat: Seat, code: Code, message: string | undefined) {
    const connection = this.connections.of(seat.session);
    if (connection === undefined) return;
    if (this.joinAnew(connection, code)) return;
    connection.seat = undefined;
    connection.end(code, message);
  }

  /**
   * If the connection was taking over a player who has just left, lets the client join as a new player. Returns whether
   * it does so.
   */
  private joinAnew(connection: Connection, code: Code) {
    const { takesOver: message } = connection;
    const hasLeft = code === 'left' || code === 'kicked' || code === 'resume-unknown';
    if (message === undefined || connection.state !== 'joining' || !hasLeft) return false;
    connection.seat = undefined;
    connection.takesOver = undefined;
    void this.enter(connection, message);
    return true;
  }

  private async welcome(
    connection: Connection,
    room: RoomEntry,
    { player, sequence, joinedMs, results = [] }: Admission,
    isKept: boolean,
  ) {
    const { id } = room.identity;
    const { seat } = connection;
    if (seat === undefined) return;
    const { tokens, clock, observer } = this.services;
    const givenMs = Math.max(clock.date(), seat.givenMs + 1);
    const hasOlder = seat.givenMs > 0 || seat.reservation !== undefined;
    seat.givenMs = givenMs;
    const resume = await tokens.signResume({ room: id, player, joinedMs, givenMs });
    if (connection.isGone) return;
    connection.sequence = sequence;
    this.moderation.muteIfBanned(connection, room, seat);
    connection.send({ kind: 'limits', limits: this.traffic }, false);
    this.letIn(connection, room, { player, resume, sequence });
    if (hasOlder) {
      connection.renewedMs = givenMs;
      connection.socket.ask?.();
    }
    if (results.length > 0) sendResults(connection, isKept ? results : results.map(asNotDurable));
    observer.event('player-joined', { room: id, player, connection: connection.id });
  }

  private letIn(
    connection: Connection,
    room: RoomEntry,
    own: { readonly player: string; readonly resume: string; readonly sequence: number },
  ) {
    const {
      identity: { id, slug },
      tick,
      rate,
      definition: { hash },
    } = room;
    connection.state = 'playing';
    const welcome = { kind: 'welcome', protocol: protocolVersion, room: id, tick, rate, slug, hash, ...own } as const;
    connection.send(welcome);
    connection.release();
    if (room.pace.isSlow) connection.sendPace(room);
  }
}

function joinInput(
  { socket, origin }: Connection,
  seat: Seat,
  { name: requestedName, isMobile }: JoinMessage,
  identity: Identity | undefined,
  { persisted, account }: Pick<JoinInput, 'persisted' | 'account'>,
): JoinInput & { readonly clientId: string } {
  const name = typedText(cleanName(identity?.name ?? requestedName));
  const coins = identity?.coins;
  return {
    kind: 'join',
    clientId: seat.player,
    ip: socket.address,
    ...(origin.isTrusted && { sharesIp: true }),
    ...(name !== '' && { name }),
    ...defined({ userId: identity?.userId, roleIds: identity?.roleIds, persisted, isMobile }),
    ...(account === undefined && coins === undefined ? {} : { account: { ...account, ...defined({ coins }) } }),
  };
}

/**
 * Removes control characters, bidirectional marks, illegible characters, and spaces at both ends of a name, and limits
 * its length.
 */
function cleanName(name: string) {
  return (
    legible(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ''))
      .trim()
      .slice(0, nameLengthMax)
      // Matches half of a surrogate pair, as left by cutting the name.
      .replace(/\p{Cs}/gu, '')
  );
}
