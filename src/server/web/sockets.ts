import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { type ForwardTokens, forwardTokenOf, plainBytes } from '../../cluster/index.ts';
import type { ServerClock } from '../../machine/index.ts';
import type { Code } from '../../net/index.ts';
import { type Codec, codecFor, openingOf } from '../session/codec.ts';
import type { Hub } from '../session/hub.ts';
import { type Client, Link } from '../session/link.ts';
import { hasSeveralHosts, isHostAllowed, nameOfHost, severalHosts } from './hosts.ts';
import { type HttpCode, refusalText } from './refusals.ts';
import { addressOf, isOriginAllowed, type PageRules } from './requests.ts';

interface SocketOptions extends PageRules {
  readonly compress: boolean;
}

/** Accepts WebSockets from the upgrade requests of an HTTP server. */
export class Sockets {
  private readonly server: WebSocketServer;
  private exempt: (stream: Duplex) => void = () => {};
  private readonly open = new Set<WebSocket>();
  /** Connections that are being refused. */
  private readonly leaving = new Set<Duplex>();

  /** Clients that request no subprotocol get the first codec. */
  constructor(
    private readonly options: SocketOptions,
    private readonly hub: Hub,
    private readonly codecs: readonly [Codec, ...Codec[]],
    private readonly tokens: ForwardTokens,
    private readonly clock: ServerClock,
  ) {
    this.server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: options.compress ? { threshold: 256, concurrencyLimit: 4 } : false,
      maxPayload: Math.max(...codecs.map(({ bytesMax }) => bytesMax)),
      // The number of fragments is limited separately, because empty fragments do not count towards the size. Clients
      // do not fragment messages this small.
      maxFragments: 32,
      handleProtocols: (offered) => codecFor(codecs, [...offered])?.name ?? false,
    });
  }

  /** Starts accepting connections. `exempt` exempts a connection from the limit for connections from one address. */
  listen(http: Server, exempt: (stream: Duplex) => void = () => {}) {
    this.exempt = exempt;
    http.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      // Errors are expected, because the client may disconnect at any time.
      stream.on('error', () => stream.destroy());
      const token = forwardTokenOf(request.headers);
      if (hasSeveralHosts(request)) this.refuse(stream, 400, 'bad-request', severalHosts);
      else if (token === undefined) this.upgrade(request, stream, head);
      else void this.upgradeForwarded(token, request, stream, head);
    });
  }

  close() {
    for (const socket of this.open) socket.terminate();
    for (const stream of this.leaving) stream.destroy();
    this.server.close();
  }

  /** Accepts a connection that another process has forwarded, and whose host name and origin it has checked. */
  private async upgradeForwarded(token: string, request: IncomingMessage, stream: Duplex, head: Buffer) {
    const forwarded = await this.tokens.readForward(token);
    if (forwarded !== undefined) {
      this.exempt(stream);
      this.accept(request, stream, head, { address: forwarded.address, isForwarded: true });
    } else if (this.admit(stream, addressOf(request, this.options.trustProxy))) {
      this.hub.observer.refused('token-invalid');
      this.refuse(stream, 403, 'token-invalid');
    }
  }

  private upgrade(request: IncomingMessage, stream: Duplex, head: Buffer) {
    const { hosts, origins, onForeignPage, trustProxy } = this.options;
    const { host = '', origin = '' } = request.headers;
    let refusal: 'host-not-allowed' | 'origin-not-allowed' | undefined;
    if (!isHostAllowed(request, hosts)) {
      refusal = 'host-not-allowed';
      onForeignPage('host-name', nameOfHost(host));
    } else if (!isOriginAllowed(request, origins)) {
      refusal = 'origin-not-allowed';
      onForeignPage('origin', origin);
    }
    this.accept(request, stream, head, { address: addressOf(request, trustProxy), isForwarded: false }, refusal);
  }

  /**
   * Accepts a connection. If its page is refused (`refusal`), the page gets the reason over the WebSocket, which is
   * then closed, because browsers hide an HTTP answer from the page.
   */
  private accept(
    request: IncomingMessage,
    stream: Duplex,
    head: Buffer,
    from: Omit<Client, 'opening'>,
    refusal?: 'host-not-allowed' | 'origin-not-allowed',
  ) {
    const opening = openingOf(request.url ?? '/', (name) => request.headers[name] as string);
    const codec = codecFor(this.codecs, opening.offered);
    if (codec === undefined) {
      this.hub.observer.refused('protocol-version');
      this.refuse(stream, 400, 'protocol-version');
      return;
    }
    if (!codec.paths.includes(opening.path.split('?')[0]!)) {
      this.refuse(stream, 404, 'not-found');
      return;
    }
    if (refusal !== undefined && !this.hub.mayTurnAway(from.address)) {
      this.hub.observer.refused(refusal);
      this.refuse(stream, 403, refusal);
      return;
    }
    if (refusal === undefined && !this.admit(stream, from.address)) return;
    this.server.handleUpgrade(request, stream, head, (socket) =>
      this.connect(socket, codec, { ...from, opening }, stream, refusal),
    );
  }

  /** Counts the connection against the limits of its address, or refuses it. Returns whether it is accepted. */
  private admit(stream: Duplex, address: string) {
    const code = this.hub.mayConnect(address);
    if (code !== undefined) this.refuse(stream, code === 'shutting-down' ? 503 : 429, code);
    return code === undefined;
  }

  private connect(socket: WebSocket, codec: Codec, client: Client, stream: Duplex, refusal: Code | undefined) {
    this.open.add(socket);
    const link = new Link(socket, client, codec, this.hub, this.clock, stream);
    socket.on('message', (data: RawData, isBinary: boolean) =>
      link.message(isBinary === codec.isText ? undefined : plainBytes(data as Buffer)),
    );
    socket.on('pong', (data) => link.pong(data.length));
    socket.on('ping', (data) => link.ping(data.length));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const code = codeOfFrameError(error.code);
      if (code !== undefined) link.refused(code);
    });
    socket.on('close', (closeCode) => {
      this.open.delete(socket);
      link.closed(closeCode);
    });
    const join = codec.joinOf?.(client.opening);
    if (refusal !== undefined) link.turnAway(refusal);
    else if (join !== undefined) link.greet(join);
  }

  private refuse(stream: Duplex, status: number, code: HttpCode, message?: string) {
    this.leaving.add(stream);
    stream.once('close', () => this.leaving.delete(stream));
    // The stream is destroyed, because HTTP timeouts no longer apply after an upgrade request: the client could keep
    // its side open forever.
    stream.once('finish', () => stream.destroy());
    stream.end(refusalText(status, code, message));
  }
}

/** The code for an invalid frame that made the library close the socket; undefined for network errors. */
function codeOfFrameError(libraryCode: string | undefined): Code | undefined {
  if (libraryCode?.startsWith('WS_ERR_') !== true) return undefined;
  return tooLarge.has(libraryCode) ? 'too-large' : 'malformed';
}
const tooLarge = new Set([
  'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
  'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH',
  'WS_ERR_TOO_MANY_BUFFERED_PARTS',
]);
