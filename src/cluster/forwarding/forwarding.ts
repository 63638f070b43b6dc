import type { IncomingHttpHeaders } from 'node:http';
import { type RawData, WebSocket } from 'ws';
import { plainBytes } from '../plain-bytes.ts';
import { forwardHeader } from './forward-header.ts';
import type { OpenRelay, Relay } from './relay.ts';

/** The sender of a forwarded request or connection, as told to another process that has the same secret. */
export interface Forwarded {
  /** The client's IP address. */
  readonly address: string;
  /** The administrator who makes the request; undefined for other senders. */
  readonly by?: { readonly name: string; readonly scopes: readonly string[] } | undefined;
  /** Together with `by`: the method and target of the only request for which the token is valid. */
  readonly what?: string | undefined;
}

/** Signs and verifies what the processes of a cluster tell each other about a sender. */
export interface ForwardTokens {
  signForward(forwarded: Forwarded): Promise<string>;
  /** The contents of a token; undefined if the token is invalid. */
  readForward(token: string): Promise<Forwarded | undefined>;
}

/** A request that can be forwarded. */
export interface ForwardableRequest {
  readonly method: string;
  /** The path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body?: unknown;
}

const connectMs = 3000;
/** The close code of a connection that was lost (RFC 6455, section 7.4.1). */
const lostCode = 1006;

/** Opens relays: WebSockets to other processes, with a token that names the client. */
export function forwarding(tokens: ForwardTokens): OpenRelay {
  return (request, listener) => new SocketRelay(request, listener, tokens);
}

type Arguments = Parameters<OpenRelay>;

class SocketRelay implements Relay {
  private socket: WebSocket | undefined;
  /** Messages that were sent before the connection was open; undefined once the connection is open. */
  private waiting: Uint8Array[] | undefined = [];
  private isClosed = false;

  constructor(
    private readonly request: Arguments[0],
    private readonly listener: Arguments[1],
    tokens: ForwardTokens,
  ) {
    void this.connect(tokens).catch(() => this.lost(lostCode));
  }

  get backlogBytes(): number {
    const waiting = this.waiting?.reduce((sum, { length }) => sum + length, 0) ?? 0;
    return waiting + (this.socket?.bufferedAmount ?? 0);
  }

  send(bytes: Uint8Array) {
    if (this.waiting !== undefined) this.waiting.push(bytes);
    else if (this.socket?.readyState === WebSocket.OPEN) this.write(this.socket, bytes);
  }

  close(closeCode?: number) {
    this.isClosed = true;
    if (closeCode === undefined) this.socket?.terminate();
    else this.socket?.close(closeCode);
  }

  private async connect(tokens: ForwardTokens) {
    const { inside, address, opening } = this.request;
    const token = await tokens.signForward({ address });
    if (this.isClosed) return;
    const offered = opening.offered.filter((name) => name !== '');
    const socket = new WebSocket(`${inside}${opening.path}`, offered, {
      headers: { [forwardHeader]: token, 'user-agent': opening.userAgent },
      handshakeTimeout: connectMs,
      // Messages between processes are not compressed, because that would cost more than it saves.
      perMessageDeflate: false,
    });
    this.socket = socket;
    socket.on('open', () => {
      for (const bytes of this.waiting ?? []) this.write(socket, bytes);
      this.waiting = undefined;
    });
    socket.on('message', (data: RawData) => this.listener.received(plainBytes(data as Buffer)));
    // Errors need no handling here, because the event `close` follows each of them.
    socket.on('error', () => {});
    socket.on('close', (code) => this.lost(code));
  }

  private write(socket: WebSocket, bytes: Uint8Array) {
    socket.send(bytes, { binary: !this.request.isText });
  }

  private lost(closeCode: number) {
    if (this.isClosed) return;
    this.isClosed = true;
    this.listener.closed(closeCode);
  }
}

/**
 * The headers that the server's routes read and set. An administrator's token is not passed on: the token for the other
 * process names the administrator.
 */
const requestHeaders = ['content-type', 'idempotency-key', 'if-none-match'];
const answerHeaders = 'cache-control content-security-policy content-type etag vary x-content-type-options'.split(' ');
/** How long another process may take to answer, unless the caller says otherwise, ms. */
const longestMs = 15_000;

/** The answer of another process to a request. Resolves with undefined if that process does not answer in time. */
export async function forwardRequest(
  inside: string,
  token: string,
  { method, url, headers, body }: ForwardableRequest,
  answerMs: number = longestMs,
): Promise<Response | undefined> {
  const passed = requestHeaders.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  try {
    const answer = await fetch(inside.replace(/^ws/, 'http') + url, {
      method,
      headers: {
        // Clients may omit the body if all its members are optional. Such a request has no content type.
        ...(body === undefined || body === null ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(passed),
        [forwardHeader]: token,
      },
      signal: AbortSignal.timeout(answerMs),
      ...(body === undefined || body === null ? {} : { body: JSON.stringify(body) }),
    });
    const known = [...answer.headers].filter(([name]) => answerHeaders.includes(name));
    return new Response(answer.body, { status: answer.status, headers: known });
  } catch {
    return undefined;
  }
}
