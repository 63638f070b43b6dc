import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify';
import {
  array,
  boolean,
  type Infer,
  integer,
  object,
  optional,
  record,
  type Schema,
  string,
  words,
} from '../../schema/index.ts';
import type { Admin, Scope } from './admins.ts';
import { Refused } from './refusals.ts';

/** A route of the server. Checks of requests and the table of the documentation follow from it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As `fastify` writes it: `/rooms/:id`. */
  readonly path: string;
  readonly does: string;
  /** What an administrator's token must allow. Without it, the route is for everybody. */
  readonly scopes?: readonly Scope[];
  readonly body?: Schema;
}

const text = (maxLength: number, description: string) => string({ maxLength, description });
const seconds = integer({
  minimum: 1,
  maximum: 10 * 365 * 24 * 3600,
  description: 'How long it lasts; without it, until it is lifted.',
});
const message = string({ minLength: 1, maxLength: 500, description: 'What players are shown.' });
const reason = text(500, 'What the player is told.');
const admit = boolean({ description: 'Whether new players may enter.' });
// Not `anyOf`, whose first alternative would convert the values of the others.
const label: Schema<string | number | boolean> = { type: ['string', 'number', 'boolean'], maxLength: 64 };

export const routes = {
  definitions: { method: 'GET', path: '/definitions', does: 'The games served.' },
  definition: {
    method: 'GET',
    path: '/definitions/:slug',
    does: '`{"gameJson": {"status": "success", "data": …}}`, with ETag and gzip; 404 with `status: "error"`.',
  },
  moddioDefinition: {
    method: 'GET',
    path: '/api/game-client/:slug',
    does: 'With `--protocol moddio`: the definition as its clients expect it.',
  },
  rooms: {
    method: 'GET',
    path: '/rooms',
    does: 'Public rooms with players, watchers, places, properties, `speed` (ticks played of those due), and `slowReason` if players notice that; with a shared journal, those of all processes. `?slug=…` and `?mode=ranked` choose by game and by property.',
  },
  roomDefinition: {
    method: 'GET',
    path: '/rooms/:id/definition',
    does: 'The definition that a room plays.',
  },
  healthz: { method: 'GET', path: '/healthz', does: '200 while the process works.' },
  readyz: {
    method: 'GET',
    path: '/readyz',
    does: '200 while it accepts players, else 503.',
  },
  metrics: { method: 'GET', path: '/metrics', does: '[Metrics](#metrics).' },
  openRoom: {
    method: 'POST',
    path: '/rooms',
    does: 'Opens a room. Players can choose it by its properties; a private one only by its code or by a reserved seat. 201 with the room, as in `GET /rooms`, and of a private one `code` and `invitation`, a path of the page; 409 `too-many-rooms`, or `room-ended` if its game ends at the start.',
    scopes: ['operate'],
    body: object({
      slug: optional(text(128, 'The game; by default the first one.')),
      seed: optional(text(256, 'The seed of its random numbers.')),
      private: optional(
        boolean({ description: 'Whether it is listed nowhere, and has a code. It ends with its last player.' }),
      ),
      properties: optional(
        record(label, {
          description: 'Labels by which rooms are listed and chosen.',
          maxProperties: 16,
          // `GET /rooms?slug=…` chooses by game.
          propertyNames: { pattern: '^(?!slug$)[\\w.-]{1,64}$' },
        }),
      ),
    }),
  },
  reserveSeats: {
    method: 'POST',
    path: '/rooms/:id/seats',
    does: 'Reserves seats, for a party or an outside matchmaker. Each has a token that is used once, in place of a resume token. 201 with `{room, seconds, seats: [{userId, token}]}`; 409 `server-full` if there are not as many, and none is reserved.',
    scopes: ['operate'],
    body: object({
      users: optional(
        array(string({ minLength: 1, maxLength: 128 }), {
          maxItems: 256,
          description: 'Accounts, each of which gets a seat that only it can take.',
        }),
      ),
      guests: optional(
        integer({ minimum: 0, maximum: 256, description: 'Seats that anybody with the token can take.' }),
      ),
      seconds: optional(integer({ minimum: 1, maximum: 600, description: 'How long they are kept; by default 60.' })),
    }),
  },
  endRoom: {
    method: 'DELETE',
    path: '/rooms/:id',
    does: 'Ends a room; scripts and players are told. `409 elsewhere` if another process has taken it.',
    scopes: ['operate'],
  },
  results: {
    method: 'POST',
    path: '/rooms/:id/results',
    does: 'A result from [the platform](#the-platform).',
    scopes: ['operate'],
  },
  journal: {
    method: 'GET',
    path: '/rooms/:id/journal',
    does: 'A journal since the newest snapshot, for `reenact replay`.',
    scopes: ['look', 'addresses'],
  },
  insight: {
    method: 'GET',
    path: '/rooms/:id/insight',
    does: 'A [feed](protocol.md#the-feed-of-an-operator) of the room. At most four at a time (409 `too-many`).',
    scopes: ['look', 'addresses'],
  },
  page: {
    method: 'GET',
    path: '/rooms/:id/page',
    does: 'The play as a [page](viewer.md) to save.',
    scopes: ['look', 'addresses'],
  },
  adminRooms: {
    method: 'GET',
    path: '/admin/rooms',
    does: 'Rooms and players of all processes, live. Addresses need the scope `addresses`.',
    scopes: ['look'],
  },
  kick: {
    method: 'POST',
    path: '/admin/rooms/:id/players/:player/kick',
    does: 'Removes a player, who may join again.',
    scopes: ['moderate'],
    body: object({ reason: optional(reason) }),
  },
  mute: {
    method: 'POST',
    path: '/admin/rooms/:id/players/:player/mute',
    does: 'Excludes a player from the chat, also after it joins again: an account until it is unmuted, a guest by its address for a day.',
    scopes: ['moderate'],
  },
  unmute: {
    method: 'POST',
    path: '/admin/rooms/:id/players/:player/unmute',
    does: 'Lets a player chat again.',
    scopes: ['moderate'],
  },
  banPlayer: {
    method: 'POST',
    path: '/admin/rooms/:id/players/:player/ban',
    does: 'Removes a player and bans its account, its address, or both (the default), as far as it has them.',
    scopes: ['moderate'],
    body: object({
      what: optional(words(['account', 'address', 'both'])),
      game: optional(boolean({ description: 'Whether the ban is for the game of the room only.' })),
      seconds: optional(seconds),
      reason: optional(reason),
    }),
  },
  messageRoom: {
    method: 'POST',
    path: '/admin/rooms/:id/message',
    does: 'Shows a message in the chat of a room.',
    scopes: ['moderate'],
    body: object({ text: message }),
  },
  messageAll: {
    method: 'POST',
    path: '/admin/message',
    does: 'Shows a message in the chat of all rooms of all processes.',
    scopes: ['moderate'],
    body: object({ text: message }),
  },
  moveRoom: {
    method: 'POST',
    path: '/admin/rooms/:id/move',
    does: 'Moves a room to another thread of its process, the one with the most time. Its players reconnect.',
    scopes: ['operate'],
  },
  newcomersOfRoom: {
    method: 'POST',
    path: '/admin/rooms/:id/newcomers',
    does: 'Closes a room to new players, or opens it again. Players of the room can come back.',
    scopes: ['operate'],
    body: object({ admit }),
  },
  newcomers: {
    method: 'POST',
    path: '/admin/newcomers',
    does: 'Closes one or all processes to new players, or opens them again. Until then, rooms end with their last players, and `/readyz` answers 503.',
    scopes: ['operate'],
    body: object({ admit, process: optional(text(64, 'The id of a process; by default all.')) }),
  },
  bans: {
    method: 'GET',
    path: '/admin/bans',
    does: 'Bans in force.',
    scopes: ['look'],
  },
  ban: {
    method: 'POST',
    path: '/admin/bans',
    does: 'Bans an account or an address (for IPv6, its /64 network), in all processes within a second.',
    scopes: ['moderate'],
    body: object({
      userId: optional(string({ minLength: 1, maxLength: 128, description: 'The account.' })),
      address: optional(text(64, 'The IP address.')),
      slug: optional(text(128, 'The only game that the ban is for.')),
      seconds: optional(seconds),
      reason: optional(reason),
    }),
  },
  unban: {
    method: 'DELETE',
    path: '/admin/bans/:ban',
    does: 'Lifts a ban.',
    scopes: ['moderate'],
  },
  reports: {
    method: 'GET',
    path: '/admin/reports',
    does: 'Reports of players, the newest first.',
    scopes: ['look'],
  },
  reportJournal: {
    method: 'GET',
    path: '/admin/reports/:report/journal',
    does: 'The 30 seconds before a report, for `reenact view`.',
    scopes: ['look', 'addresses'],
  },
  reportPage: {
    method: 'GET',
    path: '/admin/reports/:report/page',
    does: 'The same as a [page](viewer.md) that opens at the moment of the report.',
    scopes: ['look', 'addresses'],
  },
  removeReport: {
    method: 'DELETE',
    path: '/admin/reports/:report',
    does: 'Removes a report.',
    scopes: ['moderate'],
  },
} as const satisfies Readonly<Record<string, Route>>;

type RouteName = keyof typeof routes;
/** `/rooms/:id/players/:player` has `id` and `player`. */
type Params<Path> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Params<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
/** A request that a route has checked. */
type Checked<N extends RouteName> = FastifyRequest<{
  Params: { [K in Params<(typeof routes)[N]['path']>]: string };
  Querystring: Record<string, unknown>;
  Body: (typeof routes)[N] extends { readonly body: infer B extends Schema } ? Infer<B> : unknown;
}>;

/** Adds declared routes to an HTTP server. */
export class Api {
  private readonly app: FastifyInstance;
  /** Returns the administrator who makes a request that needs some scopes. Throws `Refused` if there is none. */
  private readonly authorize: (request: FastifyRequest, scopes: readonly Scope[]) => Admin;
  private readonly admins = new WeakMap<FastifyRequest, Admin>();

  constructor(app: FastifyInstance, authorize: Api['authorize']) {
    this.app = app;
    this.authorize = authorize;
  }

  add<N extends RouteName>(name: N, handler: (request: Checked<N>, reply: FastifyReply) => unknown): void {
    const { method, path, body, scopes }: Route = routes[name];
    this.app.route({
      method,
      url: path,
      schema: body === undefined ? {} : { body },
      onRequest: async (request) => {
        if (scopes === undefined) return;
        const admin = this.authorize(request, scopes);
        const missing = scopes.filter((scope) => !admin.scopes.has(scope));
        if (missing.length > 0) throw new Refused(403, 'not-permitted', `The token lacks: ${missing.join(', ')}.`);
        this.admins.set(request, admin);
      },
      preValidation: async (request) => {
        // A body may be omitted if all its members are optional.
        if (body !== undefined) request.body ??= {};
      },
      handler: handler as RouteHandlerMethod,
    });
  }

  /** The administrator who makes a request. */
  adminOf(request: FastifyRequest): Admin {
    return this.admins.get(request)!;
  }
}
