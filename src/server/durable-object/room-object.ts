import { messageOf } from '../../../engine/core/index.ts';
import { type Observer, ServerError } from '../../cluster/index.ts';
import { protocols } from '../client-protocols/index.ts';
import { ServerCore } from '../core.ts';
import { onlyDefinition } from '../definitions/served.ts';
import { EndedAtStart } from '../lobby/openings.ts';
import { capacityOf, type RoomEntry, type Seat } from '../lobby/room.ts';
import { LocalThread } from '../lobby/threads.ts';
import { openingOf } from '../session/codec.ts';
import type { Connection } from '../session/connection.ts';
import { Tokens } from '../session/tokens.ts';
import { openedRoom } from '../web/admin/hosting.ts';
import { describedRoom } from '../web/admin/overview.ts';
import { adminHandlers } from '../web/admin-handlers.ts';
import { AdminRequests, Admins } from '../web/admins.ts';
import type { Checked, Handlers } from '../web/api.ts';
import { definitionRoutes } from '../web/public/definitions.ts';
import { roomRoutes } from '../web/public/rooms.ts';
import { Refused } from '../web/refusals.ts';
import { answerOf, handle, type RoomRequest } from './api.ts';
import { ObjectClock, objectMachine } from './clock.ts';
import { type Attachment, closeWire, endWire, ObjectSocket } from './object-socket.ts';
import { type Serving, served } from './options.ts';
import { Pieces } from './pieces.ts';
import { askObject, type Bindings, type ObjectContext, type ObjectWire, socketPair, switching } from './platform.ts';
import { objectRecords } from './records.ts';
import { SqlJournal, storedId } from './sql-journal.ts';
import { codeName, type DirectoryRoom, objectStore, objectTexts, secretOf } from './store-object.ts';

type WantedRoom = Checked<'openRoom'>['body'];

/** A room that is in memory. */
interface Played {
  readonly core: ServerCore;
  readonly room: RoomEntry;
  readonly journal: SqlJournal;
  readonly pieces: Pieces;
  readonly tokens: Tokens;
}

const encoder = new TextEncoder();

/** The interval at which the object checks whether its room is still played, ms. */
const lookMs = 1000;
/**
 * While there are players, an alarm is set this far ahead, ms. If the machine of the room has died, the alarm resumes
 * the room, and its players leave when their grace period is over, even if no client comes back.
 */
const alarmMs = 60_000;
/** How long a snapshot waits until saved data of players is written, ms. */
const saveMs = 10_000;
/** How long ago the last tick must be before the object rests, ms. */
const stillMs = 500;

/** The name of the game in a room's id, `GAME-DIGITS`. */
export function gameOfRoom(id: string): string {
  return id.replace(/-[0-9a-f]+$/, '');
}

/**
 * The object of a room. It uses the same rooms and sessions as a server, in one isolate, with one room.
 *
 * @experimental
 */
export class ReenactRoom {
  private readonly serving: Serving;
  private readonly observer: Observer;
  private readonly clock = new ObjectClock();
  private readonly connections = new Map<ObjectWire, Connection>();
  private opening: Promise<Played | undefined> | undefined;
  private alarmAtMs: number | undefined;
  private isLooking = false;
  /** The latest report to the directory, as JSON. */
  private listed = '';

  constructor(
    private readonly context: ObjectContext,
    private readonly env: Bindings,
  ) {
    this.serving = served();
    const { observer } = this.serving;
    const event: Observer['event'] = (what, about) => {
      observer.event(what, about);
      // The directory is told of each newcomer immediately: the newcomer's page may reload, and must then be sent to
      // this room again.
      void this.opening?.then((played) => played && this.report(played)).catch(() => {});
    };
    this.observer = { ...observer, event };
    this.clock.every(lookMs, () => {
      if (this.isLooking) return;
      this.isLooking = true;
      void this.look().finally(() => {
        this.isLooking = false;
      });
    });
  }

  // Events of the platform:

  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const [room = '', what] = pathname.slice(1).split('/');
    if (what === 'route') {
      const asked = (await request.json()) as RoomRequest;
      return answerOf(asked.name, () => this.answer(room, asked));
    }
    const played = await this.played(room);
    if (what === 'settle') return Response.json(await this.settle(played, (await request.json()) as string));
    const address = request.headers.get('cf-connecting-ip') ?? '';
    const { client, wire } = socketPair();
    const opening = openingOf(`/${searchParams.get('search')}`, (name) => request.headers.get(name));
    const codec = this.serving.codecFor(opening.offered)!;
    const lobbyUrl = codec.followsAddresses ? (searchParams.get('lobbyUrl') ?? '') : undefined;
    wire.serializeAttachment({ room, address, protocol: codec.name, lobbyUrl } satisfies Attachment);
    this.context.acceptWebSocket(wire);
    const refusal = this.isOver(played) ? 'room-ended' : played.core.hub.mayConnect(address);
    // The bans are read again, because those that were added since the last check apply to newcomers, too.
    await played?.core.community?.bans.refresh();
    if (refusal !== undefined) endWire(codec, wire, refusal);
    else {
      const join = codec.joinOf?.(opening);
      const connection = this.connect(wire, played!);
      if (join !== undefined) played!.core.hub.admissions.request(connection, join);
    }
    return switching(client, codec.name, opening);
  }

  /** Answers a request for a route, with the handlers of a server. */
  private async answer(id: string, { name, request, by }: RoomRequest): Promise<unknown> {
    const given = name === 'openRoom' ? (request as Checked<'openRoom'>).body : undefined;
    const played = await this.played(id, given).catch((error: unknown) => {
      throw error instanceof EndedAtStart ? new Refused(409, 'room-ended') : error;
    });
    if (this.isOver(played)) throw new Refused(404, 'no-such-room');
    const { core, room, tokens } = played;
    const { rooms, community } = core;
    if (given !== undefined) return openedRoom(rooms, room);
    const { clock, observer } = this;
    const library = onlyDefinition(room.definition);
    const senders = new AdminRequests(observer);
    if (by !== undefined) senders.grant(request, Admins.named(by), []);
    const services = { core, rooms, library, clock, observer, tokens, senders };
    const handlers: Handlers = {
      ...definitionRoutes({ library }),
      ...roomRoutes({ core, rooms, clock, showsPlayers: this.serving.showsPlayers }),
      ...(community && adminHandlers({ ...services, community })),
    };
    const answer = await handle(handlers, name, request);
    // Stored, so that the room is still closed to newcomers after it has left memory.
    if (name === 'newcomersOfRoom') {
      if (room.isClosed) played.pieces.put('closed', 0, new Uint8Array());
      else played.pieces.delete('closed', 0);
    }
    await this.report(played);
    return answer;
  }

  async webSocketMessage(wire: ObjectWire, data: string | ArrayBuffer): Promise<void> {
    const { room, protocol } = wire.deserializeAttachment() as Attachment;
    const played = await this.played(room);
    const connection = this.connections.get(wire);
    const codec = this.serving.codecFor([protocol])!;
    if (connection === undefined || played === undefined) {
      if (this.isOver(played)) endWire(codec, wire, 'room-ended');
      return;
    }
    const { hub } = played.core;
    (connection.socket as ObjectSocket).backlogBytes = 0;
    const bytes = typeof data === 'string' ? encoder.encode(data) : new Uint8Array(data);
    if (bytes.length > codec.bytesMax) connection.end('too-large');
    else if ((typeof data === 'string') !== codec.isText) connection.strike('malformed');
    else hub.receive(connection, bytes);
  }

  async webSocketClose(wire: ObjectWire, code: number): Promise<void> {
    closeWire(wire);
    await this.closed(wire, code);
  }

  async webSocketError(wire: ObjectWire): Promise<void> {
    await this.closed(wire);
  }

  async alarm(): Promise<void> {
    this.alarmAtMs = undefined;
    await this.played();
    // Sets the next alarm if there are still players.
    await this.look();
  }

  private async closed(wire: ObjectWire, code?: number) {
    const connection = this.connections.get(wire);
    this.connections.delete(wire);
    if (connection === undefined) return;
    const played = await this.opening;
    played?.core.hub.connections.lost(connection, code);
  }

  private connect(wire: ObjectWire, { core: { hub }, room }: Played): Connection {
    const attachment = wire.deserializeAttachment() as Attachment;
    const { id, code } = room.identity;
    const onlyRoom = code === undefined ? id : undefined;
    const codec = this.serving.codecFor([attachment.protocol])!;
    const socket = new ObjectSocket(wire, codec, attachment, onlyRoom, () => void this.closed(wire));
    const connection = hub.connections.open(socket, codec);
    this.connections.set(wire, connection);
    if (attachment.request !== undefined) hub.receive(connection, attachment.request);
    return connection;
  }

  private isOver(played: Played | undefined): played is undefined {
    return played === undefined || played.core.rooms.byId.get(played.room.identity.id) !== played.room;
  }

  /** The room. It is opened or resumed if it is not in memory. Undefined if it is over, or never existed. */
  private played(id?: string, given?: WantedRoom): Promise<Played | undefined> {
    this.clock.wake();
    this.opening ??= this.open(id, given).catch((error: unknown) => {
      this.opening = undefined;
      const code = error instanceof ServerError ? error.code : 'room-failed';
      this.observer.problem(code, messageOf(error), { room: id });
      throw error;
    });
    return this.opening;
  }

  private async open(asked: string | undefined, given: WantedRoom | undefined): Promise<Played | undefined> {
    const { context, env, serving, clock, observer } = this;
    const pieces = new Pieces(context.storage);
    const secret = await secretOf(env);
    const { options, play, traffic } = serving;
    const tokens = new Tokens(secret, clock);
    // An alarm does not name its room, so the id is read from the storage.
    const id = asked ?? storedId(pieces) ?? '';
    const name = gameOfRoom(id);
    if (!serving.has(name)) return undefined;
    const definition = await serving.definition(name, env);
    let journal: SqlJournal | undefined;
    let opened: ServerCore | undefined;
    const core = await ServerCore.open(
      {
        play,
        traffic,
        seed: options.seed,
        rooms: 0,
        roomsMax: 1,
        placement: 'fill',
        idleMs: Infinity,
        watchersMax: options.watchersMax,
        onJournalFailure: 'stop',
        graceMs: options.graceSeconds * 1000,
        endMs: 1000,
        takes: 'asked',
        onEnd: 'keep',
      },
      {
        machine: objectMachine(clock),
        observer,
        library: onlyDefinition(definition),
        tokens,
        identify: options.identify ?? tokens.identify,
        store: objectStore(env, id),
        records: env.REENACT_ADMIN_TOKEN === undefined ? undefined : objectRecords(env),
        hostModule: options.hostModule,
        openJournal: async (listener) => {
          journal = new SqlJournal({
            pieces,
            storage: context.storage,
            clock,
            definitions: objectTexts(env, id),
            listener,
            onNotice: observer.problem,
            saved: async () => (await opened?.accounts.settled(saveMs)) !== false,
            groupMs: options.journalMs,
          });
          return journal;
        },
        web: {
          ask(_room, event, answer) {
            observer.problem('http-refused', 'Rooms in Durable Objects make no web requests for games.', { room: id });
            answer(Number(event.requestId), undefined);
          },
        },
        threads: {
          count: 1,
          areThreads: false,
          make: (thread, isForSlow, listener) =>
            new LocalThread(
              thread,
              { play, isForSlow, movesGreedy: false },
              new Map(Object.values(protocols).map(({ room }) => [room.name, room])),
              clock,
              listener,
            ),
        },
      },
    );
    opened = core;
    await core.start();
    let room = core.rooms.byId.get(id);
    if (room === undefined) {
      const wanted = given
        ? { ...given, isPrivate: given.private }
        : ((await this.directory('expects', { id })) as DirectoryRoom | undefined);
      if (wanted !== undefined) room = await core.rooms.open(definition, { ...wanted, id });
    }
    if (room === undefined) {
      await core.close();
      return undefined;
    }
    room.isClosed = pieces.numbers('closed').length > 0;
    const played = { core, room, journal: journal!, pieces, tokens };
    await this.report(played);
    if (given !== undefined) await this.code(played, 'use');
    for (const wire of context.getWebSockets()) if (!this.connections.has(wire)) this.connect(wire, played);
    return played;
  }

  /** Sets the alarm, reports changes to the directory, and lets the object rest if there are no players. */
  private async look() {
    const played = await this.opening?.catch(() => undefined);
    if (played === undefined) {
      this.clock.rest();
      return;
    }
    const { room, core } = played;
    const now = this.clock.now();
    const { id } = room.identity;
    if (this.isOver(played)) {
      if (!(await core.accounts.settled(saveMs))) return;
      this.opening = undefined;
      await this.setAlarm(undefined);
      await this.directory('ended', { id });
      await this.code(played, 'disuse');
      await core.close();
      this.clock.rest();
      return;
    }
    const isUsed = room.seats.size + room.reserved.size > 0 || now - room.tickAtMs < stillMs;
    if (isUsed && this.alarmAtMs === undefined) await this.setAlarm(this.clock.date() + alarmMs);
    await this.report(played);
    if (!isUsed) await this.rest(played);
  }

  /** Reports the room to its directory if more than its figures has changed. */
  private async report({ core, room }: Played) {
    const owners = Array.from(room.seats.values(), ({ userId, player }) => userId ?? player);
    const listed: DirectoryRoom = { ...describedRoom(core.rooms, room), capacity: capacityOf(room), owners };
    const withoutFigures = JSON.stringify({ ...listed, tick: 0, speed: 0, share: 0, stateBytes: 0 });
    if (withoutFigures === this.listed) return;
    await this.directory('report', listed);
    this.listed = withoutFigures;
  }

  /** Registers or removes the code by which players find a private room. */
  private async code({ room: { identity } }: Played, what: 'use' | 'disuse') {
    const { id, code } = identity;
    if (code !== undefined) await askObject(this.env.STORE, codeName(code), what, { room: id, content: id });
  }

  private async rest({ core, room, journal }: Played) {
    await journal.settled();
    if (!(await core.accounts.settled(saveMs))) return;
    await this.setAlarm(undefined);
    if (room.seats.size > 0) return;
    for (const [wire, connection] of this.connections) {
      const attachment = wire.deserializeAttachment() as Attachment;
      wire.serializeAttachment({ ...attachment, request: connection.request } satisfies Attachment);
    }
    this.clock.rest();
  }

  /**
   * Waits until the account has left and everything that the game saved is written. Returns whether the account still
   * plays here.
   */
  private async settle(played: Played | undefined, userId: string) {
    if (played === undefined) return false;
    const isOwn = (seat: Seat) => seat.userId === userId;
    const { core, room, journal } = played;
    await core.hub.admissions.reconnects.waitForDeparture(isOwn);
    await journal.settled();
    if (!(await core.accounts.settled(saveMs))) throw new Error('Player data could not be saved.');
    return [...room.seats.values()].some(isOwn);
  }

  private async setAlarm(atMs: number | undefined) {
    if (this.alarmAtMs === atMs) return;
    this.alarmAtMs = atMs;
    if (atMs === undefined) await this.context.storage.deleteAlarm();
    else await this.context.storage.setAlarm(atMs);
  }

  private directory(what: 'expects' | 'report' | 'ended', body: { readonly id: string }): Promise<unknown> {
    return askObject(this.env.STORE, `directory ${gameOfRoom(body.id)}`, what, body);
  }
}
