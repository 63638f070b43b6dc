import type { Dictionary } from '../../../engine/core/index.ts';
import type { Opening } from '../../cluster/index.ts';

/**
 * The parts of the platform's interfaces that rooms use. They are declared here, so that neither this package nor its
 * users need the types of the platform, which replace those of web pages.
 */

type SqlValue = string | number | ArrayBuffer | null;

export interface ObjectStorage {
  readonly sql: {
    exec(query: string, ...values: (SqlValue | Uint8Array)[]): Iterable<Dictionary<SqlValue>>;
  };
  /** Wakes the object at a wall time, ms since 1970. Replaces an earlier alarm. */
  setAlarm(atMs: number): Promise<void>;
  deleteAlarm(): Promise<void>;
  deleteAll(): Promise<void>;
}

/** The object's end of a WebSocket. */
export interface ObjectWire {
  /** The state of the socket: 1 while messages can be sent. */
  readonly readyState: number;
  binaryType: string;
  accept(): void;
  addEventListener(event: 'message', listener: (event: { readonly data: string | ArrayBuffer }) => void): void;
  send(bytes: Uint8Array | string): void;
  close(code?: number, reason?: string): void;
  /** The data that the socket keeps while its object is not in memory; at most 16 KiB. */
  serializeAttachment(content: unknown): void;
  deserializeAttachment(): unknown;
}

export interface ObjectContext {
  readonly storage: ObjectStorage;
  acceptWebSocket(wire: ObjectWire): void;
  getWebSockets(): ObjectWire[];
}

interface ObjectNamespace {
  idFromName(name: string): unknown;
  get(id: unknown): { fetch(url: string | Request, init?: RequestInit): Promise<Response> };
}

/** The bindings of the worker, with their names in `wrangler.jsonc`. */
export interface Bindings {
  /** The class `ReenactRoom`. */
  readonly ROOMS: ObjectNamespace;
  /** The class `ReenactStore`. */
  readonly STORE: ObjectNamespace;
  /** The key with which all tokens are signed, with at least 32 characters. By default, a key is created and stored. */
  readonly REENACT_SECRET?: string;
  /**
   * The tokens of administrators, as in the file of `reenact serve --admin-token-file`. Without it, there are no routes
   * for administrators, no bans and no reports.
   */
  readonly REENACT_ADMIN_TOKEN?: string;
  /** Static files, for paths that are not routes. */
  readonly ASSETS?: { fetch(request: Request): Promise<Response> };
}

/** Creates a WebSocket: the end for the client, and the end that stays here. */
export function socketPair(): { readonly client: unknown; readonly wire: ObjectWire } {
  const { WebSocketPair } = globalThis as unknown as { WebSocketPair: new () => Record<0 | 1, unknown> };
  const { 0: client, 1: wire } = new WebSocketPair();
  return { client, wire: wire as ObjectWire };
}

/** The answer that opens a WebSocket, with the subprotocol if the client offers it. */
export function switching(client: unknown, subprotocol: string, { offered }: Opening): Response {
  const headers = offered.includes(subprotocol) ? { 'sec-websocket-protocol': subprotocol } : undefined;
  return new Response(null, { status: 101, webSocket: client, headers } as RequestInit);
}

/**
 * Sends a request to another object. Returns the JSON of its answer; undefined if the answer is empty. Rejects if the
 * request fails.
 */
export async function askObject(
  objects: ObjectNamespace,
  name: string,
  path: string,
  body: unknown = {},
): Promise<unknown> {
  const object = objects.get(objects.idFromName(name));
  const answer = await object.fetch(`https://object/${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${name}/${path}: ${answer.status} ${await answer.text()}`);
  return answer.status === 204 ? undefined : answer.json();
}
