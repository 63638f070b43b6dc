import type { ServerClock } from '../../machine/index.ts';
import { type Code, codeOfClose } from '../../net/index.ts';
import type { Observer } from '../operator/observer.ts';
import type { ForwardableSocket, OpenRelay, Relay } from './relay.ts';

/** How long to search for a process that answers, and the interval between attempts, ms. */
const searchMs = 30_000;
const retryMs = 100;

/** A connection that can be forwarded to another process. */
interface Connection {
  readonly socket: ForwardableSocket;
  readonly codec: { readonly isText: boolean };
  readonly state: string;
  /** The client's request to join or to watch. */
  readonly request: Uint8Array | undefined;
  relay: Relay | undefined;
  forwardUntilMs: number;
  end(code: Code): void;
  close(code: Code): void;
  drop(): void;
}

/**
 * Forwards connections to the processes that play their rooms. A message is passed on only if it is within the limits
 * for clients, which this process applies.
 */
export class Forwarder {
  constructor(
    private readonly openRelay: OpenRelay | undefined,
    private readonly backlogBytesMax: number,
    private readonly observer: Observer,
    private readonly clock: ServerClock,
  ) {}

  /**
   * Whether a connection may be forwarded. A connection that was forwarded before is not forwarded again, because it
   * could go in circles.
   */
  mayForward({ socket }: Connection): boolean {
    const isOwn = socket.isForwarded !== true && socket.onlyRoom === undefined;
    return this.openRelay !== undefined && socket.opening !== undefined && isOwn;
  }

  /**
   * Forwards a connection, with its request to join or watch. If the process does not answer, calls `findAgain`: the
   * process may have died before its lease ran out, and another process then takes over its rooms.
   */
  forward(connection: Connection, inside: string, findAgain: () => void) {
    const { socket, codec, request } = connection;
    connection.forwardUntilMs = Math.min(connection.forwardUntilMs, this.clock.now() + searchMs);
    let isAnswered = false;
    const relay = this.openRelay!(
      { inside, address: socket.address, opening: socket.opening!, isText: codec.isText },
      {
        received: (bytes) => {
          isAnswered = true;
          this.passBack(connection, bytes);
        },
        closed: (closeCode) => {
          connection.relay = undefined;
          const code = codeOfClose(closeCode);
          if (code !== undefined) connection.close(code);
          else if (isAnswered || this.clock.now() >= connection.forwardUntilMs) connection.drop();
          else {
            this.clock.after(retryMs, () => {
              if (connection.state !== 'gone') findAgain();
            });
          }
        },
      },
    );
    connection.relay = relay;
    if (request !== undefined) this.pass(connection, relay, request);
  }

  pass(connection: Connection, relay: Relay, bytes: Uint8Array) {
    this.observer.received('forwarded', bytes.length);
    if (relay.backlogBytes > this.backlogBytesMax) connection.drop();
    else relay.send(bytes);
  }

  private passBack(connection: Connection, bytes: Uint8Array) {
    if (connection.state === 'gone') return;
    this.observer.sent('forwarded', bytes.length);
    if (connection.socket.backlogBytes > this.backlogBytesMax) connection.end('too-slow');
    else connection.socket.send(bytes);
  }
}
