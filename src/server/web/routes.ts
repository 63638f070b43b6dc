import fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { forwardTokenOf } from '../../cluster/index.ts';
import type { ServerCore } from '../core.ts';
import { adminHandlers } from './admin-handlers.ts';
import { addRoutes, openApi, type RouteName } from './api.ts';
import { OtherProcesses } from './other-processes.ts';
import { addAdminPages, addPage, sendMissingPage } from './page.ts';
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

/** Creates the HTTP server: definitions, health, metrics, rooms, pages. */
export function createHttp(options: HttpOptions): FastifyInstance {
  const { viewer, client, core } = options;
  const { rooms, community } = core;
  const app = bareHttp(options.requestMs);
  const senders = new Senders(options);
  const others = new OtherProcesses(core, senders, options.observer);
  const services = { ...options, rooms, senders, others };
  app.addHook('onRequest', (request, reply) => senders.admit(request, reply));
  forwardToRooms(app, core, others);

  if (viewer !== undefined) addPage(app, viewer, options.styleHosts);
  if (client !== undefined) addClientPages(app, client, services);
  const isAdministered = options.admins !== undefined && community !== undefined;
  const names: RouteName[] = addRoutes(
    app,
    {
      ...definitionRoutes(services),
      ...statusRoutes(services),
      ...roomRoutes(services),
      openapi: () => openApi(names),
      ...(isAdministered && adminHandlers({ ...services, community })),
    },
    (request, scopes) => senders.authorize(request, scopes),
  );
  if (isAdministered && viewer !== undefined) addAdminPages(app, viewer);
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
  app.setNotFoundHandler(({ headers: { accept = '' } }, reply) =>
    accept.includes('text/html') ? sendMissingPage(reply) : refuse(reply, 404, 'not-found'),
  );
  app.setErrorHandler((error: Error & { readonly statusCode?: number }, _request, reply) => {
    if (error instanceof Refused) return refuse(reply, error.statusCode, error.code, error.message);
    const { statusCode } = error;
    const status = statusCode !== undefined && statusCode < 500 ? statusCode : 500;
    return refuse(reply, status, status === 500 ? 'internal' : 'bad-request', unreadable[status]);
  });
  return app;
}

/** Forwards a request about a room of another process to that process, unless it was forwarded already. */
function forwardToRooms(app: FastifyInstance, core: ServerCore, others: OtherProcesses) {
  app.addHook('preHandler', async (request, reply) => {
    const { id } = (request.params ?? {}) as { readonly id?: string };
    if (id === undefined || core.rooms.byId.has(id) || forwardTokenOf(request.headers) !== undefined) return undefined;
    const inside = (await core.reachOf(id).catch(() => undefined))?.inside;
    return inside && reply.send(await others.forward(inside, request));
  });
}
