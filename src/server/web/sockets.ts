import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { ServerClock } from '../machine/clock.ts';
import type { Code } from '../protocol/codes.ts';
import type { Codec, Opening } from '../session/codec.ts';
import type { Hub } from '../session/hub.ts';
import { Link } from '../session/link.ts';
import { type HostRule, isHostAllowed } from './hosts.ts';
import { addressOf, isOriginAllowed, type OriginRule } from './requests.ts';

interface SocketOptions {
  readonly hosts: HostRule;
  readonly origins: OriginRule;
  readonly trustProxy: boolean;
  readonly compress: boolean;
}

/** WebSockets over the HTTP server's upgrades. */
export class Sockets {
  private readonly options: SocketOptions;
  private readonly hub: Hub;
  private readonly clock: ServerClock;
  private readonly codecs: ReadonlyMap<string, Codec>;
  private readonly standard: Codec;
  private readonly server: WebSocketServer;
  private readonly open = new Set<WebSocket>();
  /** Connections that are sent away. */
  private readonly leaving = new Set<Duplex>();

  /** The first codec is that of clients that ask for none. */
  constructor(options: SocketOptions, hub: Hub, codecs: readonly [Codec, ...Codec[]], clock: ServerClock) {
    this.clock = clock;
    this.options = options;
    this.hub = hub;
    this.codecs = new Map(codecs.map((codec) => [codec.name, codec]));
    this.standard = codecs[0];
    this.server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: options.compress ? { threshold: 256, concurrencyLimit: 4 } : false,
      maxPayload: Math.max(...codecs.map(({ bytesMax }) => bytesMax)),
      // Empty parts have no bytes to be counted; clients send messages of this size in one.
      maxFragments: 32,
      handleProtocols: (offered) => [...offered].find((name) => this.codecs.has(name)) ?? false,
    });
  }

  listen(http: Server): void {
    http.on('upgrade', (request, stream, head) => this.upgrade(request, stream, head));
  }

  close(): void {
    for (const socket of this.open) socket.terminate();
    for (const stream of this.leaving) stream.destroy();
    this.server.close();
  }

  private upgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    // A side that goes away in the middle is no error of ours.
    stream.on('error', () => stream.destroy());
    if (!isHostAllowed(request, this.options.hosts)) {
      this.hub.connectionRefused('host-not-allowed');
      this.turnAway(stream, 421, 'host-not-allowed');
      return;
    }
    if (!isOriginAllowed(request, this.options.origins)) {
      this.hub.connectionRefused('origin-not-allowed');
      this.turnAway(stream, 403, 'origin-not-allowed');
      return;
    }
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
    const isKnown = offered.some((name) => name === '' || this.codecs.has(name));
    if (!isKnown) {
      this.hub.connectionRefused('protocol-version');
      this.turnAway(stream, 400, 'protocol-version');
      return;
    }
    const address = addressOf(request, this.options.trustProxy);
    const code = this.hub.mayConnect(address);
    if (code !== undefined) {
      this.turnAway(stream, code === 'shutting-down' ? 503 : 429, code);
      return;
    }
    this.server.handleUpgrade(request, stream, head, (socket) =>
      this.connect(socket, address, openingOf(request, offered)),
    );
  }

  private connect(socket: WebSocket, address: string, opening: Opening): void {
    const codec = this.codecs.get(socket.protocol) ?? this.standard;
    this.open.add(socket);
    const link = new Link(socket, address, codec, this.hub, this.clock);
    socket.on('message', (data: RawData, isBinary: boolean) =>
      link.message(isBinary === codec.isText ? undefined : plainBytes(data)),
    );
    socket.on('pong', (data) => link.pong(data.length));
    socket.on('ping', (data) => link.ping(data.length));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const code = refusedFrames(error.code);
      if (code !== undefined) link.refused(code);
    });
    socket.on('close', () => {
      this.open.delete(socket);
      link.closed();
    });
    const join = codec.joinOf?.(opening);
    if (join !== undefined) link.greet(join);
  }

  private turnAway(stream: Duplex, status: number, code: Code): void {
    const body = JSON.stringify({ code });
    this.leaving.add(stream);
    stream.once('close', () => this.leaving.delete(stream));
    // The other side could keep its half open for ever: the limits of time of HTTP ended with the wish for an upgrade.
    stream.once('finish', () => stream.destroy());
    stream.end(
      `HTTP/1.1 ${status} ${code}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  }
}

/** The data in the address and the headers of a connection. */
function openingOf({ url, headers }: IncomingMessage, offered: readonly string[]): Opening {
  const query = new URLSearchParams((url ?? '').split('?').slice(1).join('?'));
  return { query, offered, userAgent: headers['user-agent'] ?? '' };
}

/** The code of a frame that the library refuses, whereupon it closes the socket; undefined for an error of the network. */
function refusedFrames(libraryCode: string | undefined): Code | undefined {
  if (libraryCode?.startsWith('WS_ERR_') !== true) return undefined;
  return tooLarge.has(libraryCode) ? 'too-large' : 'malformed';
}
const tooLarge: ReadonlySet<string> = new Set([
  'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
  'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH',
  'WS_ERR_TOO_MANY_BUFFERED_PARTS',
]);

function plainBytes(data: RawData): Uint8Array {
  const { buffer, byteOffset, byteLength } = data as Buffer;
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
