import { decodeJwt } from 'jose';
import { defaultLimits } from '../../../engine/index.ts';
import { ServerError } from '../../cluster/index.ts';
import type { Code } from '../../net/index.ts';
import { matches, type RoomFilter, wantedRoom } from '../lobby/room-choice.ts';
import { type Codec, type JoinMessage, openingOf, type SessionMessage } from '../session/codec.ts';
import { playerOfTicket } from '../session/reconnects.ts';
import { routeOf } from '../web/api.ts';
import { isOriginAllowed } from '../web/requests.ts';
import { answerOf, newId } from './api.ts';
import { answerAsked } from './front-routes.ts';
import { endWire } from './object-socket.ts';
import { type ReenactOptions, type Serving, serve } from './options.ts';
import { askObject, type Bindings, type ObjectWire, socketPair, switching } from './platform.ts';
import { gameOfRoom } from './room-object.ts';
import { codeName, listedRooms } from './store-object.ts';

/** Matches the path of the WebSockets of a room. */
const roomPath = /^\/play\/([a-z0-9-]+)$/;

/**
 * The handler of a worker whose rooms are objects of the class `ReenactRoom`. The worker's module must also export that
 * class and `ReenactStore`. Throws `UsageError` for an unknown option, and `ServerError` if there are no games.
 *
 * @experimental
 */
export function reenact(options: ReenactOptions) {
  const serving = serve(options);
  return { fetch: (request: Request, env: Bindings): Promise<Response> => answer(serving, request, env) };
}

async function answer(serving: Serving, request: Request, env: Bindings): Promise<Response> {
  const url = new URL(request.url);
  const { options } = serving;
  if (request.headers.get('upgrade')?.toLowerCase() === 'websocket') {
    const { host, search } = url;
    const { headers } = request;
    const origin = headers.get('origin') ?? undefined;
    const opening = openingOf(`/${search}`, (name) => headers.get(name));
    const codec = serving.codecFor(opening.offered);
    if (codec === undefined) return new Response('protocol-version', { status: 400 });
    const isAllowed = isOriginAllowed({ headers: { host, origin } }, options.origins);
    const join = codec.joinOf?.(opening);
    let room: unknown = roomPath.exec(url.pathname)?.[1];
    if (isAllowed && join !== undefined) room = await roomFor(serving, env, join);
    const lobbyUrl = `${url.protocol === 'https:' ? 'wss' : 'ws'}://${host}/play`;
    if (isAllowed && typeof room === 'string' && serving.has(gameOfRoom(room)))
      return env.ROOMS.get(env.ROOMS.idFromName(room)).fetch(
        new Request(
          `https://object/${room}?${new URLSearchParams({ lobbyUrl, search })}`,
          request as unknown as RequestInit,
        ),
      );
    const { client, wire } = socketPair();
    wire.binaryType = 'arraybuffer';
    wire.accept();
    if (!isAllowed) endWire(codec, wire, 'origin-not-allowed');
    else if (join === undefined) introduce(serving, env, codec, wire, lobbyUrl);
    else endWire(codec, wire, noRoomFor(join));
    return switching(client, codec.name, opening);
  }
  const route = routeOf(request.method, url.pathname);
  if (route !== undefined) return answerOf(route.name, () => answerAsked(serving, env, request, route));
  return (await env.ASSETS?.fetch(request)) ?? new Response(null, { status: 404 });
}

/**
 * Serves a connection whose room is not known yet. The client's first message tells who wants to play which game; the
 * answer is the URL of the room, to which the client connects next (`elsewhere`).
 */
function introduce(serving: Serving, env: Bindings, codec: Codec, wire: ObjectWire, lobbyUrl: string) {
  let isOver = false;
  const finish = (code: Code, text?: string) => {
    if (!isOver) endWire(codec, wire, code, text);
    isOver = true;
  };
  const timer = setTimeout(() => finish('handshake-timeout'), serving.traffic.handshakeMs);
  wire.addEventListener('message', ({ data }) => {
    const bytes = typeof data === 'string' ? new Uint8Array() : new Uint8Array(data);
    const kind = codec.kindOf(bytes);
    if (kind === 'ping' || isOver) return;
    clearTimeout(timer);
    const isFit = (kind === 'join' || kind === 'watch') && bytes.length <= codec.bytesMaxOf(kind);
    const decoded = isFit ? codec.decode(bytes) : undefined;
    if (decoded?.ok !== true) {
      finish(decoded?.fault ?? (kind === undefined ? 'malformed' : 'not-joined'));
      return;
    }
    const { message } = decoded;
    roomFor(serving, env, message).then(
      (room) => {
        if (typeof room === 'string' && serving.has(gameOfRoom(room))) finish('elsewhere', `${lobbyUrl}/${room}`);
        else finish(noRoomFor(message as JoinMessage));
      },
      (error: unknown) => {
        const code = error instanceof ServerError ? error.code : 'room-failed';
        serving.observer.problem(code, `No room could be found for a client: ${error}`);
        finish('internal');
      },
    );
  });
}

/** The code for a client for which there is no room. */
function noRoomFor({ resume, isReturning }: JoinMessage): Code {
  return resume === undefined && isReturning !== true ? 'no-such-room' : 'resume-unknown';
}

/**
 * The id of the room for a client. The caller must check the result: if there is no room, it is not a string, or not
 * the id of a room of these games.
 */
async function roomFor(serving: Serving, env: Bindings, message: SessionMessage): Promise<unknown> {
  const { room: requested, resume } = message as JoinMessage;
  if (resume !== undefined) return claimOf(resume, 'room');
  const { name = serving.games[0]!, code, filter } = wantedRoom(requested);
  if (code !== undefined) return askObject(env.STORE, codeName(code), 'read');
  if (!serving.has(name)) return name;
  return message.kind === 'watch'
    ? watched(env, name, filter)
    : assigned(serving, env, message as JoinMessage, name, filter);
}

/** The room for a spectator: the fullest one. No room is opened for spectators. */
async function watched(env: Bindings, game: string, filter: RoomFilter): Promise<unknown> {
  const rooms = await listedRooms(env, [game]);
  const fitting = rooms.filter(({ code, properties }) => code === undefined && matches(properties, filter));
  return fitting.toSorted((a, b) => b.players - a.players)[0]?.id;
}

/** The room for a player: preferably the one in which the player already has a seat. */
async function assigned(
  serving: Serving,
  env: Bindings,
  { token, ticket, isReturning }: JoinMessage,
  game: string,
  filter: RoomFilter,
): Promise<unknown> {
  const definition = await serving.definition(game, env);
  const { dialect, limits } = serving.play;
  const most = limits.players ?? defaultLimits.players;
  const capacity = Math.min(most, definition.playersMax(dialect) ?? most);
  const own = [token && claimOf(token, 'sub'), ticket && playerOfTicket(ticket)];
  const fresh = isReturning === true ? undefined : newId(game);
  const ask = { version: definition.version, fresh, capacity, filter: [...filter], own };
  return askObject(env.STORE, `directory ${game}`, 'assign', ask);
}

/** Reads a claim of a token without verifying the token, which the room does. Undefined for malformed tokens. */
function claimOf(token: string, name: 'room' | 'sub'): unknown {
  try {
    return decodeJwt(token)[name];
  } catch {
    return undefined;
  }
}
