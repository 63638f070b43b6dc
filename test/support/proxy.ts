import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A proxy between clients and a server, which can simulate network failures. */
export class CuttableProxy {
  readonly url: string;
  readonly wsUrl: string;
  /** The port of the server. */
  port: number;
  isDown = false;
  private readonly server: Server;
  /** Pairs of sockets: what arrives from the key is forwarded to the value. */
  private readonly links = new Map<Socket, Socket>();
  private readonly fromServer = new Set<Socket>();
  private held: readonly Socket[] = [];
  private holds: 'nothing' | 'answers' | 'everything' = 'nothing';

  private constructor(server: Server, port: number) {
    this.server = server;
    this.port = port;
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    this.url = `http://${address}`;
    this.wsUrl = `ws://${address}/play`;
    server.on('connection', (near) => {
      if (this.isDown) {
        near.destroy();
        return;
      }
      const far = connect(this.port, '127.0.0.1');
      this.fromServer.add(far);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.links.set(from, to);
        from.on('error', () => {});
        from.on('close', () => {
          this.links.delete(from);
          this.fromServer.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
      if (this.holds !== 'nothing') this.hold(this.holds);
    });
  }

  static async start(port: number): Promise<CuttableProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new CuttableProxy(server, port);
  }

  /** Cuts every connection, and refuses new ones until the proxy is restored. */
  cut(): void {
    this.isDown = true;
    for (const socket of this.links.keys()) socket.destroy();
  }

  /** Delays everything, or everything from the server, without closing a connection. `release` delivers it. */
  hold(what: 'answers' | 'everything' = 'everything'): void {
    this.holds = what;
    this.held = what === 'answers' ? [...this.fromServer] : [...this.links.keys()];
    for (const from of this.held) {
      from.unpipe();
      from.pause();
    }
  }

  release(): void {
    this.holds = 'nothing';
    for (const from of this.held) {
      const to = this.links.get(from);
      if (to !== undefined) from.pipe(to);
    }
    this.held = [];
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
