import { createHash } from 'node:crypto';
import { defined, messageOf } from '../../../engine/core/index.ts';
import { Forwarder, type Observer, type OpenRelay, type Reach } from '../../cluster/index.ts';
import { pause, type ServerClock } from '../../machine/index.ts';
import {
  type ClientLimits,
  type Code,
  isLarge,
  protocolVersion,
  resentResultsMax,
  typedText,
} from '../../net/index.ts';
import { legible } from '../../text/index.ts';
import type { TrafficLimits } from '../base/options.ts';
import { hasFreeSeat, type RoomEntry, type RoomsListener, type Seat } from '../lobby/room.ts';
import { wantedRoom } from '../lobby/room-choice.ts';
import type { Rooms } from '../lobby/rooms.ts';
import { asNotDurable } from '../room/recent-results.ts';
import type { Admission, InputResult, JoinInput, Sending } from '../room/room-messages.ts';
import type { ChatFilter } from './chat-filter.ts';
import type { Codec, JoinMessage, SessionMessage } from './codec.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import { Moderation, type Moderator } from './moderation.ts';
import { Origins } from './origins.ts';
import { PlayerInputs, sendResults } from './player-inputs.ts';
import type { Socket } from './socket.ts';
import type { Identify, Identity, ReservedSeat, ResumeTokens } from './tokens.ts';

/** The process that plays the room of a client, if it is another one. */
interface Elsewhere {
  readonly elsewhere: Reach;
}

/** Why a client cannot join here. */
type Refusal = Code | Elsewhere;

/** Loads the saved data of an account. Undefined if the store cannot be read. */
type LoadSavedData = (room: RoomEntry, userId: string) => Promise<Pick<JoinInput, 'persisted' | 'account'> | undefined>;

interface HubOptions {
  readonly traffic: TrafficLimits;
  /** How long a resume token is valid, seconds. */
  readonly resumeSeconds: number;
}

const nameLengthMax = 32;
/** Codes that say that there is no suitable room. */
const noRoomCodes: ReadonlySet<string> = new Set(['server-full', 'room-ended', 'no-such-room'] satisfies Code[]);
/** How long a returning page waits for its room, and how often it checks. */
const returnWaitMs = 8000;
const returnStepMs = 100;
/** How often a joining connection checks whether its previous player has left. */
const departureStepMs = 20;

/**
 * The session layer: applies limits to the messages of all connections, decodes and checks them, and assigns
 * connections to seats in rooms. It is independent of the transport and of the protocol.
 */
export class Hub implements RoomsListener {
  private readonly rooms: Rooms;
  readonly observer: Observer;
  private readonly inputs: PlayerInputs;
  private readonly tokens: ResumeTokens;
  private readonly identify: Identify;
  private readonly loadSavedData: LoadSavedData;
  private readonly moderation: Moderation;
  private readonly forwarder: Forwarder;
  private readonly connections: Connections;
  private readonly origins: Origins;
  readonly clock: ServerClock;

  constructor(
    private readonly options: HubOptions,
    services: {
      readonly rooms: Rooms;
      readonly observer: Observer;
      readonly tokens: ResumeTokens;
      readonly identify: Identify;
      readonly loadSavedData: LoadSavedData;
      /** Continues connections to other processes. Without it, clients are referred to the addresses of these. */
      readonly openRelay?: OpenRelay | undefined;
      /** Without it nobody is banned, and players cannot report others. */
      readonly moderator: Moderator | undefined;
      /** Without it, all chat messages go to the game. */
      readonly filterChat?: ChatFilter | undefined;
      readonly clock: ServerClock;
    },
  ) {
    this.rooms = services.rooms;
    this.observer = services.observer;
    this.tokens = services.tokens;
    this.identify = services.identify;
    this.loadSavedData = services.loadSavedData;
    this.clock = services.clock;
    this.rooms.seats.listener = this;
    const { traffic } = options;
    this.origins = new Origins(traffic, this.clock);
    const { clock, observer } = this;
    this.connections = new Connections(traffic, this.origins, { seats: this.rooms.seats, observer, clock });
    this.forwarder = new Forwarder(services.openRelay, traffic.backlogBytesMax, observer, clock);
    this.moderation = new Moderation(services.moderator, this.rooms.byId, this.connections, clock);
    this.inputs = new PlayerInputs(this.rooms, this.connections, services.filterChat, { observer, clock });
  }

  get size(): number {
    return this.connections.size;
  }

  close(code: Code): void {
    this.moderation.close();
    this.origins.close();
    this.connections.close(code);
  }

  // Events of the transport.

  /**
   * Why a connection from this address must be refused; undefined if it may connect. Called before any resources are
   * spent on it.
   */
  mayConnect(address: string): 'shutting-down' | 'too-many-connections' | undefined {
    if (this.rooms.isDraining) return 'shutting-down';
    if (this.origins.mayConnect(address)) return undefined;
    this.observer.refused('too-many-connections');
    return 'too-many-connections';
  }

  connect(socket: Socket, codec: Codec): Connection {
    return this.connections.open(socket, codec);
  }

  /** Called once for each connection, whichever side closed it. */
  lost(connection: Connection, closeCode: number | undefined): void {
    this.connections.lost(connection, closeCode);
  }

  /** Handles the bytes of one message. Limits are applied before it is decoded. */
  receive(connection: Connection, bytes: Uint8Array): void {
    if (connection.isGone) return;
    const now = this.clock.now();
    const { codec } = connection;
    const kind = codec.kindOf(bytes);
    const { length } = bytes;
    if (!codec.acknowledgesFrames) connection.answers();
    if (!connection.mayReceive(kind, length)) {
      this.reject(connection, bytes, 'too-many');
      return;
    }
    if (connection.relay !== undefined) {
      this.forwarder.pass(connection, connection.relay, bytes);
      return;
    }
    if (kind === undefined) {
      connection.strike(length === 0 ? 'malformed' : 'unknown-message');
      return;
    }
    if (length > codec.bytesMaxOf(kind)) {
      this.reject(connection, bytes, 'too-large');
      return;
    }
    if (isLarge(kind, length) && !connection.large.spend(1, now)) {
      this.reject(connection, bytes, 'too-many');
      return;
    }
    const decoded = codec.decode(bytes);
    if (!decoded.ok) {
      this.reject(connection, bytes, decoded.fault);
      return;
    }
    this.observer.received(kind, length);
    if (kind === 'join' || kind === 'watch') connection.request ??= bytes;
    this.act(connection, decoded.message, now);
  }

  /** Rejects a message. An input still gets a result. */
  private reject(connection: Connection, bytes: Uint8Array, code: Code): void {
    const sequence = connection.state === 'playing' ? connection.codec.sequenceOf(bytes) : undefined;
    if (sequence === undefined) {
      connection.strike(code);
      return;
    }
    // The refusal is counted when the result arrives.
    this.inputs.refuse(connection, sequence, code);
    connection.punish(code);
  }

  /** Whether a page that may not connect is told so. It uses up nothing that others at its address need. */
  mayTurnAway(address: string): boolean {
    return this.origins.of(address).foreign.spend(1, this.clock.now());
  }

  /** The transport refuses a connection that it has opened to say so. */
  turnAway(connection: Connection, code: Code): void {
    this.observer.refused(code);
    connection.end(code);
  }

  /** The transport refused a connection. */
  connectionRefused(code: Code): void {
    this.observer.refused(code);
  }

  /** The transport closes the connection because of invalid data. */
  closedByTransport(connection: Connection, code: Code): void {
    if (connection.isGone) return;
    this.observer.refused(code);
    this.observer.ended(code);
  }

  /** The transport rejected a message, for example a text where the protocol is binary. */
  messageRefused(connection: Connection, code: Code): void {
    connection.strike(code);
  }

  /** A control message of the transport arrived. It counts against the limits like any message. */
  controlMessage(connection: Connection, bytes: number): void {
    if (connection.isGone) return;
    if (!connection.codec.acknowledgesFrames) connection.answers();
    if (!connection.mayReceive(undefined, bytes)) connection.strike('too-many');
  }

  /**
   * The client has received the `welcome`, so older resume tokens of its seat end. Until then, it may have nothing else
   * to return with.
   */
  answered({ room, seat, renewedMs }: Connection): void {
    if (room === undefined || seat === undefined || renewedMs === undefined || renewedMs <= seat.resumableFromMs)
      return;
    seat.resumableFromMs = renewedMs;
    this.rooms.send(room, { kind: 'resumable', room: room.identity.id, player: seat.player, fromMs: renewedMs });
  }

  // Messages of clients.

  /** A request to join, for protocols in which it is part of opening the connection. */
  greet(connection: Connection, message: JoinMessage): void {
    this.act(connection, message, this.clock.now());
  }

  private act(connection: Connection, message: SessionMessage, now: number): void {
    if (message.kind === 'nothing') return;
    if (message.kind === 'join') {
      if (connection.state !== 'new') connection.strike('already-joined');
      else void this.enter(connection, () => this.seat(connection, message));
      return;
    }
    if (message.kind === 'watch') {
      if (connection.state !== 'new') connection.strike('already-joined');
      else void this.enter(connection, () => this.watch(connection, message));
      return;
    }
    const { room, seat } = connection;
    if (message.kind === 'ping') {
      const tick = room === undefined ? 0 : tickAt(room, now);
      connection.send({ kind: 'pong', time: message.time, tick });
      return;
    }
    if (room?.watchers.has(connection.id) === true && (message.kind === 'ack' || message.kind === 'leave')) {
      if (message.kind === 'leave') connection.end('left');
      else this.acknowledge(connection, room, message.frame);
      return;
    }
    if (room === undefined || seat === undefined) {
      connection.strike('not-joined');
      return;
    }
    switch (message.kind) {
      case 'ack':
        this.acknowledge(connection, room, message.frame);
        return;
      case 'leave':
        this.rooms.seats.leave(room, seat);
        return;
      case 'report':
        void this.moderation.report(connection, room, seat, message);
        return;
      case 'input':
        this.inputs.receive(connection, room, seat, message);
        return;
    }
  }

  private acknowledge(connection: Connection, room: RoomEntry, frame: number): void {
    const { id: session } = connection;
    this.answered(connection);
    connection.answers();
    this.rooms.send(room, { kind: 'acknowledge', room: room.identity.id, session, frame });
  }

  /** Runs `finding`, and ends the connection if it returns a refusal. */
  private async enter(connection: Connection, finding: () => Promise<Refusal | undefined>): Promise<void> {
    connection.handshake.cancel();
    connection.state = 'joining';
    try {
      const refusal = await finding();
      // A search during shutdown can fail because rooms are already ending.
      if (typeof refusal === 'object') this.sendElsewhere(connection, refusal.elsewhere, finding);
      else if (refusal !== undefined && this.rooms.isDraining && noRoomCodes.has(refusal)) {
        connection.end('shutting-down');
      } else if (refusal !== undefined) connection.end(refusal);
    } catch (error) {
      const message = messageOf(error);
      this.observer.problem('room-failed', `No room could be found for a client: ${message}`, {
        connection: connection.id,
      });
      connection.end('internal');
    }
  }

  /**
   * Gets a client to the process that plays its room: refers it to the address of that process if it has one for
   * clients, else continues its connection there. Without either, the client tries again.
   */
  private sendElsewhere(
    connection: Connection,
    { url, inside }: Reach,
    finding: () => Promise<Refusal | undefined>,
  ): void {
    const mayFollow = url !== undefined && connection.codec.followsAddresses;
    if (mayFollow || inside === undefined || !this.forwarder.mayForward(connection)) {
      connection.end('elsewhere', url ?? '');
    } else if (!connection.isGone) {
      this.forwarder.forward(connection, inside, () => void this.enter(connection, finding));
    }
  }

  /**
   * Finds a seat and asks the room to admit the player; the room answers with an `Admission`. Returns why there is no
   * seat, if so.
   */
  private async seat(connection: Connection, message: JoinMessage): Promise<Refusal | undefined> {
    const { protocol, room: requested, token, resume, ticket } = message;
    if (protocol !== protocolVersion) return 'protocol-version';
    if (this.rooms.isDraining) return 'shutting-down';
    if (resume !== undefined) {
      const reserved = await this.tokens.readSeat(resume);
      return reserved === undefined
        ? this.resume(connection, resume, token)
        : this.takeReserved(connection, message, reserved);
    }
    const ticketSeat = ticket === undefined ? undefined : playerOfTicket(ticket);
    if (message.isReturning === true) return this.returnToSeat(connection, ticketSeat, token);
    const identity = await this.identify(token);
    if (typeof identity === 'string') return identity;
    const isOwn = ownSeats(identity, ticketSeat);
    await this.waitForDeparture(isOwn, connection);
    if (connection.isGone) return undefined;
    const { onlyRoom } = connection.socket;
    const mayLeave = this.forwarder.mayForward(connection);
    // The newer connection of an account takes over from the older one. A guest's page that was reloaded has no older
    // one.
    const mayTakeOver = (seat: Seat): boolean =>
      seat.isIn && isOwn(seat) && (identity !== undefined || seat.session === undefined);
    let found = await this.findRoom(connection, onlyRoom ?? requested, mayTakeOver, mayLeave);
    if (found === 'no-such-room' && message.isRoomOptional === true) {
      found = await this.findRoom(connection, undefined, mayTakeOver, mayLeave);
    }
    if (typeof found === 'string' || 'elsewhere' in found) return found;
    const own = [...found.seats.values()].find(mayTakeOver);
    if (this.moderation.isBanned(connection, found, identity?.userId)) return 'banned';
    if (own !== undefined) {
      connection.takesOver = message;
      return this.takeOver(connection, found, own);
    }
    if (found.isClosed || this.rooms.isEmptying) return 'not-accepting';
    if (!hasFreeSeat(found)) return 'server-full';
    return this.enterRoom(connection, message, found, identity, { ticketSeat });
  }

  /** Takes a seat for a new player, and asks the room to admit it. */
  private async enterRoom(
    connection: Connection,
    { name, isMobile }: JoinMessage,
    found: RoomEntry,
    identity: Identity | undefined,
    { ticketSeat, reservation }: { readonly ticketSeat?: string | undefined; readonly reservation?: string },
  ): Promise<Refusal | undefined> {
    if (connection.isGone) return undefined;
    // Lost connections keep their seats, so they count: otherwise one address could fill a room with abandoned
    // connections.
    const { origin } = connection;
    if (!origin.isTrusted && origin.connections + origin.waiting() > this.options.traffic.connectionsPerAddress) {
      return 'too-many-connections';
    }
    // A ticket that is in use in the room cannot identify another player.
    const isFree = ticketSeat !== undefined && !found.seats.has(ticketSeat);
    const canReturn = connection.codec.givesResumeTokens || identity !== undefined || isFree;
    const seat = this.rooms.seats.take(found, {
      userId: identity?.userId,
      reservation,
      session: connection.id,
      canReturn,
      preferredId: isFree ? ticketSeat : undefined,
    });
    connection.takeSeat(found, seat);
    const brought = identity === undefined ? {} : await this.loadSavedData(found, identity.userId);
    // The connection or the room may have gone meanwhile, or a ban may have come.
    const isBanned = this.moderation.isBanned(connection, found, identity?.userId);
    if (isBanned || brought === undefined || connection.isGone || found.seats.get(seat.player) !== seat) {
      if (found.seats.get(seat.player) === seat) found.seats.delete(seat.player);
      return isBanned ? 'banned' : brought === undefined ? 'saved-data-unavailable' : 'room-ended';
    }
    const input = joinInput(connection, seat, name, identity, brought);
    this.rooms.seats.join(found, connection.id, connection.codec.name, {
      ...input,
      ...defined({ isMobile }),
    });
    return undefined;
  }

  /**
   * Joins with the token of a reserved seat, which can be used once. It stays valid after a failed join, and while the
   * player's connection is lost, because the player may not have received a resume token yet.
   */
  private async takeReserved(
    connection: Connection,
    message: JoinMessage,
    { room: id, seat }: ReservedSeat,
  ): Promise<Refusal | undefined> {
    const { onlyRoom = id } = connection.socket;
    const identity = await this.identify(message.token);
    if (typeof identity === 'string') return identity;
    const room = id === onlyRoom ? await this.rooms.directory.find(id) : undefined;
    if (room === undefined) return 'resume-unknown';
    if (!isRoom(room)) return { elsewhere: room };
    const taken = [...room.seats.values()].find(({ reservation }) => reservation === seat);
    const reservation = taken ?? room.reserved.get(seat);
    if (reservation === undefined || connection.isGone) return 'resume-unknown';
    if (reservation.userId !== undefined && reservation.userId !== identity?.userId) return 'not-permitted';
    if (this.moderation.isBanned(connection, room, identity?.userId)) return 'banned';
    if (taken !== undefined) {
      if (taken.userId !== identity?.userId) return 'not-permitted';
      const isLost = taken.isIn && !taken.isLeaving && taken.session === undefined && taken.resumableFromMs === 0;
      return isLost ? this.takeOver(connection, room, taken) : 'resume-unknown';
    }
    const own = identity && [...room.seats.values()].find(({ userId, isIn }) => isIn && userId === identity.userId);
    if (own !== undefined) {
      this.rooms.seats.redeem(room, seat);
      return this.takeOver(connection, room, own);
    }
    return this.enterRoom(connection, message, room, identity, { reservation: seat });
  }

  /**
   * Waits until seats of the same person that are being left are free, so that the data saved by then can be loaded.
   */
  async waitForDeparture(isOwn: (seat: Seat) => boolean, connection?: Connection): Promise<void> {
    const isLeaving = (): boolean =>
      [...this.rooms.byId.values()].some(({ seats }) =>
        [...seats.values()].some((seat) => seat.isLeaving && isOwn(seat)),
      );
    while (isLeaving() && (connection === undefined || !connection.isGone)) {
      await pause(this.clock, departureStepMs);
    }
  }

  /** Lets a connection join as a new player if the one that it was taking over has left. Returns whether it does. */
  private joinAnew(connection: Connection, code: Code): boolean {
    const { takesOver: message } = connection;
    const hasLeft = code === 'left' || code === 'kicked' || code === 'resume-unknown';
    if (message === undefined || connection.state !== 'joining' || !hasLeft) return false;
    connection.seat = undefined;
    connection.takesOver = undefined;
    void this.enter(connection, () => this.seat(connection, message));
    return true;
  }

  /**
   * Finds the room and asks it to admit a spectator; it answers through `watched`. Who may not play may not watch,
   * either.
   */
  private async watch(
    connection: Connection,
    { protocol, room: requested, token }: Extract<SessionMessage, { kind: 'watch' }>,
  ): Promise<Refusal | undefined> {
    if (protocol !== protocolVersion) return 'protocol-version';
    if (this.rooms.isDraining) return 'shutting-down';
    const identity = await this.identify(token);
    if (typeof identity === 'string') return identity;
    const found = (await this.roomNamed(connection, requested)) ?? this.rooms.directory.roomToWatch(requested);
    if (typeof found === 'string' || 'elsewhere' in found) return found;
    if (connection.isGone) return undefined;
    if (this.moderation.isBanned(connection, found, identity?.userId)) return 'banned';
    connection.room = found;
    connection.watcherId = identity?.userId;
    const watching = (): Code | undefined =>
      this.rooms.seats.watch(found, connection.id, connection.codec.name, {
        ip: connection.socket.address,
        ...(identity === undefined ? {} : { userId: identity.userId }),
        ...(identity?.roleIds === undefined ? {} : { roleIds: identity.roleIds }),
      });
    const refusal = watching();
    const silent = [...found.watchers].map((id) => this.connections.of(id)).find((each) => each?.isSilent);
    if (refusal === undefined || silent === undefined) return refusal;
    silent.end('idle');
    return watching();
  }

  /** The room with the id or the code `requested`; undefined if `requested` is neither. */
  private async roomNamed(
    connection: Connection,
    requested: string | undefined,
  ): Promise<RoomEntry | Refusal | undefined> {
    const { code, name, filter } = wantedRoom(requested);
    if (code !== undefined) return this.roomOfCode(connection, code);
    if (requested === undefined || filter.size > 0 || name === undefined || this.rooms.directory.isGame(requested)) {
      return undefined;
    }
    const room = await this.rooms.directory.find(requested);
    // A private room cannot be entered by its id, because that appears in logs and metrics.
    if (room !== undefined && isRoom(room) && room.identity.code !== undefined) return 'no-such-room';
    if (room !== undefined) return isRoom(room) ? room : { elsewhere: room };
    return this.rooms.byId.has(requested) ? 'room-ended' : undefined;
  }

  private async roomOfCode({ origin }: Connection, code: string): Promise<RoomEntry | Refusal> {
    // Beyond the limit, right codes are refused, too; otherwise guessing would not slow down. Spent before the search,
    // because connections may guess at the same time.
    if (!origin.isTrusted && !origin.codes.spend(1, this.clock.now())) return 'too-many';
    const room = await this.rooms.directory.roomOfCode(code);
    if (room === undefined) return 'no-such-room';
    origin.codes.refund(1);
    return isRoom(room) ? room : { elsewhere: room };
  }

  private async findRoom(
    connection: Connection,
    requested: string | undefined,
    mayTakeOver: (seat: Seat) => boolean,
    mayLeave: boolean,
  ): Promise<RoomEntry | Refusal> {
    const named = await this.roomNamed(connection, requested);
    if (named !== undefined) return named;
    const { name, filter } = wantedRoom(requested);
    // Prefers a room in which the player is already. `requested` may also be the name of a game.
    for (const room of this.rooms.byId.values()) {
      const isFitting = room.state === 'open' && (name === undefined || room.identity.slug === name);
      if (isFitting && [...room.seats.values()].some(mayTakeOver)) return room;
    }
    const found = await this.rooms.directory.roomFor(name, mayLeave, filter);
    return typeof found === 'string' || isRoom(found) ? found : { elsewhere: found };
  }

  /**
   * The token of an account that comes with a resume token must be that of the player. Without one, the resume token is
   * enough.
   */
  private async resume(
    connection: Connection,
    resume: string,
    token: string | undefined,
  ): Promise<Refusal | undefined> {
    const identity = token === undefined ? undefined : await this.identify(token);
    if (typeof identity === 'string') return identity;
    const known = await this.tokens.readResume(resume);
    const { onlyRoom = known?.room } = connection.socket;
    const room = known && known.room === onlyRoom ? await this.rooms.directory.find(known.room) : undefined;
    if (room !== undefined && !isRoom(room)) return { elsewhere: room };
    if (known !== undefined && known.room === onlyRoom && room === undefined) {
      return this.rooms.hasEnded(known.room) ? 'room-ended' : 'match-lost';
    }
    const seat = known && room?.seats.get(known.player);
    if (room === undefined || seat === undefined || !seat.isIn || seat.isLeaving) return 'resume-unknown';
    // The token's player was lost, and another player has been given its id.
    if (known?.joinedMs !== undefined && known.joinedMs !== seat.joinedMs) return 'resume-unknown';
    if (known!.givenMs < seat.resumableFromMs) return 'resume-unknown';
    if (token !== undefined && identity?.userId !== seat.userId) return 'not-permitted';
    seat.givenMs = Math.max(seat.givenMs, known!.givenMs);
    return this.takeOver(connection, room, seat);
  }

  /**
   * Returns a page that lost its connection to its seat, which is found by its account or, for guests, by its ticket.
   */
  private async returnToSeat(
    connection: Connection,
    player: string | undefined,
    token: string | undefined,
  ): Promise<Code | undefined> {
    const identity = token === undefined ? undefined : await this.identify(token);
    if (typeof identity === 'string') return identity;
    const isOwn = ownSeats(identity, player);
    // A page only tries once, so this waits for a room that is being moved to another thread or resumed from its
    // journal.
    for (let waitedMs = 0; waitedMs < returnWaitMs; waitedMs += returnStepMs) {
      let own: { readonly room: RoomEntry; readonly seat: Seat } | undefined;
      for (const room of this.rooms.byId.values()) {
        if (room.state !== 'open' && room.state !== 'opening') continue;
        for (const seat of room.seats.values()) {
          // The page shows the room that it joined last.
          const isNewer = own === undefined || (seat.joinedMs ?? 0) > (own.seat.joinedMs ?? 0);
          if (isOwn(seat) && seat.isIn && !seat.isLeaving && isNewer) own = { room, seat };
        }
      }
      if (own === undefined) break;
      if (own.room.state === 'open') return this.takeOver(connection, own.room, own.seat, true);
      await pause(this.clock, returnStepMs);
      if (connection.isGone) return undefined;
    }
    return 'resume-unknown';
  }

  /**
   * Gives the connection a seat that is in use, and ends the seat's older connection. `isBack`: the client still shows
   * an old state of the room.
   */
  private takeOver(connection: Connection, room: RoomEntry, seat: Seat, isBack = false): Code | undefined {
    if (connection.isGone) return undefined;
    if (this.moderation.isBanned(connection, room, seat.userId)) return 'banned';
    const older = this.connections.of(seat.session);
    connection.takeSeat(room, seat);
    this.rooms.seats.attach(room, seat, connection.id, connection.codec.name, isBack);
    if (older !== undefined) {
      older.seat = undefined;
      older.end('replaced');
    }
    return undefined;
  }

  private get limits(): ClientLimits {
    const { messages, bytes, large } = this.options.traffic;
    return { messages, bytes, large, inputs: resentResultsMax };
  }

  /** See `Moderation`. */
  enforceBans(kick: (room: RoomEntry, player: string, reason: string) => void): void {
    this.moderation.enforceBans(kick);
  }

  // Reports of rooms.

  admitted(room: RoomEntry, admission: Admission, isKept: boolean): void {
    const { session, player, code } = admission;
    const connection = this.connections.of(session);
    if (connection === undefined || connection.seat?.player !== player) return;
    if (code !== undefined) {
      const { seat } = connection;
      if (code === 'resume-unknown') {
        // The player has just left the room; the report of that is still to come.
        seat.isLeaving = true;
        seat.session = undefined;
      }
      if (!this.joinAnew(connection, code)) connection.end(code);
      return;
    }
    connection.takesOver = undefined;
    void this.welcome(connection, room, admission, isKept);
  }

  watched(room: RoomEntry, session: number, code: Code | undefined): void {
    const connection = this.connections.of(session);
    if (connection === undefined || connection.room !== room) return;
    if (code !== undefined) {
      connection.end(code);
      return;
    }
    this.letIn(connection, room, { player: '', resume: '', sequence: 0 });
    this.observer.event('watching', { room: room.identity.id, connection: connection.id });
  }

  private async welcome(
    connection: Connection,
    room: RoomEntry,
    { player, sequence, joinedMs, results = [] }: Admission,
    isKept: boolean,
  ): Promise<void> {
    const { id } = room.identity;
    const { seat } = connection;
    if (seat === undefined) return;
    const givenMs = Math.max(this.clock.date(), seat.givenMs + 1);
    const hasOlder = seat.givenMs > 0 || seat.reservation !== undefined;
    seat.givenMs = givenMs;
    const resume = await this.tokens.signResume({ room: id, player, joinedMs, givenMs }, this.options.resumeSeconds);
    if (connection.isGone) return;
    connection.sequence = sequence;
    this.moderation.muteIfBanned(connection, room, seat);
    connection.send({ kind: 'limits', limits: this.limits }, false);
    this.letIn(connection, room, { player, resume, sequence });
    if (hasOlder) {
      connection.renewedMs = givenMs;
      connection.socket.ask?.();
    }
    if (results.length > 0) sendResults(connection, isKept ? results : results.map(asNotDurable));
    this.observer.event('player-joined', { room: id, player, connection: connection.id });
  }

  private letIn(
    connection: Connection,
    room: RoomEntry,
    own: { readonly player: string; readonly resume: string; readonly sequence: number },
  ): void {
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
    if (room.pace.isSlow) this.sendPace(connection, room);
  }

  paced(room: RoomEntry): void {
    for (const session of [...[...room.seats.values()].map(({ session }) => session), ...room.watchers]) {
      const connection = this.connections.of(session);
      if (connection?.state === 'playing') this.sendPace(connection, room);
    }
  }

  private sendPace(connection: Connection, { pace }: RoomEntry): void {
    const { reason = '' } = pace;
    connection.send({ kind: 'pace', speed: pace.speedAt(this.clock.now()), reason });
  }

  results(_room: RoomEntry, results: readonly InputResult[]): void {
    this.inputs.results(results);
  }

  sending({ sessions, bytes, kind }: Sending): void {
    const { backlogBytesMax } = this.options.traffic;
    const now = this.clock.now();
    let clients = 0;
    for (const session of sessions) {
      const connection = this.connections.of(session);
      if (connection === undefined || connection.isGone) continue;
      if (connection.socket.backlogBytes > backlogBytesMax) {
        connection.end('too-slow');
        continue;
      }
      clients++;
      connection.framedMs = now;
      if (!connection.forward(bytes)) connection.end('too-slow');
    }
    if (clients > 0) this.observer.sent(kind, bytes.length, clients);
  }

  unseated(room: RoomEntry, seat: Seat, code: Code, message: string | undefined): void {
    this.observer.event('player-left', { ...aboutSeat(room, seat), code });
    const connection = this.connections.of(seat.session);
    if (connection === undefined) return;
    if (this.joinAnew(connection, code)) return;
    connection.seat = undefined;
    connection.end(code, message);
  }

  dropped(session: number, code?: Code, text?: string): void {
    const connection = this.connections.of(session);
    // A page of the original client reconnects only after a loss.
    if (code === undefined || connection?.codec.followsAddresses === false) connection?.drop();
    else if (connection !== undefined) connection.end(code, text);
  }
}

/**
 * The player id of a guest with a ticket: the same in every process. A hash, because all clients see the id and must
 * not learn the ticket.
 */
function playerOfTicket(ticket: string): string {
  return `g${createHash('sha256').update(ticket).digest('hex').slice(0, 16)}`;
}

/** Finds the seats of an account or, for guests, the seats of a ticket. */
function ownSeats(identity: Identity | undefined, ticketSeat: string | undefined): (seat: Seat) => boolean {
  return ({ userId, player }) =>
    identity === undefined ? player === ticketSeat && userId === undefined : userId === identity.userId;
}

function isRoom(found: RoomEntry | Reach): found is RoomEntry {
  return 'identity' in found;
}

/** The room's current tick, with the fraction estimated from the time of its last report. */
function tickAt({ tick, tickAtMs, rate }: RoomEntry, nowMs: number): number {
  return tick + Math.min(1, ((nowMs - tickAtMs) * rate) / 1000);
}

function aboutSeat(room: RoomEntry, { player }: Seat) {
  return { room: room.identity.id, player };
}

function joinInput(
  { socket, origin }: Connection,
  seat: Seat,
  requestedName: string,
  identity: Identity | undefined,
  { persisted, account }: Pick<JoinInput, 'persisted' | 'account'>,
): JoinInput & { readonly clientId: string } {
  const name = typedText(cleanName(identity?.name ?? requestedName));
  const coins = identity?.coins;
  return {
    kind: 'join',
    clientId: seat.player,
    ip: socket.address,
    ...(origin.isTrusted ? { sharesIp: true } : {}),
    ...(name === '' ? {} : { name }),
    ...(identity === undefined ? {} : { userId: identity.userId }),
    ...(identity?.roleIds === undefined ? {} : { roleIds: identity.roleIds }),
    ...defined({ persisted }),
    ...(account === undefined && coins === undefined ? {} : { account: { ...account, ...defined({ coins }) } }),
  };
}

/** Removes control characters, bidirectional marks, what is not legible, and spaces at the ends; limits the length. */
function cleanName(name: string): string {
  return (
    legible(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ''))
      .trim()
      .slice(0, nameLengthMax)
      // A surrogate pair that was cut in half.
      .replace(/\p{Cs}/gu, '')
  );
}
