import { randomUUID } from 'node:crypto';
import { defaultLimits } from '../../../engine/index.ts';
import { ServerError } from '../../cluster/index.ts';
import { type Code, closeCodeOf } from '../../net/index.ts';
import { reenact as protocol } from '../client-protocols/reenact.ts';
import { matches, type RoomFilter, wantedRoom } from '../lobby/room-choice.ts';
import type { JoinMessage, SessionMessage } from '../session/codec.ts';
import { isOriginAllowed } from '../web/requests.ts';
import type { NewRoom, OpenedRoom, ReservedSeats, WantedSeats } from './matchmaking.ts';
import { closeWire } from './object-socket.ts';
import { type ReenactOptions, type Serving, serve } from './options.ts';
import { askObject, type Bindings, type ObjectWire, socketPair, switching } from './platform.ts';
import { gameOfRoom } from './room-object.ts';
import { codeName, type DirectoryRoom } from './store-object.ts';

/** Matches the path of the WebSockets of a room. */
const roomPath = /^\/play\/([a-z0-9-]+)$/;
const idDigits = 12;

export interface ReenactWorker {
  fetch(request: Request, env: Bindings): Promise<Response>;
  /**
   * Opens a room, for a matchmaker in the worker. Players choose the room by its properties or, if it is private, by
   * its code. Rejects with `ServerError` if there is no such game.
   */
  open(env: Bindings, wanted?: NewRoom): Promise<OpenedRoom>;
  /** Reserves seats in a room. If there are fewer free seats than wanted, or the room is over, no seat is reserved. */
  reserve(env: Bindings, room: string, wanted: WantedSeats): Promise<ReservedSeats>;
}

/**
 * The handler of a worker whose rooms are objects of the class `ReenactRoom`. The worker's module must also export that
 * class and `ReenactStore`. Throws `UsageError` for an unknown option, and `ServerError` if there are no games.
 *
 * @experimental
 */
export function reenact(options: ReenactOptions): ReenactWorker {
  const serving = serve(options);
  return {
    fetch: (request, env) => answer(serving, request, env),
    open: async (env, { game = serving.firstGame, ...given } = {}) => {
      if (!serving.has(game)) throw new ServerError('no-definition', `There is no game "${game}".`);
      const id = newId(game);
      return (await askObject(env.ROOMS, id, `${id}/open`, given)) as OpenedRoom;
    },
    reserve: async (env, room, wanted) =>
      serving.has(gameOfRoom(room))
        ? ((await askObject(env.ROOMS, room, `${room}/reserve`, wanted)) as ReservedSeats)
        : { code: 'room-ended' },
  };
}

function newId(game: string): string {
  return `${game}-${randomUUID().replaceAll('-', '').slice(0, idDigits)}`;
}

async function answer(serving: Serving, request: Request, env: Bindings): Promise<Response> {
  const url = new URL(request.url);
  const { options } = serving;
  if (request.headers.get('upgrade')?.toLowerCase() === 'websocket') {
    const [origin, host] = [request.headers.get('origin') ?? undefined, url.host];
    const offered = (request.headers.get('sec-websocket-protocol') ?? '').split(',').map((name) => name.trim());
    if (!offered.includes(protocol.codec.name)) return new Response('protocol-version', { status: 400 });
    const isAllowed = isOriginAllowed(
      { headers: { host, ...(origin === undefined ? {} : { origin }) } },
      options.origins ?? [],
    );
    const room = roomPath.exec(url.pathname)?.[1];
    const lobbyUrl = `${url.protocol === 'https:' ? 'wss' : 'ws'}://${host}/play`;
    if (isAllowed && room !== undefined && serving.has(gameOfRoom(room)))
      return env.ROOMS.get(env.ROOMS.idFromName(room)).fetch(
        new Request(`https://object/${room}?${new URLSearchParams({ lobbyUrl })}`, request as unknown as RequestInit),
      );
    const { client, wire } = socketPair();
    wire.binaryType = 'arraybuffer';
    wire.accept();
    if (isAllowed) new Introduction(serving, env, wire, lobbyUrl);
    else end(wire, 'origin-not-allowed');
    return switching(client, protocol.codec.name);
  }
  const [what, name = '', part] = url.pathname.slice(1).split('/');
  if (request.method === 'GET' && what === 'rooms' && name === '')
    return Response.json({ rooms: await listed(serving, env, new Map(url.searchParams)) });
  if (request.method === 'GET' && what === 'rooms' && part === 'definition' && serving.has(gameOfRoom(name)))
    return env.ROOMS.get(env.ROOMS.idFromName(name)).fetch(`https://object/${name}/definition`);
  if (request.method === 'GET' && what === 'definitions' && serving.has(name)) {
    const { public: shown } = await serving.definition(name, env);
    return new Response(shown.json, { headers: { 'content-type': 'application/json', etag: shown.etag } });
  }
  return (await env.ASSETS?.fetch(request)) ?? new Response(null, { status: 404 });
}

/** The public rooms of all games, as listed by their directories. */
async function listed({ options }: Serving, { STORE }: Bindings, filter: Map<string, string>) {
  const slug = filter.get('slug');
  filter.delete('slug');
  const games = Object.keys(options.games).filter((game) => (slug ?? game) === game);
  const rooms = await Promise.all(games.map((game) => askObject(STORE, `directory ${game}`, 'rooms')));
  return (rooms as DirectoryRoom[][]).flatMap((found, i) =>
    found
      .filter(({ properties }) => matches(properties, filter))
      .map(({ id, version, players, capacity, isOpen, properties }) => ({
        id,
        slug: games[i],
        version,
        players,
        isOpen: isOpen && players < capacity,
        properties,
      })),
  );
}

/**
 * A connection whose room is not known yet. Its first message tells who wants to play which game; the answer is the URL
 * of the room, to which the client connects next (`elsewhere`).
 */
class Introduction {
  private isOver = false;

  constructor(
    private readonly serving: Serving,
    private readonly env: Bindings,
    wire: ObjectWire,
    lobbyUrl: string,
  ) {
    const timer = setTimeout(() => this.end(wire, 'handshake-timeout'), serving.traffic.handshakeMs);
    wire.addEventListener('message', ({ data }) => {
      const { codec } = protocol;
      const bytes = typeof data === 'string' ? new Uint8Array() : new Uint8Array(data);
      const kind = codec.kindOf(bytes);
      const isFit = (kind === 'join' || kind === 'watch') && bytes.length <= codec.bytesMaxOf(kind);
      const decoded = isFit ? codec.decode(bytes) : undefined;
      if (kind === 'ping' || this.isOver) return;
      clearTimeout(timer);
      if (decoded === undefined || !decoded.ok) this.end(wire, decoded?.fault ?? 'malformed');
      else
        this.find(decoded.message).then(
          (found) =>
            'code' in found ? this.end(wire, found.code) : this.end(wire, 'elsewhere', `${lobbyUrl}/${found.room}`),
          (error: unknown) => {
            const code = error instanceof ServerError ? error.code : 'room-failed';
            serving.observer.problem(code, `No room could be found for a client: ${error}`);
            this.end(wire, 'internal');
          },
        );
    });
  }

  private end(wire: ObjectWire, code: Code, text?: string): void {
    if (this.isOver) return;
    this.isOver = true;
    end(wire, code, text);
  }

  private async find(message: SessionMessage): Promise<{ readonly room: string } | { readonly code: Code }> {
    const { room: requested, resume } = message as JoinMessage;
    if (resume !== undefined) {
      const room = roomOfToken(resume);
      return room !== undefined && this.serving.has(gameOfRoom(room)) ? { room } : { code: 'resume-unknown' };
    }
    const { name = this.serving.firstGame, code, filter } = wantedRoom(requested);
    if (code !== undefined) return found(await askObject(this.env.STORE, codeName(code), 'read'));
    if (!this.serving.has(name)) return this.serving.has(gameOfRoom(name)) ? { room: name } : { code: 'no-such-room' };
    return found(await (message.kind === 'watch' ? this.watched(name, filter) : this.assigned(name, filter)));
  }

  /** The room for a spectator: the fullest one. No room is opened for spectators. */
  private async watched(game: string, filter: RoomFilter): Promise<unknown> {
    const rooms = (await askObject(this.env.STORE, `directory ${game}`, 'rooms')) as readonly DirectoryRoom[];
    const fitting = rooms.filter(({ properties }) => matches(properties, filter));
    return fitting.toSorted((a, b) => b.players - a.players)[0]?.id;
  }

  private async assigned(game: string, filter: RoomFilter): Promise<unknown> {
    const { serving, env } = this;
    const definition = await serving.definition(game, env);
    const { dialect, limits } = serving.play;
    const most = limits.players ?? defaultLimits.players;
    const capacity = Math.min(most, definition.playersMax(dialect) ?? most);
    const ask = { version: definition.version, fresh: newId(game), capacity, filter: [...filter] };
    return askObject(env.STORE, `directory ${game}`, 'assign', ask);
  }
}

function found(room: unknown): { readonly room: string } | { readonly code: Code } {
  return typeof room === 'string' ? { room } : { code: 'no-such-room' };
}

/** The room that a resume token names; undefined for an invalid token. The room itself verifies the token. */
function roomOfToken(token: string): string | undefined {
  try {
    const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
    const { room } = JSON.parse(atob(payload)) as { readonly room?: unknown };
    return typeof room === 'string' ? room : undefined;
  } catch {
    return undefined;
  }
}

function end(wire: ObjectWire, code: Code, text?: string): void {
  for (const bytes of protocol.codec.encodeEnd(code, text, false)) wire.send(bytes);
  closeWire(wire, closeCodeOf(code), code);
}
