import type { Clock } from '../../src/machine/index.ts';
import type { ClientSocket, ClientSocketClass } from '../../src/net/index.ts';

/** The properties of a simulated long-distance connection. */
export interface LinkOptions {
  /** The delay of a message and its answer together, without jitter, ms. */
  readonly roundTripMs: number;
  /** Each message is delayed by up to this much in addition, ms. */
  readonly jitterMs: number;
  /**
   * The fraction of messages that are lost once. As with TCP, these messages arrive later, and so does everything
   * behind them. Default 0.
   */
  readonly lossShare?: number;
  readonly time: Clock;
  /** Returns random numbers in [0, 1). */
  readonly random: () => number;
}

/** The time that TCP takes to send a lost packet again, ms. */
const resendMs = 200;

/** A WebSocket class whose messages are delayed in both directions. They stay in order. */
export function slowSocket(Base: ClientSocketClass, options: LinkOptions): ClientSocketClass {
  return class implements ClientSocket {
    onopen: ClientSocket['onopen'] = null;
    onmessage: ClientSocket['onmessage'] = null;
    onclose: ClientSocket['onclose'] = null;
    onerror: ClientSocket['onerror'] = null;
    private readonly socket: ClientSocket;
    private readonly out = new Lane(options);
    private readonly back = new Lane(options);

    constructor(url: string, protocols?: string | string[]) {
      this.socket = new Base(url, protocols);
      this.socket.binaryType = 'arraybuffer';
      this.socket.onopen = (event) => this.onopen?.(event);
      this.socket.onmessage = (event) => this.back.put(() => this.onmessage?.(event));
      this.socket.onclose = (event) => this.back.put(() => this.onclose?.(event));
      this.socket.onerror = (event) => this.onerror?.(event);
    }

    get binaryType(): string {
      return this.socket.binaryType;
    }

    set binaryType(type: string) {
      this.socket.binaryType = type;
    }

    send(bytes: Uint8Array<ArrayBuffer>): void {
      this.out.put(() => this.socket.send(bytes));
    }

    close(code?: number, reason?: string): void {
      this.out.put(() => this.socket.close(code, reason));
    }
  };
}

/** One direction of a link. */
class Lane {
  private dueMs = 0;
  private readonly queue: (() => void)[] = [];

  constructor(private readonly options: LinkOptions) {}

  put(deliver: () => void): void {
    const { roundTripMs, jitterMs, lossShare = 0, time, random } = this.options;
    const lostMs = random() < lossShare ? resendMs : 0;
    const now = time.now();
    this.dueMs = Math.max(this.dueMs, now + roundTripMs / 2 + random() * jitterMs + lostMs);
    this.queue.push(deliver);
    // Timers of the same time may fire in any order, so each takes the first message of the queue.
    time.after(this.dueMs - now, () => this.queue.shift()!());
  }
}
