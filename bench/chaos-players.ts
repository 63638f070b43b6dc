import { WebSocket } from 'ws';
import {
  type ClientInput,
  decodeServerMessage,
  encodeClientMessage,
  type InputResult,
  protocolVersion,
  type ServerMessage,
} from '../src/net/index.ts';

const keys = ['w', 'a', 's', 'd'];

/** A player that presses keys and records what has been acknowledged. */
export class Player {
  sequence = 0;
  resume: string | undefined;
  player = '';
  /** The newest acknowledged input. */
  acknowledged = { sequence: 0, tick: 0 };
  readonly latenciesMs: number[] = [];
  private socket: WebSocket | undefined;
  private timer: NodeJS.Timeout | undefined;
  private readonly sentAt = new Map<number, number>();
  private isDown = false;

  async connect(url: string, room?: string): Promise<Extract<ServerMessage, { kind: 'welcome' }>> {
    const socket = new WebSocket(url);
    socket.binaryType = 'nodebuffer';
    this.socket = socket;
    socket.on('error', () => {});
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return new Promise((resolve, reject) => {
      socket.on('close', (code) => reject(new Error(`The connection ended with ${code}.`)));
      socket.on('message', (data: Buffer) => {
        const decoded = decodeServerMessage(new Uint8Array(data.buffer as ArrayBuffer, data.byteOffset, data.length));
        if (!decoded.ok) throw new Error(decoded.fault);
        const { message } = decoded;
        if (message.kind === 'welcome') {
          this.resume = message.resume;
          this.player = message.player;
          resolve(message);
        } else if (message.kind === 'frame') this.acknowledge();
        else if (message.kind === 'inputResults') for (const result of message.results) this.note(result);
        else if (message.kind === 'refused') reject(new Error(message.code));
      });
      const more = {
        ...(this.resume === undefined ? {} : { resume: this.resume }),
        ...(room === undefined ? {} : { room }),
      };
      socket.send(encodeClientMessage({ kind: 'join', protocol: protocolVersion, name: 'bench', ...more }));
    });
  }

  /** Sends inputs at a rate until it is closed. */
  play(perSecond: number): void {
    this.timer = setInterval(() => {
      this.isDown = !this.isDown;
      const key = keys[(this.sequence >> 1) % keys.length]!;
      const input: ClientInput = { kind: this.isDown ? 'keyDown' : 'keyUp', key };
      this.sequence++;
      this.sentAt.set(this.sequence, performance.now());
      this.socket!.send(encodeClientMessage({ kind: 'input', sequence: this.sequence, input }));
    }, 1000 / perSecond);
  }

  get isOpen(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  close(): void {
    clearInterval(this.timer);
    this.socket?.terminate();
  }

  private frames = 0;
  private acknowledge(): void {
    // The stream window is seconds long, so occasional acknowledgements suffice.
    if (++this.frames % 10 === 0) this.socket!.send(encodeClientMessage({ kind: 'ack', frame: this.frames }));
  }

  private note(result: InputResult): void {
    if (!('tick' in result)) return;
    const sentAt = this.sentAt.get(result.sequence);
    if (sentAt !== undefined) this.latenciesMs.push(performance.now() - sentAt);
    this.sentAt.delete(result.sequence);
    if (result.sequence > this.acknowledged.sequence) this.acknowledged = result;
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  return Math.round(value * 10) / 10;
}

export const spread = (values: readonly number[]) => ({
  count: values.length,
  p50: quantile(values, 0.5),
  p95: quantile(values, 0.95),
  p99: quantile(values, 0.99),
  max: quantile(values, 1),
});
