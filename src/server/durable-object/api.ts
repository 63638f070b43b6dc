import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Forwarded } from '../../cluster/index.ts';
import type { Admin } from '../web/admins.ts';
import {
  type ApiRequest,
  checkBody,
  type Handler,
  type Handlers,
  type Route,
  type RouteName,
  type routeOf,
  routes,
  successOf,
} from '../web/api.ts';
import { Refused, refusal } from '../web/refusals.ts';
import type { Bindings } from './platform.ts';

/** What the worker sends to the object of a room: a request for a route, and the administrator who makes it. */
export interface RoomRequest {
  readonly name: RouteName;
  readonly request: ApiRequest;
  readonly by?: Forwarded['by'];
}

/** Requests a route of a room. */
export function askRoom(
  { ROOMS }: Bindings,
  room: string,
  name: RouteName,
  request: Partial<ApiRequest>,
  by?: Admin,
): Promise<Response> {
  const asked: RoomRequest = {
    name,
    request: { method: 'POST', url: '', headers: {}, query: {}, params: { id: room }, ...request },
    by: by && { name: by.name, scopes: [...by.scopes] },
  };
  const init = { method: 'POST', body: JSON.stringify(asked) };
  return ROOMS.get(ROOMS.idFromName(room)).fetch(`https://object/${room}/route`, init);
}

/** Answers a request for a route. `act` returns the JSON of the answer, or a `Response`. */
export async function answerOf(name: RouteName, act: () => Promise<unknown>): Promise<Response> {
  try {
    const content = await act();
    if (content instanceof Response) return content;
    const status = successOf(routes[name]);
    return content === undefined ? new Response(null, { status: 204 }) : Response.json(content, { status });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return Response.json(refusal(error.code, error.message), { status: error.statusCode });
  }
}

/** Reads and checks a request for a route. Rejects with `Refused`. */
export async function readRequest(
  request: Request,
  { name, params }: NonNullable<ReturnType<typeof routeOf>>,
): Promise<ApiRequest> {
  const { method } = request;
  const { pathname, search, searchParams } = new URL(request.url);
  // The header is not passed on, because the platform compresses answers by itself.
  const { 'accept-encoding': _, ...headers } = Object.fromEntries(request.headers) as IncomingHttpHeaders;
  const read = { method, url: pathname + search, headers, params, query: Object.fromEntries(searchParams) };
  const body = await bodyOf(request);
  const { body: schema }: Route = routes[name];
  if (schema !== undefined) checkBody(schema, body);
  return { ...read, body };
}

/**
 * The JSON of a body. The body may be omitted if all its members are optional. Rejects with `Refused` if the body is
 * not JSON.
 */
async function bodyOf(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text === '') return {};
  try {
    if (request.headers.get('content-type')?.startsWith('application/json')) return JSON.parse(text);
  } catch {
    // The body is not JSON: refused below.
  }
  throw new Refused(400, 'bad-request', 'The body must be valid JSON, with the content type application/json.');
}

/**
 * Calls the handler of a route. Throws `Refused` for routes that only a server of one's own can serve; they have no
 * handler here.
 */
export function handle(handlers: Handlers, name: RouteName, request: ApiRequest): unknown {
  const handler = handlers[name] as Handler | undefined;
  if (handler === undefined) throw new Refused(501, 'not-possible');
  return handler(request);
}

/** An id for a new room of a game. */
export function newId(game: string): string {
  return `${game}-${randomUUID().replaceAll('-', '').slice(0, 12)}`;
}
