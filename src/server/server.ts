import type { FastifyInstance } from 'fastify';
import { isObject, messageOf } from '../../engine/core/index.ts';
import { type Observer, ServerError } from '../cluster/index.ts';
import { thisMachine } from '../machine/index.ts';
import { ClientPages } from '../modd-client/index.ts';
import { type Assembly, type AssemblyOptions, type Attempt, assemble, checkAssembly } from './assembly.ts';
import type { Readiness } from './base/options.ts';
import { moddio } from './client-protocols/moddio.ts';
import { Library } from './definitions/library.ts';
import type { Rooms } from './lobby/rooms.ts';
import { wordsOf } from './outside/host-module.ts';
import { AddressList } from './session/addresses.ts';
import type { Tokens } from './session/tokens.ts';
import { Admins } from './web/admins.ts';
import { type HostRule, hostRuleOf, insideUrlOf } from './web/hosts.ts';
import type { ViewerScripts } from './web/page.ts';
import { foreignPages, limitConnections, type OriginRule } from './web/requests.ts';
import { createHttp } from './web/routes.ts';
import { Sockets } from './web/sockets.ts';

export interface ServerOptions extends AssemblyOptions {
  /** Files and folders of definitions. */
  readonly paths: readonly string[];
  readonly host: string;
  /** The port; 0 for any free port. */
  readonly port: number;
  /**
   * The accepted values of the `Host` header. Default: if the server listens on the loopback without a proxy, the names
   * of this machine; otherwise any.
   */
  readonly hostNames?: HostRule | undefined;
  readonly origins: OriginRule;
  readonly trustProxy: boolean;
  readonly compress: boolean;
  readonly watch: boolean;
  /**
   * The conditions for `/readyz`. While rooms are paused because of the journal (`onJournalFailure: 'stop'`), the
   * server is never ready.
   */
  readonly readyz?: Readiness | undefined;
  /**
   * The `ws://…` URL at which processes that share the journal reach this one. Default: a URL made from `host` and
   * `port`.
   */
  readonly clusterUrl?: string | undefined;
  /** The folder of the original browser client, if its pages should be served. */
  readonly client?: string | undefined;
  /** The scripts of the pages for watching and playing. Without them, these pages are not served. */
  readonly viewer?: ViewerScripts | undefined;
}

const httpRequests = { size: 120, perSecond: 30 };
/** The number of HTTP connections that an IP address may have in addition to its WebSockets. */
const httpConnections = 192;

/** The server of `reenact serve`, with HTTP, WebSockets and everything behind them. */
export class GameServer {
  readonly rooms: Rooms;
  readonly tokens: Tokens;
  /**
   * Resolves if another process takes over the journal. The server then has no rooms, opens none, and should be
   * stopped.
   */
  readonly taken: Promise<void>;
  private readonly http: FastifyInstance;
  private readonly sockets: Sockets;
  private isReady = false;
  private ending: Promise<void> | undefined;

  /** Starts a server. Resolves when it listens. Rejects with `ServerError` if it cannot start. */
  static async start(options: ServerOptions): Promise<GameServer> {
    const client = options.client === undefined ? undefined : await openClient(options.client);
    const admins = options.adminToken === undefined ? undefined : new Admins(options.adminToken);
    const parts = await assemble(options, (onNotice) =>
      Library.open(options.paths, onNotice, wordsOf(options.hostModule)),
    );
    const server = new GameServer(options, parts, admins, client);
    try {
      await server.begin();
    } catch (error) {
      await server.abandon();
      throw error;
    }
    return server;
  }

  /**
   * Reads and parses everything that `start` needs, without starting anything. A definition that would be skipped is a
   * failed attempt, too.
   */
  static async check(options: ServerOptions, attempt: Attempt): Promise<void> {
    const { client, paths } = options;
    if (client !== undefined) await attempt('client', () => openClient(client));
    const skipped: ServerError[] = [];
    const reads = async () => {
      try {
        const skip: Observer['problem'] = (code, message) => skipped.push(new ServerError(code, message));
        (await Library.open(paths, skip, wordsOf(options.hostModule))).close();
      } catch (error) {
        // If definitions were skipped, the error that no definition is left is only a consequence, and is not reported.
        if (skipped.length === 0) throw error;
      }
    };
    if (paths.length > 0) await attempt('games', reads);
    for (const error of skipped) await attempt('games', () => Promise.reject(error));
    await checkAssembly(options, attempt);
  }

  private constructor(
    private readonly options: ServerOptions,
    private readonly parts: Assembly<Library>,
    admins: Admins | undefined,
    client: ClientPages | undefined,
  ) {
    const { observer, library, tokens, core, metrics, play, traffic } = parts;
    const { rooms, hub } = core;
    this.tokens = tokens;
    this.taken = parts.taken;
    this.rooms = rooms;
    const { origins, trustProxy, compress } = options;
    // With the policy `stop`, rooms are paused while the journal fails, so they are useless to new players.
    const followsJournal = options.readyz === 'journal' || options.onJournalFailure === 'stop';
    const hosts = hostRuleOf(options);
    const onForeignPage = foreignPages(observer, thisMachine.clock);
    const [first, ...others] = options.protocols.map(({ codec }) => codec);
    this.sockets = new Sockets(
      { hosts, origins, onForeignPage, trustProxy, compress },
      hub,
      [first!, ...others],
      tokens,
      thisMachine.clock,
    );
    const trusted = new AddressList(traffic.trustedAddresses);
    this.http = createHttp({
      ...options,
      hosts,
      onForeignPage,
      admins,
      requests: httpRequests,
      showsPlayers: options.watchersMax > 0 && play.sight === Infinity,
      requestMs: traffic.requestMs,
      trusted,
      moddio: options.protocols.includes(moddio) ? play.dialect : undefined,
      styleHosts: play.styleHosts,
      client,
      clock: thisMachine.clock,
      library,
      core,
      metrics: () => metrics.text(),
      hour: () => metrics.hour.all(),
      tokens,
      observer,
      isReady: () =>
        this.isReady && !rooms.isDraining && !rooms.isEmptying && (!followsJournal || rooms.writes.isWorking),
    });
    const { connectionsPerAddress } = traffic;
    // Behind a proxy, all connections come from the proxy's address, so the proxy must enforce the limits.
    const exempt = trustProxy
      ? undefined
      : limitConnections(this.http.server, connectionsPerAddress + httpConnections, (address) => trusted.has(address));
    this.sockets.listen(this.http.server, exempt);
  }

  get port(): number {
    const address = this.http.server.address();
    return isObject(address) ? address.port : 0;
  }

  /** Shuts down gracefully (see `ServerCore.end`). Returns the same promise each time. */
  stop(): Promise<void> {
    this.ending ??= this.end();
    return this.ending;
  }

  private async begin() {
    await this.parts.core.start();
    const { host, port } = this.options;
    try {
      await this.http.listen({ host, port });
    } catch (error) {
      throw new ServerError('bad-listen', listenMessage(error, host, port));
    }
    // Once the URL is published, other processes can forward clients to this one.
    await this.parts.core.journal.shared?.reachable(this.options.clusterUrl ?? insideUrlOf(host, this.port));
    if (this.options.watch) {
      await this.parts.library.watch((definition) => {
        this.parts.observer.event('definition-changed', { slug: definition.slug, version: definition.version });
        this.rooms.openMissing(definition.slug);
      });
    }
    this.isReady = true;
    this.parts.observer.event('listening', { host, port: this.port, rooms: this.rooms.byId.size });
  }

  private async end() {
    this.isReady = false;
    this.parts.library.close();
    await this.parts.core.end();
    await this.abandon();
  }

  /** Closes everything immediately. */
  private async abandon() {
    this.parts.library.close();
    await this.parts.core.close();
    this.sockets.close();
    await this.http.close();
    await this.parts.store.close();
  }
}

function listenMessage(error: unknown, host: string, port: number) {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use by another program. End that program, or choose another port with --port.`;
    case 'EACCES':
      return `This user may not listen on port ${port}. Choose a port of at least 1024 with --port; a proxy can make it available at port ${port}.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Give an address with --host, or 0.0.0.0 for all addresses.`;
    default:
      return messageOf(error);
  }
}

function openClient(folder: string): Promise<ClientPages> {
  return ClientPages.open(folder).catch((error) => {
    throw new ServerError('bad-client', messageOf(error));
  });
}

/** The URL of the module that plays rooms in threads, whether bundled or not. */
export async function workerUrl(): Promise<string> {
  return (await import('./worker.ts')).workerUrl;
}
