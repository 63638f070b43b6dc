import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** Stands between browsers and a server, so that a network can break. */
export class CuttableProxy {
  readonly url: string;
  private readonly server: Server;
  private readonly sockets: ReadonlySet<Socket>;
  isDown = false;

  private constructor(server: Server, sockets: ReadonlySet<Socket>) {
    this.server = server;
    this.sockets = sockets;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  static async start(port: number): Promise<CuttableProxy> {
    const sockets = new Set<Socket>();
    const server = createServer((near) => {
      if (proxy.isDown) {
        near.destroy();
        return;
      }
      const far = connect(port, '127.0.0.1');
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(from);
        from.on('error', () => {});
        from.on('close', () => {
          sockets.delete(from);
          to.destroy();
        });
        from.pipe(to);
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const proxy = new CuttableProxy(server, sockets);
    return proxy;
  }

  /** Every connection breaks, and none comes through until the proxy is up again. */
  cut(): void {
    this.isDown = true;
    for (const socket of this.sockets) socket.destroy();
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
