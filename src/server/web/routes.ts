import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { forwardTokenOf } from '../../cluster/index.ts';
import type { ServerCore } from '../core.ts';
import { banRoutes } from './admin/bans.ts';
import { hostingRoutes } from './admin/hosting.ts';
import { overviewRoute } from './admin/overview.ts';
import { playerRoutes } from './admin/players.ts';
import { playRoutes } from './admin/plays.ts';
import { reportRoutes } from './admin/reports.ts';
import { roomControlRoutes } from './admin/room-control.ts';
import { Api } from './api.ts';
import { addAdminPages, addPage } from './page.ts';
import { addClientPages } from './public/client-pages.ts';
import { definitionRoutes } from './public/definitions.ts';
import { roomRoutes } from './public/rooms.ts';
import { statusRoutes } from './public/status.ts';
import { Refused, refusalText, refuse } from './refusals.ts';
import { Senders } from './senders.ts';
import type { HttpOptions } from './services.ts';

const bodyBytesMax = 16 * 1024;
/** The responses to bytes that are not accepted as a request, by the code of Node's error. */
const unparsed: ReadonlyMap<string, readonly [status: number, message: string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'The headers are too large.']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'The request did not arrive in time.']],
]);
/** The messages for bodies that are refused before they are validated, by status. */
const unreadable: Readonly<Record<number, string>> = {
  400: 'The body is not valid JSON, or does not have the announced length.',
  413: `The body is larger than ${bodyBytesMax / 1024} KiB.`,
  415: 'A body must be JSON: send it with "Content-Type: application/json".',
};

/** The public routes. The OpenAPI document lists routes in this order. */
const publicRoutes = [definitionRoutes, statusRoutes, roomRoutes];
/** The routes for administrators. The OpenAPI document lists them after the public ones. */
const adminRoutes = [
  hostingRoutes,
  playRoutes,
  overviewRoute,
  playerRoutes,
  roomControlRoutes,
  banRoutes,
  reportRoutes,
];

/** Creates the HTTP server: definitions, health, metrics, rooms, pages. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const { viewer, client, core } = options;
  const { rooms, community } = core;
  const app = bareHttp(options.requestMs);
  const senders = new Senders(options);
  const services = { ...options, rooms, senders };
  app.addHook('onRequest', (request, reply) => senders.admit(request, reply));
  forwardToRooms(app, core, senders);

  const api = new Api(app, (request, scopes) => senders.authorize(request, scopes));
  if (viewer !== undefined) addPage(app, viewer, options.styleHosts);
  if (client !== undefined) addClientPages(app, client, services);
  for (const routes of publicRoutes) api.add(routes(services));
  api.add({ openapi: () => api.document });
  if (options.admins === undefined || community === undefined) return app;
  for (const routes of adminRoutes) api.add(routes({ ...services, community }));
  if (viewer !== undefined) addAdminPages(app, viewer);
  return app;
}

/** Creates an HTTP server without routes, but with the responses to unreadable requests, unknown paths and errors. */
function bareHttp(requestMs: number): FastifyInstance {
  const app = fastify({
    bodyLimit: bodyBytesMax,
    // If the target of a request is a whole URL, only its path counts, so that it cannot change where the request is
    // forwarded to.
    rewriteUrl: ({ url = '/' }) => url.replace(/^https?:\/\/[^/?]*/i, ''),
    requestTimeout: requestMs,
    connectionTimeout: 30_000,
    keepAliveTimeout: 10_000,
    forceCloseConnections: true,
    http: {
      maxHeaderSize: 8 * 1024,
      // A quarter of the timeout, because Node's default of 30 seconds would be too long.
      connectionsCheckingInterval: requestMs / 4,
    },
    routerOptions: { maxParamLength: 128 },
    // Validates requests without converting or removing anything.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allowUnionTypes: true } },
    // Answers bytes that are not an HTTP request.
    clientErrorHandler: ({ code = '' }, socket) => {
      const [status, message] = unparsed.get(code) ?? [400, undefined];
      if (socket.writable) socket.write(refusalText(status, 'bad-request', message));
      socket.destroy();
    },
    // Answers malformed URLs. The library's own answer would quote them.
    frameworkErrors: (error: { readonly code?: string }, _request: unknown, reply: unknown) => {
      const isLong = error.code === 'FST_ERR_MAX_PARAM_LENGTH';
      void refuse(reply as FastifyReply, isLong ? 404 : 400, isLong ? 'not-found' : 'bad-request');
    },
  });
  app.server.headersTimeout = requestMs;
  app.addHook('onRequest', async ({ headers }) => {
    // Clients may name the type of a body without sending one; the header is then ignored.
    const { 'content-length': length = '0', 'transfer-encoding': coding } = headers;
    if (length === '0' && coding === undefined) delete headers['content-type'];
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
  return app;
}

/** Forwards a request about a room of another process to that process, unless it was forwarded already. */
function forwardToRooms(app: FastifyInstance, core: ServerCore, senders: Senders): void {
  app.addHook('preHandler', async (request, reply) => {
    const { id } = (request.params ?? {}) as { readonly id?: string };
    if (id === undefined || core.rooms.byId.has(id) || forwardTokenOf(request.headers) !== undefined) return undefined;
    const inside = (await core.reachOf(id).catch(() => undefined))?.inside;
    return inside && senders.forwardTo(inside, request, reply);
  });
}
