import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { defined } from '../../../engine/core/index.ts';
import type { DialectName } from '../../../engine/index.ts';
import {
  type Fleet,
  type Forwarded,
  type ForwardTokens,
  forwardRequest,
  forwardTokenOf,
  type ListedRoom,
  type Observer,
  type Reach,
  type WriteOutcome,
} from '../../cluster/index.ts';
import type { StyleHosts } from '../../html/index.ts';
import { type Clock, within } from '../../machine/index.ts';
import { type ClientPages, clientFolders, librariesPath, pagePolicy } from '../../modd-client/index.ts';
import { type BucketOptions, TokenBucket } from '../../net/index.ts';
import { journalPage } from '../../report/index.ts';
import type { Community } from '../community/community.ts';
import type { Definitions, PublicDefinition } from '../definitions/served.ts';
import { EndedAtStart } from '../lobby/openings.ts';
import { freeSeats, type RoomEntry } from '../lobby/room.ts';
import { matches } from '../lobby/room-choice.ts';
import type { Rooms } from '../lobby/rooms.ts';
import { platformInput } from '../outside/platform.ts';
import type { RoomGlance } from '../room/glance.ts';
import { type AddressList, networkOf } from '../session/limits.ts';
import type { SeatTokens } from '../session/tokens.ts';
import { addAdminRoutes } from './admin.ts';
import { type Admin, Admins } from './admins.ts';
import { Api } from './api.ts';
import { type HostRule, hasSeveralHosts, isHostAllowed, nameOfHost, severalHosts } from './hosts.ts';
import { addInsight } from './insight.ts';
import { addAdminPage, addInsightPage, addPage, type ViewerScripts } from './page.ts';
import { Refused, refusal, refusalText, refuse, roomOf } from './refusals.ts';
import { addressOf, isOriginAllowed, type OnForeignPage, type OriginRule, takesGzip } from './requests.ts';

interface RouteOptions {
  readonly hosts: HostRule;
  readonly origins: OriginRule;
  readonly onForeignPage: OnForeignPage;
  readonly trustProxy: boolean;
  /** Without them there are no routes for administrators. */
  readonly admins: Admins | undefined;
  readonly requests: BucketOptions;
  /** Whether everybody may see where the players of a room are: there is room for watchers, who see the whole map. */
  readonly showsPlayers: boolean;
  /** For how many days chat messages are kept; players are told. */
  readonly chatLogDays?: number | undefined;
  /** How long a request may take to arrive. */
  readonly requestMs: number;
  /** Addresses without a limit of requests. */
  readonly trusted: AddressList;
  /** The dialect of the rooms, if clients of the original engine may play. */
  readonly moddio: DialectName | undefined;
  /** Hosts from which games' styles may load pictures and fonts. */
  readonly styleHosts?: StyleHosts | undefined;
  /** Without it there are no viewer pages. */
  readonly viewer: ViewerScripts | undefined;
  /** The pages of the original client, if they are served here. */
  readonly client: ClientPages | undefined;
}

interface RouteServices {
  readonly clock: Clock;
  readonly library: Definitions;
  readonly rooms: Rooms;
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  readonly journalOf: (room: RoomEntry) => Promise<Uint8Array | undefined>;
  /** The processes that share the journal, with their rooms; undefined if it is not shared. */
  readonly fleetOf: () => Promise<Fleet | undefined>;
  /** The answer of `/readyz`. */
  readonly isReady: () => boolean;
  readonly tokens: ForwardTokens & SeatTokens;
  readonly observer: Pick<Observer, 'audit' | 'problem'>;
  /** What administrators act on; undefined without administrators. */
  readonly community: Community | undefined;
  /** Where another process of the cluster plays a room; undefined if none does. */
  readonly reachOf: (room: string) => Promise<Reach | undefined>;
}

const bodyBytesMax = 16 * 1024;
const keyUnitsMax = 256;
/** Why bytes are not accepted as a request, by the code of Node's error. */
const unparsed: ReadonlyMap<string, readonly [status: number, message: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'The headers are too large.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time.']],
]);
/** Why a body is refused before it is validated, by status. */
const unreadable: Readonly<Record<number, string>> = {
  400: 'The body is not valid JSON, or does not have the announced length.',
  413: `The body is larger than ${bodyBytesMax / 1024} KiB.`,
  415: 'A body must be JSON: send it with "Content-Type: application/json".',
};
/** How long to wait until a platform result is in the journal. */
const resultMs = 10_000;
const addressesMax = 10_000;
/** For how long the map of a room is kept, and how long a room may take to answer. */
const glanceMs = 1000;
const answerMs = 2000;
/**
 * How many wrong tokens of administrators an address may send before it is told to wait. Right ones are accepted all
 * the same: otherwise a client with an outdated token would lock out everybody at its address. What slows guessing down
 * is the limit of requests, and tokens are long.
 */
const guesses: BucketOptions = { size: 30, perSecond: 0.5 };
/** The limit for files of the original client's page, which loads hundreds of them. */
const files: BucketOptions = { size: 2000, perSecond: 200 };

/** Creates the HTTP server: definitions, health, metrics, rooms, pages. */
export function createHttp(options: RouteOptions, services: RouteServices): FastifyInstance {
  const { clock, library, rooms, metrics, journalOf, fleetOf, isReady, tokens, reachOf, observer, community } =
    services;
  const app = fastify({
    bodyLimit: bodyBytesMax,
    // A target that is a whole URL must not change where a request is forwarded to.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?]*/i, ''),
    requestTimeout: options.requestMs,
    connectionTimeout: 30_000,
    keepAliveTimeout: 10_000,
    forceCloseConnections: true,
    http: {
      maxHeaderSize: 8 * 1024,
      // Node's default is 30 seconds.
      connectionsCheckingInterval: options.requestMs / 4,
    },
    routerOptions: { maxParamLength: 128 },
    // Validates requests without converting or removing anything.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allowUnionTypes: true } },
    // Bytes that are not an HTTP request.
    clientErrorHandler: ({ code = '' }, socket) => {
      const [status, message] = unparsed.get(code) ?? [400, undefined];
      if (socket.writable) socket.write(refusalText(status, 'bad-request', message));
      socket.destroy();
    },
    // Malformed URLs. The library's own answer would quote them.
    frameworkErrors: (error: { readonly code?: string }, _request: unknown, reply: unknown) => {
      const isLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
      void refuse(reply as FastifyReply, isLong ? 404 : 400, isLong ? 'not-found' : 'bad-request');
    },
  });
  app.server.headersTimeout = options.requestMs;
  const roomSummary = (room: RoomEntry) => ({ ...rooms.summary(room), tick: room.tick });
  const buckets = new Map<string, TokenBucket>();
  const guessing = new Map<string, TokenBucket>();
  /** From whom requests come; `isForwarded` ones by what another process says. */
  const senders = new WeakMap<FastifyRequest, Forwarded & { readonly isForwarded: boolean }>();
  const targetOf = ({ method, url }: FastifyRequest): string => `${method} ${url}`;

  app.addHook('onRequest', async (request, reply) => {
    // Clients may say of what type a body would be, and send none.
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers;
    if (length === '0' && coding === undefined) delete request.headers['content-type'];
    const now = clock.now();
    const token = forwardTokenOf(request.headers);
    const read = token === undefined ? undefined : await tokens.readForward(token);
    // What names an administrator holds for one request.
    const forwarded = read?.by === undefined || read.what === targetOf(request) ? read : undefined;
    const { address } = forwarded ?? { address: addressOf(request.raw, options.trustProxy) };
    senders.set(request, { ...forwarded, address, isForwarded: forwarded !== undefined });
    const isFile = options.client !== undefined && filePath.test(request.url);
    const network = networkOf(address);
    const key = isFile ? `files of ${network}` : network;
    const bucket = bucketOf(buckets, key, isFile ? files : options.requests, now);
    if (!bucket.spend(1, now) && !options.trusted.has(address)) return refuse(reply, 429, 'too-many');
    if (hasSeveralHosts(request.raw)) return refuse(reply, 400, 'bad-request', severalHosts);
    if (token !== undefined && forwarded === undefined) return refuse(reply, 403, 'token-invalid');
    // The other process has checked the host name of a forwarded request.
    if (forwarded === undefined && !isHostAllowed(request.raw, options.hosts)) {
      options.onForeignPage('host-name', nameOfHost(request.headers.host ?? ''));
      return refuse(reply, 421, 'host-not-allowed');
    }
    const { origin } = request.headers;
    if (origin === undefined) return undefined;
    if (isOriginAllowed(request.raw, options.origins)) {
      reply.header('access-control-allow-origin', origin).header('vary', 'origin');
    } else options.onForeignPage('origin', origin);
    return undefined;
  });

  const signForward = (request: FastifyRequest): Promise<string> => {
    const { address } = senders.get(request)!;
    const by: Admin | undefined = api.adminOf(request);
    if (by === undefined) return tokens.signForward({ address });
    const { name, scopes } = by;
    return tokens.signForward({ address, by: { name, scopes: [...scopes] }, what: targetOf(request) });
  };
  const forwardTo = async (inside: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    // If the process does not answer, another one takes its rooms over.
    (await forwardRequest(inside, await signForward(request), request, reply)) ?? refuse(reply, 503, 'elsewhere');
  // Requests about a room of another process are forwarded to it, once.
  app.addHook('preHandler', async (request, reply) => {
    const { id } = (request.params ?? {}) as { readonly id?: string };
    if (id === undefined || rooms.byId.has(id) || forwardTokenOf(request.headers) !== undefined) return undefined;
    const inside = (await reachOf(id).catch(() => undefined))?.inside;
    if (inside === undefined) return undefined;
    return forwardTo(inside, request, reply);
  });

  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'not-found'));
  type HttpError = Error & {
    readonly statusCode?: number;
    readonly validation?: readonly { readonly params: { readonly additionalProperty?: unknown } }[];
  };
  app.setErrorHandler((error: HttpError | Refused, _request, reply) => {
    if (error instanceof Refused) return refuse(reply, error.statusCode, error.code, error.message);
    const { statusCode, validation, message } = error;
    const status = statusCode !== undefined && statusCode < 500 ? statusCode : 500;
    const code = status === 500 ? 'internal' : 'bad-request';
    if (validation === undefined) return refuse(reply, status, code, unreadable[status]);
    const unknown = validation[0]?.params.additionalProperty;
    const name = unknown === undefined ? '' : `: ${JSON.stringify(unknown)}`;
    return refuse(reply, status, code, message + name);
  });

  const { admins } = options;
  const api = new Api(app, (request, scopes) => {
    const { address, by, isForwarded } = senders.get(request)!;
    if (by !== undefined) return Admins.named(by);
    if (isForwarded) {
      const why = 'The process that forwards the request names no administrator: its version is older.';
      throw new Refused(401, 'not-permitted', why);
    }
    const now = clock.now();
    const { authorization } = request.headers;
    const admin = admins?.of(authorization);
    if (admin !== undefined) return admin;
    const isLimited = !bucketOf(guessing, networkOf(address), guesses, now).spend(1, now);
    if (isLimited && !options.trusted.has(address)) throw new Refused(429, 'too-many');
    const why = authorization === undefined ? 'No token was sent.' : 'The token is unknown.';
    const needed = `Send "Authorization: Bearer TOKEN" with the token of an administrator who has: ${scopes.join(', ')}.`;
    throw new Refused(401, 'not-permitted', `${why} ${needed}`);
  });

  const { viewer } = options;
  if (viewer !== undefined) addPage(app, viewer, options.styleHosts);

  api.add('definition', (request, reply) => {
    const definition = library.get(request.params.slug);
    if (definition === undefined) {
      const message = `There is no definition "${request.params.slug}".`;
      return reply.code(404).send({ gameJson: { status: 'error', ...refusal('no-such-definition', message) } });
    }
    return sendDefinition(request, reply, definition.public);
  });
  const { moddio } = options;
  if (moddio !== undefined) {
    // Pages use the game id that they were given, which may not be one of this server.
    api.add('moddioDefinition', (request, reply) => {
      const definition = library.get(request.params.slug) ?? library.all[0]!;
      return sendDefinition(request, reply, definition.forModdio(moddio, options.styleHosts));
    });
  }

  const { client } = options;
  if (client !== undefined) {
    const page = (request: FastifyRequest<{ Params: { slug?: string } }>, reply: FastifyReply) => {
      const { slug } = request.params;
      const definition = slug === undefined ? library.all[0] : library.get(slug);
      if (definition === undefined) return refuse(reply, 404, 'no-such-definition');
      reply.header('content-security-policy', pagePolicy).header('cache-control', 'no-store');
      reply.header('x-content-type-options', 'nosniff').type('text/html; charset=utf-8');
      return reply.send(client.page(definition.slug, definition.title));
    };
    if (options.viewer === undefined) app.get('/', page);
    app.get('/play', page);
    app.get('/play/:slug', page);
    for (const folder of [...clientFolders.map((name) => `/${name}`), librariesPath]) {
      app.get(`${folder}/*`, async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
        const file = await client.file(`${folder}/${request.params['*']}`);
        if (file === undefined) return refuse(reply, 404, 'not-found');
        reply.header('content-length', file.bytes).header('x-content-type-options', 'nosniff').type(file.type);
        return reply.send(file.read());
      });
    }
  }

  api.add('definitions', () => ({
    definitions: library.all.map(({ slug, title, hash, version }) => ({ slug, title, hash, version })),
  }));

  api.add('healthz', () => ({ status: 'ok' }));
  api.add('readyz', (_request, reply) => {
    const ready = isReady();
    return ready ? { status: 'ready' } : reply.code(503).send({ status: 'not-ready', ...refusal('not-accepting') });
  });
  api.add('metrics', async (_request, reply) => {
    const { type, text } = await metrics();
    return reply.type(type).send(text);
  });
  const notice = options.chatLogDays === undefined ? {} : { chatLogDays: options.chatLogDays };
  api.add('rooms', async (request) => {
    const { slug, ...rest } = request.query;
    const filter = new Map(Object.entries(rest).map(([name, value]) => [name, String(value)]));
    const isShown = (room: ListedRoom): boolean =>
      room.code === undefined && (slug === undefined || room.slug === slug) && matches(room.properties, filter);
    const own = Array.from(rooms.byId.values(), roomSummary).filter(isShown);
    const fleet = await fleetOf();
    if (fleet === undefined) return { rooms: own, ...notice };
    const { self, others } = fleet;
    const elsewhere = others.flatMap(({ id, url, rooms: theirs }) =>
      theirs.filter(isShown).map((room) => ({ ...room, process: { id, url } })),
    );
    return { rooms: [...own.map((room) => ({ ...room, process: self })), ...elsewhere], ...notice };
  });

  // The version of the definition that the room was opened with.
  api.add('roomDefinition', (request, reply) => {
    const room = roomOf(rooms, request);
    return sendDefinition(request, reply, room.definition.public);
  });

  const glances = new WeakMap<RoomEntry, { readonly atMs: number; readonly glance: Promise<RoomGlance | undefined> }>();
  api.add('roomMap', async (request, reply) => {
    const room = rooms.byId.get(request.params.id);
    if (room?.identity.code !== undefined) return refuse(reply, 404, 'no-such-room');
    let known = room && glances.get(room);
    if (room !== undefined && (known === undefined || clock.now() - known.atMs >= glanceMs)) {
      known = { atMs: clock.now(), glance: rooms.glance(room) };
      glances.set(room, known);
    }
    let glance: RoomGlance | undefined;
    if (known !== undefined)
      await within(
        clock,
        answerMs,
        known.glance.then((found) => (glance = found)),
      );
    if (glance === undefined) return refuse(reply, 404, 'no-such-room');
    const { players, ...map } = glance;
    return options.showsPlayers ? glance : map;
  });

  api.add('openapi', () => api.document);

  if (admins === undefined || community === undefined) return app;

  const audit = (request: FastifyRequest, act: string, room: string): void =>
    observer.audit(api.adminOf(request).name, act, { room });
  api.add('openRoom', async (request, reply) => {
    const { slug, seed, private: isPrivate, properties } = request.body;
    const definition = slug === undefined ? library.all[0] : library.get(slug);
    if (definition === undefined) return refuse(reply, 404, 'no-such-definition');
    const isForwarded = forwardTokenOf(request.headers) !== undefined;
    const inside = rooms.admits || isForwarded ? undefined : (await rooms.directory.admittingProcess())?.inside;
    if (inside !== undefined) return forwardTo(inside, request, reply);
    if (!rooms.mayOpen(definition.slug)) return refuse(reply, 409, 'too-many-rooms');
    try {
      const room = await rooms.open(definition, { seed, isPrivate, properties });
      await rooms.directory.publish();
      audit(request, 'open', room.identity.id);
      const { code } = room.identity;
      const invitation = code === undefined ? {} : { invitation: `/#code=${code}` };
      return reply.code(201).send({ ...roomSummary(room), ...invitation });
    } catch (error) {
      if (error instanceof EndedAtStart) return refuse(reply, 409, 'room-ended');
      throw error;
    }
  });

  api.add('reserveSeats', async (request, reply) => {
    const room = roomOf(rooms, request, true);
    const { users = [], guests = 0, seconds = 60 } = request.body;
    const wanted = [...users, ...Array.from<undefined>({ length: guests })];
    if (wanted.length === 0) return refuse(reply, 400, 'bad-request', 'Name users or guests.');
    if (wanted.length > freeSeats(room)) return refuse(reply, 409, 'server-full');
    const ids = wanted.map((userId) => rooms.reserve(room, userId, seconds * 1000));
    audit(request, 'reserve', room.identity.id);
    const seats = await Promise.all(
      ids.map(async (seat, i) => {
        const token = await tokens.signSeat({ room: room.identity.id, seat }, seconds);
        return { ...defined({ userId: wanted[i] }), token };
      }),
    );
    return reply.code(201).send({ room: room.identity.id, seconds, seats });
  });

  // A result of the platform for a player.
  api.add('results', async (request, reply) => {
    const room = roomOf(rooms, request);
    const input = platformInput(request.body);
    if (input === undefined) return refuse(reply, 400, 'bad-input');
    if (room.seats.get(input.player)?.isIn !== true) return refuse(reply, 404, 'no-such-player');
    const key = request.headers['idempotency-key'];
    if (key !== undefined && (typeof key !== 'string' || key.length > keyUnitsMax)) {
      return refuse(reply, 400, 'bad-request', `Idempotency-Key has more than ${keyUnitsMax} characters.`);
    }
    let outcome = 'lost' as WriteOutcome;
    const settled = rooms.hostInput(room, input, key).then((known) => {
      outcome = known;
    });
    await within(clock, resultMs, settled);
    return outcome === 'kept' ? reply.code(200).send({}) : refuse(reply, 503, 'not-durable');
  });

  api.add('endRoom', async (request, reply) => {
    const room = roomOf(rooms, request);
    audit(request, 'end', room.identity.id);
    const end = await rooms.close(room);
    return end === 'over' ? reply.code(204).send() : refuse(reply, 409, 'elsewhere');
  });
  api.add('journal', async (request, reply) => {
    const journal = await journalOf(roomOf(rooms, request));
    if (journal === undefined) return refuse(reply, 404, 'no-such-room');
    return reply.type('application/octet-stream').send(Buffer.from(journal.buffer, journal.byteOffset, journal.length));
  });
  addInsight(api, rooms);
  addAdminRoutes(api, {
    community,
    rooms,
    observer,
    clock,
    fleetOf,
    viewer,
    signForward,
  });
  if (viewer === undefined) return app;
  addInsightPage(app, viewer);
  addAdminPage(app, viewer);
  // For operators only, because the page contains the whole definition with its scripts.
  api.add('page', async (request, reply) => {
    const room = roomOf(rooms, request);
    const journal = await journalOf(room);
    if (journal === undefined) return refuse(reply, 404, 'no-such-room');
    const { title, text } = room.definition;
    const page = journalPage({
      title,
      script: viewer.journal,
      definition: text,
      journal,
      tick: room.tick,
      images: viewer.images,
    });
    return reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page);
  });
  return app;
}

function sendDefinition(request: FastifyRequest, reply: FastifyReply, { etag, json, gzip }: PublicDefinition) {
  reply.header('etag', etag).header('cache-control', 'no-cache').header('vary', 'accept-encoding, origin');
  if (hasTag(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.type('application/json; charset=utf-8');
  if (!takesGzip(request.raw)) return reply.send(json);
  return reply.header('content-encoding', 'gzip').send(gzip);
}

const filePath = new RegExp(`^(?:${[...clientFolders.map((name) => `/${name}`), librariesPath].join('|')})/`);

function bucketOf(buckets: Map<string, TokenBucket>, key: string, options: BucketOptions, nowMs: number): TokenBucket {
  let bucket = buckets.get(key);
  if (bucket === undefined) {
    if (buckets.size >= addressesMax) buckets.clear();
    bucket = new TokenBucket(options, nowMs);
    buckets.set(key, bucket);
  }
  return bucket;
}

function hasTag(header: string | undefined, etag: string): boolean {
  return (header ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
