import type { RandomStream } from '../../engine/core/random.ts';
import type { Opening } from '../../src/cluster/forwarding/relay.ts';
import type { Timer } from '../../src/machine/clock.ts';
import type { ClientSocket } from '../../src/net/client/socket.ts';
import type { Codec } from '../../src/server/session/codec.ts';
import type { Hub } from '../../src/server/session/hub.ts';
import { Link, type Wire } from '../../src/server/session/link.ts';
import type { Process } from './process.ts';
import type { Timeline } from './timeline.ts';

/** The listener at the server's address. */
export interface Listener {
  /** Its address. `anywhere` reaches every listener, too. */
  readonly host: string;
  readonly process: Process;
  readonly hub: Hub;
  /** By subprotocol; clients that offer none get the first. */
  readonly codecs: readonly Codec[];
  /** Offset of the connection numbers of this process, so that they are unique in a world. */
  readonly base: number;
  /** How many connections it has had. */
  sessions: number;
}

/** The host of a load balancer in front of all servers. */
export const anywhere = 'simulated';

/** Bytes that the kernels of both ends buffer before a sender blocks. */
const kernelBytes = 64 * 1024;
/** The kernel gives up a connection after this long without acknowledgements. */
const kernelGivesUpMs = 15 * 60_000;
const connectTimeoutMs = 20_000;

/** The quality of the link between a client and the server. */
export interface Way {
  /** One-way delay, ms; each message is delayed by up to as much again, at random. */
  latencyMs: number;
  /** Bandwidth towards the client. */
  bytesPerSecond: number;
  /** Nothing arrives before this time; then everything does. */
  stalledUntilMs: number;
}

/**
 * One direction of a connection. Like TCP, it delivers in order, without loss or duplicates, while the connection
 * exists.
 */
export class Pipe {
  /** Bytes in transit. */
  bytes = 0;
  private readonly arrivals: (() => void)[] = [];
  private lastMs = 0;
  private isCut = false;
  private readonly timeline: Timeline;
  private readonly random: RandomStream;
  private readonly way: Way;
  private readonly isDown: boolean;

  constructor(timeline: Timeline, random: RandomStream, way: Way, isDown: boolean) {
    this.timeline = timeline;
    this.random = random;
    this.way = way;
    this.isDown = isDown;
  }

  send(bytes: number, arrive: () => void): void {
    if (this.isCut) return;
    const { latencyMs, bytesPerSecond, stalledUntilMs } = this.way;
    const transferMs = this.isDown ? (bytes * 1000) / bytesPerSecond : 0;
    const { nowMs } = this.timeline;
    const earliestMs = Math.max(nowMs + latencyMs * (1 + this.random.next() ** 3), this.lastMs, stalledUntilMs);
    this.lastMs = earliestMs + transferMs;
    this.bytes += bytes;
    this.arrivals.push(() => {
      this.bytes -= bytes;
      arrive();
    });
    const deliver = (): void => {
      if (this.isCut) return;
      // A stall that began meanwhile also delays everything in transit.
      const restMs = this.way.stalledUntilMs - this.timeline.nowMs;
      if (restMs > 0) {
        this.lastMs = Math.max(this.lastMs, this.way.stalledUntilMs);
        this.timeline.after(restMs, deliver);
        return;
      }
      // Delivers the oldest message, because the end of a stall can fire timers in another order.
      this.arrivals.shift()!();
    };
    this.timeline.after(this.lastMs - nowMs, deliver);
  }

  /** Drops all bytes in transit. */
  cut(): void {
    this.isCut = true;
  }
}

/** A WebSocket between a client and the server, with both its ends. */
export class Connection {
  /** The number of the server's connection; undefined until it is accepted. */
  session: number | undefined;
  /** Nothing is delivered to either end any more, and neither gets an event. */
  isSilent = false;
  clientOpen = false;
  serverOpen = false;
  private isPaused = false;
  private isClosing = false;
  /** The restarted machine does not know the connection, and resets it when it receives data. */
  private isForgotten = false;
  private readonly network: Network;
  private readonly up: Pipe;
  private readonly down: Pipe;
  private readonly client: VirtualSocket;
  private readonly listener: Listener;
  private link: Link | undefined;
  private givingUp: Timer | undefined;

  constructor(network: Network, client: VirtualSocket, way: Way, listener: Listener) {
    const { timeline, random } = network;
    this.network = network;
    this.client = client;
    this.listener = listener;
    this.up = new Pipe(timeline, random, way, false);
    this.down = new Pipe(timeline, random, way, true);
  }

  /** The offset of the process at the server's end. */
  get base(): number {
    return this.listener.base;
  }

  open(address: string, opening: Opening): void {
    const { hub, codecs, process } = this.listener;
    const codec = codecs.find(({ name }) => opening.offered.includes(name)) ?? codecs[0]!;
    const wire: Wire = {
      OPEN: 1,
      get readyState() {
        return isOpen() ? 1 : 3;
      },
      get bufferedAmount() {
        return Math.max(0, waiting() - kernelBytes);
      },
      send: (bytes) => this.toClient(bytes.length, () => this.client.message(bytes)),
      ping: ({ length } = '') =>
        this.toClient(2 + length, () => this.toServer(2 + length, () => this.link?.pong(length))),
      close: (code) => {
        if (!isOpen()) return;
        this.isClosing = true;
        // The client answers a close frame with its own, and the connection is closed at both ends.
        this.toClient(4, () => {
          this.clientEnds(code);
          this.toServer(4, () => this.serverEnds(code));
        });
      },
      pause: () => {
        this.isPaused = true;
      },
      terminate: () => this.reset('server'),
    };
    const isOpen = (): boolean => this.serverOpen && !this.isClosing && !process.isDead;
    const waiting = (): number => this.down.bytes;
    this.serverOpen = true;
    const before = hub.connections.size;
    this.link = new Link(wire, { address, opening, isForwarded: false }, codec, hub, process.clock);
    if (hub.connections.size !== before + 1) throw new Error('A connection of the server is not counted.');
    this.session = this.listener.base + ++this.listener.sessions;
    this.network.offers.set(this.session, opening.offered);
    this.down.send(100, () => this.client.opened(this));
    const join = codec.joinOf?.(opening);
    if (join !== undefined) this.link.greet(join);
  }

  toServer(bytes: number, arrive: () => void): void {
    if (this.isForgotten && this.network.listens(this.listener.host)) {
      this.network.timeline.after(40, () => this.clientEnds(1006));
      return;
    }
    if (this.isSilent) return;
    this.up.send(bytes, () => {
      if (this.serverOpen && !this.isPaused) this.listener.process.run(arrive);
    });
  }

  message(bytes: Uint8Array<ArrayBuffer>): void {
    this.toServer(bytes.length, () => this.link?.message(bytes));
  }

  private toClient(bytes: number, arrive: () => void): void {
    if (this.isSilent || this.listener.process.isDead) return;
    this.down.send(bytes, arrive);
  }

  /** The client closes the connection cleanly. */
  closeFromClient(code = 1005): void {
    const { process } = this.listener;
    this.up.send(4, () => {
      if (this.serverOpen && !this.isSilent) process.run(() => this.serverEnds(code));
    });
    this.clientEnds(code);
  }

  /** Resets the connection: each end gets an event, and bytes in transit are lost. */
  reset(by: 'server' | 'client' | 'network'): void {
    this.up.cut();
    this.down.cut();
    const { timeline } = this.network;
    const { process } = this.listener;
    const serverHears = by === 'server' || !this.isSilent;
    const clientHears = by === 'client' || !this.isSilent;
    if (serverHears) timeline.after(by === 'server' ? 0.1 : 20, () => process.run(() => this.serverEnds()));
    if (clientHears) timeline.after(by === 'client' ? 0.1 : 20, () => this.clientEnds(1006));
  }

  /** Stops all delivery in both directions. The kernels give up much later. */
  silence(): void {
    if (this.isSilent) return;
    this.isSilent = true;
    this.up.cut();
    this.down.cut();
    this.givingUp = this.network.timeline.after(kernelGivesUpMs, () => {
      this.listener.process.run(() => this.serverEnds());
      this.clientEnds(1006);
    });
  }

  /** The process at the server's end has died. */
  serverDied(isPowerLost: boolean): void {
    this.serverOpen = false;
    this.network.connections.delete(this);
    if (isPowerLost) {
      this.silence();
      // Otherwise the network drops packets, so the client gets no reset from the restarted machine.
      this.isForgotten = this.network.random.chance(0.5);
    } else if (!this.isSilent) this.network.timeline.after(20, () => this.clientEnds(1006));
  }

  private clientEnds(code: number): void {
    if (!this.clientOpen) return;
    this.clientOpen = false;
    this.forget();
    this.client.ended(code);
  }

  private serverEnds(code = 1006): void {
    if (!this.serverOpen) return;
    this.serverOpen = false;
    this.forget();
    this.link?.closed(code);
  }

  private forget(): void {
    if (this.clientOpen || this.serverOpen) return;
    this.givingUp?.cancel();
    this.network.connections.delete(this);
  }
}

/** The network between clients and servers. */
export class Network {
  readonly connections = new Set<Connection>();
  /** The subprotocols that clients have offered, by the number of the server's connection, including closed ones. */
  readonly offers = new Map<number, readonly string[]>();
  readonly timeline: Timeline;
  readonly random: RandomStream;
  private readonly listeners = new Map<string, Listener>();

  constructor(timeline: Timeline, random: RandomStream) {
    this.timeline = timeline;
    this.random = random;
  }

  listen(listener: Listener): void {
    this.listeners.set(listener.host, listener);
  }

  listens(host: string): boolean {
    return this.listeners.has(host);
  }

  /** The listener is gone. After a power failure, clients get no event. */
  serverDied(host: string, isPowerLost: boolean): void {
    const { base } = this.listeners.get(host) ?? {};
    this.listeners.delete(host);
    if (base === undefined) return;
    for (const connection of [...this.connections]) if (connection.base === base) connection.serverDied(isPowerLost);
  }

  private listenerAt(host: string): Listener | undefined {
    const all = [...this.listeners.values()];
    if (host !== anywhere) return this.listeners.get(host);
    return all.length > 1 ? this.random.pick(all) : all[0];
  }

  connect(client: VirtualSocket, address: string, way: Way, { host, ...opening }: Opening & { host: string }): void {
    const { timeline } = this;
    const ms = way.latencyMs * (2 + this.random.next());
    timeline.after(Math.max(ms, way.stalledUntilMs - timeline.nowMs), () => {
      if (client.isClosed) return;
      const listener = this.listenerAt(host);
      if (listener === undefined) {
        timeline.after(this.random.chance(0.8) ? ms : connectTimeoutMs, () => client.ended(1006));
        return;
      }
      listener.process.run(() => {
        if (client.isClosed) return;
        if (listener.hub.mayConnect(address) !== undefined) {
          timeline.after(ms, () => client.ended(1006));
          return;
        }
        const connection = new Connection(this, client, way, listener);
        this.connections.add(connection);
        connection.open(address, opening);
      });
    });
  }
}

/** The WebSocket class for clients of one address. */
export function socketClass(network: Network, address: string, way: Way, made: (socket: VirtualSocket) => void) {
  return class extends VirtualSocket {
    constructor(url: string, offered: string | string[] = []) {
      super();
      made(this);
      const { host, pathname, search, searchParams: query } = new URL(url);
      network.connect(this, address, way, {
        host,
        path: pathname + search,
        query,
        offered: [offered].flat(),
        userAgent: '',
      });
    }
  };
}

/** A client's end of a connection. */
export class VirtualSocket implements ClientSocket {
  binaryType = 'arraybuffer';
  onopen: ((event: never) => void) | null = null;
  onmessage: ((event: never) => void) | null = null;
  onclose: ((event: never) => void) | null = null;
  onerror: ((event: never) => void) | null = null;
  /** Called with each message that the client receives. */
  delivered: (bytes: Uint8Array) => void = () => {};
  isClosed = false;
  connection: Connection | undefined;

  opened(connection: Connection): void {
    this.connection = connection;
    connection.clientOpen = true;
    if (this.isClosed) connection.closeFromClient();
    else this.onopen?.({} as never);
  }

  message(bytes: Uint8Array): void {
    if (this.isClosed) return;
    this.onmessage?.({ data: bytes } as never);
    this.delivered(bytes);
  }

  ended(code: number): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onerror?.({} as never);
    this.onclose?.({ code } as never);
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    if (!this.isClosed) this.connection?.message(bytes);
  }

  close(code?: number): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.connection?.closeFromClient(code);
  }
}
