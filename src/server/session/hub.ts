import { Forwarder, type Observer, type OpenRelay } from '../../cluster/index.ts';
import type { ServerClock } from '../../machine/index.ts';
import { type Code, isLarge } from '../../net/index.ts';
import type { TrafficLimits } from '../base/options.ts';
import { type RoomEntry, type RoomsListener, type Seat, tell } from '../lobby/room.ts';
import type { Rooms } from '../lobby/rooms.ts';
import type { Admission, InputResult, Sending } from '../room/room-messages.ts';
import { type AdmissionServices, Admissions } from './admissions.ts';
import type { ChatFilter } from './chat-filter.ts';
import type { SessionMessage } from './codec.ts';
import type { Connection } from './connection.ts';
import { Connections } from './connections.ts';
import { Moderation, type Moderator } from './moderation.ts';
import { Origins } from './origins.ts';
import { PlayerInputs } from './player-inputs.ts';

/**
 * The session layer: applies limits to the messages of all connections, decodes and checks them, and assigns
 * connections to seats in rooms. It is independent of the transport and of the protocol.
 */
export class Hub implements RoomsListener {
  private readonly rooms: Rooms;
  readonly observer: Observer;
  private readonly inputs: PlayerInputs;
  readonly admissions: Admissions;
  readonly moderation: Moderation;
  private readonly forwarder: Forwarder;
  readonly connections: Connections;
  private readonly origins: Origins;
  private readonly clock: ServerClock;

  constructor(
    private readonly traffic: TrafficLimits,
    services: AdmissionServices & {
      /** Forwards connections to other processes. Without it, clients are referred to the URLs of those processes. */
      readonly openRelay?: OpenRelay | undefined;
      /** Applies bans and receives reports. Without it, there are no bans, and players cannot report others. */
      readonly moderator: Moderator | undefined;
      /** Checks chat messages. Without it, all chat messages go to the game. */
      readonly filterChat?: ChatFilter | undefined;
      readonly clock: ServerClock;
    },
  ) {
    const { rooms, observer, clock, openRelay, moderator, filterChat } = services;
    this.rooms = rooms;
    this.observer = observer;
    this.clock = clock;
    this.origins = new Origins(traffic, clock);
    this.connections = new Connections(traffic, this.origins, { seats: rooms.seats, observer, clock });
    this.forwarder = new Forwarder(openRelay, traffic.backlogBytesMax, observer, clock);
    this.moderation = new Moderation(moderator, rooms.byId, this.connections, clock);
    this.inputs = new PlayerInputs(this.connections, filterChat, { observer, clock });
    this.admissions = new Admissions(traffic, services, this.connections, this.moderation, this.forwarder);
    rooms.seats.listener = this;
  }

  close(code: Code) {
    this.origins.close();
    this.connections.close(code);
  }

  // Events of the transport:

  /**
   * The reason why a connection from this address must be refused; undefined if it may connect. Called before any
   * resources are spent on the connection.
   */
  mayConnect(address: string): 'shutting-down' | 'too-many-connections' | undefined {
    if (this.rooms.isDraining) return 'shutting-down';
    if (this.origins.mayConnect(address)) return undefined;
    this.observer.refused('too-many-connections');
    return 'too-many-connections';
  }

  /** Handles the bytes of one message. The limits are applied before the message is decoded. */
  receive(connection: Connection, bytes: Uint8Array) {
    if (connection.isGone) return;
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
    if (isLarge(kind, length) && !connection.large.spend(1, this.clock.now())) {
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
    this.act(connection, decoded.message);
  }

  /** Rejects a message. If the message is an input, the client still gets a result for it. */
  private reject(connection: Connection, bytes: Uint8Array, code: Code) {
    const sequence = connection.state === 'playing' ? connection.codec.sequenceOf(bytes) : undefined;
    if (sequence === undefined) {
      connection.strike(code);
      return;
    }
    // The refusal is counted when the result of the input arrives, so the client is only punished here.
    this.inputs.refuse(connection, sequence, code);
    connection.punish(code);
  }

  /**
   * Whether a page that may not connect can be told the reason. Such pages have a limit of their own, so that they do
   * not use up the limits of other clients at their address.
   */
  mayTurnAway(address: string): boolean {
    return this.origins.of(address).buckets.foreign.spend(1, this.clock.now());
  }

  /** Handles a ping or pong of the WebSocket. It counts against the limits like any other message. */
  controlMessage(connection: Connection, bytes: number) {
    if (connection.isGone) return;
    if (!connection.codec.acknowledgesFrames) connection.answers();
    if (!connection.mayReceive(undefined, bytes)) connection.strike('too-many');
  }

  /**
   * Invalidates the older resume tokens of a seat, because the client has received the `welcome`. They are valid until
   * then, because the client may have no other token with which to return.
   */
  answered({ room, seat, renewedMs }: Connection) {
    if (room === undefined || seat === undefined || renewedMs === undefined || renewedMs <= seat.resumableFromMs)
      return;
    seat.resumableFromMs = renewedMs;
    tell(room, { kind: 'resumable', player: seat.player, fromMs: renewedMs });
  }

  // Messages of clients:

  private act(connection: Connection, message: SessionMessage) {
    if (message.kind === 'nothing') return;
    if (message.kind === 'join' || message.kind === 'watch') {
      this.admissions.request(connection, message);
      return;
    }
    const { room, seat } = connection;
    if (message.kind === 'ping') {
      const tick = room === undefined ? 0 : tickAt(room, this.clock.now());
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

  private acknowledge(connection: Connection, room: RoomEntry, frame: number) {
    this.answered(connection);
    connection.answers();
    tell(room, { kind: 'acknowledge', session: connection.id, frame });
  }

  // Reports of rooms:

  admitted(room: RoomEntry, admission: Admission, isKept: boolean) {
    this.admissions.admitted(room, admission, isKept);
  }

  watched(room: RoomEntry, session: number, code: Code | undefined) {
    this.admissions.watched(room, session, code);
  }

  unseated(room: RoomEntry, seat: Seat, code: Code, message: string | undefined) {
    this.observer.event('player-left', { room: room.identity.id, player: seat.player, code });
    this.admissions.unseated(seat, code, message);
  }

  paced(room: RoomEntry) {
    for (const session of [...[...room.seats.values()].map(({ session }) => session), ...room.watchers]) {
      const connection = this.connections.of(session);
      if (connection?.state === 'playing') connection.sendPace(room);
    }
  }

  results(_room: RoomEntry, results: readonly InputResult[]) {
    this.inputs.results(results);
  }

  sending({ sessions, bytes, kind }: Sending) {
    const { backlogBytesMax } = this.traffic;
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

  dropped(session: number, code?: Code, text?: string) {
    const connection = this.connections.of(session);
    // A page of the original client reconnects only if its connection is lost, so the connection is dropped without a
    // code.
    if (code === undefined || connection?.codec.followsAddresses === false) connection?.drop();
    else if (connection !== undefined) connection.end(code, text);
  }
}

/** The room's current tick, with the fraction estimated from the time of its last report. */
function tickAt({ tick, tickAtMs, rate }: RoomEntry, nowMs: number) {
  return tick + Math.min(1, ((nowMs - tickAtMs) * rate) / 1000);
}
