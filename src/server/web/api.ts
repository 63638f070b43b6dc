import type { FastifyInstance } from 'fastify';
import { type Dictionary, engineVersion, mapMembers } from '../../../engine/core/index.ts';
import type { ForwardableRequest } from '../../cluster/index.ts';
import {
  array,
  boolean,
  checkAgainst,
  type Infer,
  integer,
  object,
  optional,
  record,
  type Schema,
  string,
  words,
} from '../../schema/index.ts';
import type { Scope } from './admins.ts';
import { Refused } from './refusals.ts';

/**
 * A route of the server. The validation of requests, the OpenAPI document and the table in the documentation are
 * derived from it.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** The path in the syntax of `fastify`: `/rooms/:id`. */
  readonly path: string;
  readonly does: string;
  /** The scopes that an administrator's token must have. Without them, the route is public. */
  readonly scopes?: readonly Scope[];
  readonly query?: Dictionary<string>;
  readonly body?: Schema;
  /** The meaning of each status. Failures that all routes have in common are left out. */
  readonly answers: Dictionary<string>;
}

const text = (maxLength: number, description: string) => string({ maxLength, description });
const seconds = integer({
  minimum: 1,
  maximum: 10 * 365 * 24 * 3600,
  description: 'How long the ban lasts; without a duration, until the ban is lifted.',
});
const message = string({ minLength: 1, maxLength: 500, description: 'The text that players see.' });
const reason = text(500, 'The reason that the player sees.');
const admit = boolean({ description: 'Whether new players may enter.' });
// A list of types rather than `anyOf`: with `anyOf`, the validator would convert values to the type of the first
// alternative.
const label: Schema<string | number | boolean> = { type: ['string', 'number', 'boolean'], maxLength: 64 };
const noRecords = { 503: '`not-durable`: the records of bans and reports cannot be read or written' } as const;
const noRoom = { 404: '`no-such-room`' } as const;
const noPlayer = { 404: '`no-such-room`, `no-such-player`', 503: '`not-durable`: possibly without effect' } as const;
const done = { 200: 'Done, and recorded in the journal.' } as const;

export const routes = {
  definitions: {
    method: 'GET',
    path: '/definitions',
    does: 'The games of the server, with their covers and instructions, and whether players need an account or an IP address of their own.',
    answers: { 200: '`{definitions}`' },
  },
  definition: {
    method: 'GET',
    path: '/definitions/:slug',
    does: 'A definition as `{"gameJson": {"status": "success", "data": …}}`, with ETag and gzip. In a response 404, `status` is `"error"`.',
    answers: { 200: 'The definition', 304: 'Unchanged', 404: '`no-such-definition`' },
  },
  moddioDefinition: {
    method: 'GET',
    path: '/api/game-client/:slug',
    does: 'With `--protocol moddio`: the definition in the form that clients of modd.io expect.',
    answers: { 200: 'The definition', 304: 'Unchanged' },
  },
  rooms: {
    method: 'GET',
    path: '/rooms',
    does: 'Public rooms with players, watchers, places, properties, `speed` (the share of due ticks that were played), and `slowReason` if players notice that the room is slow; with a shared journal, the rooms of all processes. `?slug=…` and `?mode=ranked` filter by game and by property.',
    query: { slug: 'Only rooms of this game. Any other parameter is the name of a property.' },
    answers: { 200: '`{rooms}`, and `chatLogDays` if chat messages are kept' },
  },
  roomDefinition: {
    method: 'GET',
    path: '/rooms/:id/definition',
    does: 'The definition that a room plays.',
    answers: { 200: 'The definition', 304: 'Unchanged', ...noRoom },
  },
  roomPicture: {
    method: 'GET',
    path: '/rooms/:id/picture',
    does: 'A picture of a public room, at most five minutes old. It shows units only if watchers may see all of them.',
    answers: { 200: 'SVG', ...noRoom },
  },
  healthz: { method: 'GET', path: '/healthz', does: '200 while the process works.', answers: { 200: 'Working' } },
  readyz: {
    method: 'GET',
    path: '/readyz',
    does: '200 while the process accepts players, else 503.',
    answers: { 200: 'Ready', 503: 'Not ready' },
  },
  metrics: { method: 'GET', path: '/metrics', does: '[Metrics](#metrics).', answers: { 200: 'Text for Prometheus' } },
  openapi: {
    method: 'GET',
    path: '/openapi.json',
    does: 'This table as an OpenAPI document, with the bodies of requests.',
    answers: { 200: 'OpenAPI 3.1' },
  },
  openRoom: {
    method: 'POST',
    path: '/rooms',
    does: 'Opens a room. Players select a public room by its properties; they enter a private room only with its code or a reserved seat.',
    scopes: ['operate'],
    body: object({
      slug: optional(text(128, 'The slug of the game; by default the first game.')),
      seed: optional(text(256, 'The seed of the random numbers in the room.')),
      private: optional(
        boolean({
          description:
            'Whether the room is private: it is in no list, and players enter it with a code. A private room ends when its last player leaves.',
        }),
      ),
      properties: optional(
        record(label, {
          description: 'Labels by which rooms are listed and chosen.',
          maxProperties: 16,
          // `slug` is not allowed as a label, because `GET /rooms?slug=…` selects by game.
          propertyNames: { pattern: '^(?!slug$)[\\w.-]{1,64}$' },
        }),
      ),
    }),
    answers: {
      201: 'The room, as in `GET /rooms`; for a private room also its `code`, and `invitation`, the path of the page that enters the room',
      404: '`no-such-definition`',
      409: '`too-many-rooms`, or `room-ended`: the game was over before its first tick',
    },
  },
  reserveSeats: {
    method: 'POST',
    path: '/rooms/:id/seats',
    does: 'Reserves seats, for a party or an external matchmaker. Each seat has a token that can be used once, as a resume token.',
    scopes: ['operate'],
    body: object({
      users: optional(
        array(string({ minLength: 1, maxLength: 128 }), {
          maxItems: 256,
          description: 'Accounts. Each account gets a seat that only this account can take.',
        }),
      ),
      guests: optional(
        integer({ minimum: 0, maximum: 256, description: 'The number of seats that anybody with the token can take.' }),
      ),
      seconds: optional(
        integer({ minimum: 1, maximum: 600, description: 'How long the seats are kept, in seconds; by default 60.' }),
      ),
    }),
    answers: {
      201: '`{room, seconds, seats: [{userId, token}]}`',
      400: '`bad-request`: no seat was requested',
      ...noRoom,
      409: '`server-full`: the room has too few free seats, so no seat was reserved',
    },
  },
  endRoom: {
    method: 'DELETE',
    path: '/rooms/:id',
    does: 'Ends a room; scripts and players are notified. `409 elsewhere` if another process has taken the room over.',
    scopes: ['operate'],
    answers: { 204: 'The room has ended.', ...noRoom, 409: '`elsewhere`' },
  },
  results: {
    method: 'POST',
    path: '/rooms/:id/results',
    does: 'Passes a result of [the platform](#the-platform) to a room.',
    scopes: ['operate'],
    answers: { ...done, 400: '`bad-input`', ...noPlayer },
  },
  journal: {
    method: 'GET',
    path: '/rooms/:id/journal',
    does: 'The journal of a room since its newest snapshot, for `reenact replay`.',
    scopes: ['look', 'addresses'],
    answers: { 200: 'A journal file', ...noRoom },
  },
  page: {
    method: 'GET',
    path: '/rooms/:id/page',
    does: 'The recording of the room as a [page](viewer.md) to save.',
    scopes: ['look', 'addresses'],
    answers: { 200: 'HTML', ...noRoom },
  },
  adminRooms: {
    method: 'GET',
    path: '/admin/rooms',
    does: 'Rooms and players of all processes, at this moment. IP addresses need the scope `addresses`.',
    scopes: ['look'],
    answers: {
      200: '`{processes: [{id, isAdmitting, hour: [{players, rooms, lateTicks, cores, memoryBytes}], rooms: [{…, isClosed, people}]}]}` (`hour`: each of the last sixty minutes, the current one last; a tick is late if it begins more than 50 ms late), and `name` and `scopes` of the token',
    },
  },
  kick: {
    method: 'POST',
    path: '/admin/rooms/:id/players/:player/kick',
    does: 'Removes a player, who may join again.',
    scopes: ['moderate'],
    body: object({ reason: optional(reason) }),
    answers: { ...done, ...noPlayer },
  },
  mute: {
    method: 'POST',
    path: '/admin/rooms/:id/players/:player/mute',
    does: 'Excludes a player from the chat, even after the player joins again. An account is muted until it is unmuted; a guest is muted by IP address, for a day.',
    scopes: ['moderate'],
    answers: { ...done, ...noPlayer },
  },
  unmute: {
    method: 'POST',
    path: '/admin/rooms/:id/players/:player/unmute',
    does: 'Lets a player chat again.',
    scopes: ['moderate'],
    answers: { ...done, ...noPlayer },
  },
  banPlayer: {
    method: 'POST',
    path: '/admin/rooms/:id/players/:player/ban',
    does: 'Removes a player and bans its account, its IP address, or both (the default); a guest has no account to ban.',
    scopes: ['moderate'],
    body: object({
      what: optional(words(['account', 'address', 'both'])),
      game: optional(boolean({ description: 'Whether the ban is for the game of the room only.' })),
      seconds: optional(seconds),
      reason: optional(reason),
    }),
    answers: { 201: 'The ban', 400: '`no-account`: the player is a guest', ...noPlayer },
  },
  messageRoom: {
    method: 'POST',
    path: '/admin/rooms/:id/message',
    does: 'Shows a message in the chat of a room.',
    scopes: ['moderate'],
    body: object({ text: message }),
    answers: { ...done, ...noRoom, 503: '`not-durable`' },
  },
  messageAll: {
    method: 'POST',
    path: '/admin/message',
    does: 'Shows a message in the chat of all rooms of all processes.',
    scopes: ['moderate'],
    body: object({ text: message }),
    answers: { 200: '`{rooms}`: how many rooms show it' },
  },
  moveRoom: {
    method: 'POST',
    path: '/admin/rooms/:id/move',
    does: 'Moves a room to the thread of its process that has the most time left. Its players reconnect.',
    scopes: ['operate'],
    answers: { 200: 'The move has begun.', ...noRoom, 409: '`no-other-thread`' },
  },
  newcomersOfRoom: {
    method: 'POST',
    path: '/admin/rooms/:id/newcomers',
    does: 'Closes a room to new players, or opens it again. Players of the room can come back.',
    scopes: ['operate'],
    body: object({ admit }),
    answers: { 200: 'Done', ...noRoom },
  },
  newcomers: {
    method: 'POST',
    path: '/admin/newcomers',
    does: 'Closes one or all processes to new players, or opens them again. While a process is closed, a room ends when its last player leaves, and `/readyz` answers 503.',
    scopes: ['operate'],
    body: object({ admit, process: optional(text(64, 'The id of a process; by default all processes.')) }),
    answers: { 200: 'Done', 404: '`no-such-process`' },
  },
  bans: {
    method: 'GET',
    path: '/admin/bans',
    does: 'Bans in force.',
    scopes: ['look'],
    answers: { 200: '`{bans}`' },
  },
  ban: {
    method: 'POST',
    path: '/admin/bans',
    does: 'Bans an account or an address (for IPv6, its /64 network), in all processes within a second.',
    scopes: ['moderate'],
    body: object({
      userId: optional(string({ minLength: 1, maxLength: 128, description: 'The account.' })),
      address: optional(text(64, 'The IP address.')),
      slug: optional(text(128, 'The slug of the only game from which to ban; by default all games.')),
      seconds: optional(seconds),
      reason: optional(reason),
    }),
    answers: { 201: 'The ban', 400: '`bad-request`', 503: '`not-durable`' },
  },
  unban: {
    method: 'DELETE',
    path: '/admin/bans/:ban',
    does: 'Lifts a ban.',
    scopes: ['moderate'],
    answers: { 204: 'Lifted', 404: '`no-such-ban`', ...noRecords },
  },
  reports: {
    method: 'GET',
    path: '/admin/reports',
    does: 'Reports of players, the newest first.',
    scopes: ['look'],
    answers: { 200: '`{reports}`', ...noRecords },
  },
  reportJournal: {
    method: 'GET',
    path: '/admin/reports/:report/journal',
    does: 'The 30 seconds before a report, for `reenact view`.',
    scopes: ['look', 'addresses'],
    answers: { 200: 'A journal file', 404: '`no-such-report`', ...noRecords },
  },
  reportPage: {
    method: 'GET',
    path: '/admin/reports/:report/page',
    does: 'The 30 seconds before a report as a [page](viewer.md) that opens at the moment of the report.',
    scopes: ['look', 'addresses'],
    answers: { 200: 'HTML', 404: '`no-such-report`', ...noRecords },
  },
  removeReport: {
    method: 'DELETE',
    path: '/admin/reports/:report',
    does: 'Removes a report.',
    scopes: ['moderate'],
    answers: { 204: 'Removed', 404: '`no-such-report`', ...noRecords },
  },
} as const satisfies Dictionary<Route>;

export type RouteName = keyof typeof routes;
/** The names of the parameters in a path: `/rooms/:id/players/:player` has `id` and `player`. */
type Params<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Params<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
/** A request, independent of the transport that it came by. */
export interface ApiRequest extends ForwardableRequest {
  readonly params: unknown;
  readonly query: unknown;
}

/** A request after validation by its route. */
export interface Checked<N extends RouteName> extends ApiRequest {
  readonly params: { [K in Params<(typeof routes)[N]['path']>]: string };
  readonly query: Dictionary;
  readonly body: (typeof routes)[N] extends { readonly body: infer B extends Schema } ? Infer<B> : unknown;
}

/**
 * The handlers of some routes. Each returns the JSON for the declared status of success, or a `Response`. Routes
 * without a handler are not served.
 */
export type Handlers = {
  readonly [N in RouteName]?: ((request: Checked<N>) => unknown) | undefined;
};
export type Handler = (request: ApiRequest) => unknown;

/** The route of a request; undefined if there is none. */
export function routeOf(
  method: string,
  path: string,
): { readonly name: RouteName; readonly params: Dictionary<string> } | undefined {
  for (const [name, route] of Object.entries(routes)) {
    const pattern = route.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)');
    const found = route.method === method ? new RegExp(`^${pattern}$`).exec(path) : null;
    if (found === null) continue;
    const params = Object.entries(found.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return { name: name as RouteName, params: Object.fromEntries(params) };
  }
  return undefined;
}

/**
 * The success status of a route: the lowest status that it declares. Integer keys of an object are in ascending order.
 */
export function successOf({ answers }: Route): number {
  return Number(Object.keys(answers)[0]);
}

/** Throws `Refused` if a body does not match the schema of its route. */
export function checkBody(schema: Schema, body: unknown) {
  checkAgainst(schema, body, ['body'], (path, message) => {
    throw new Refused(400, 'bad-request', `${path.join('/')}: ${message}`);
  });
}

/**
 * Adds declared routes to an HTTP server. Returns their names. `authorize` throws `Refused` unless the request comes
 * from an administrator with these scopes.
 */
export function addRoutes(
  app: FastifyInstance,
  handlers: Handlers,
  authorize: (request: ApiRequest, scopes: readonly Scope[]) => void,
): RouteName[] {
  const added = (Object.keys(handlers) as RouteName[]).filter((name) => handlers[name] !== undefined);
  for (const name of added) {
    const route: Route = routes[name];
    const { method, path, body, scopes } = route;
    app.route({
      method,
      url: path,
      onRequest: async (request) => {
        if (scopes !== undefined) authorize(request, scopes);
      },
      preValidation: async (request, reply) => {
        reply.code(successOf(route));
        if (body === undefined) return;
        // A body may be omitted if all its members are optional.
        request.body ??= {};
        checkBody(body, request.body);
      },
      handler: handlers[name] as Handler,
    });
  }
  return added;
}

/** The OpenAPI document of some routes. */
export function openApi(names: readonly RouteName[]): object {
  const schema = { type: 'string' };
  const paths: Record<string, Record<string, object>> = {};
  for (const operationId of names) {
    const { method, path, does, scopes, query = {}, body, answers }: Route = routes[operationId];
    const params = Array.from(path.matchAll(/:(\w+)/g), ([, param]) => param!);
    const responses: Record<string, object> = mapMembers(answers, (description) => ({ description }));
    if (scopes !== undefined) {
      responses['401'] = { description: '`not-permitted`: the token is missing or unknown' };
      responses['403'] = { description: '`not-permitted`: the token lacks a scope' };
    }
    const at = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[at] ??= {};
    paths[at][method.toLowerCase()] = {
      operationId,
      summary: does,
      parameters: [
        ...params.map((name) => ({ name, in: 'path', required: true, schema })),
        ...Object.entries(query).map(([name, description]) => ({
          name,
          in: 'query',
          required: false,
          description,
          schema,
        })),
      ],
      ...(scopes !== undefined && { security: [{ token: [] }], 'x-scopes': scopes }),
      ...(body !== undefined && { requestBody: { content: { 'application/json': { schema: body } } } }),
      responses,
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Reenact server', version: engineVersion },
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}
