import type { RandomStream } from '../../engine/core/random.ts';
import { ModelClient } from '../modd-client/model-client.ts';
import { commands } from './game.ts';
import { anywhere, type Network, socketClass, type VirtualSocket, type Way } from './network.ts';
import type { Timeline } from './timeline.ts';
import type { Watch } from './watch.ts';

const protocol = 'netio1';
/** The additional subprotocol that a page offers when it reconnects. */
export const returning = 'reconnect';
const thinksEveryMs = 100;
/** After this many failed reconnections the page is reloaded. */
const attemptsMax = 4;
const keys = ['w', 'a', 's', 'd', 'e', 'g', '1', '2'];

export interface ExistingPlayerParts {
  readonly timeline: Timeline;
  readonly network: Network;
  readonly watch: Watch;
  /** The data object that the server gives pages. */
  readonly data: unknown;
  readonly random: RandomStream;
}

/** A player who uses the page of the original engine; its model knows what the original client would know. */
export class ExistingPlayer {
  readonly address: string;
  readonly way: Way;
  socket: VirtualSocket | undefined;
  /** When it last received a frame. */
  aliveMs = 0;
  readonly ends = new Map<string, number>();
  private readonly parts: ExistingPlayerParts;
  private ticket = '';
  private loads = 0;
  private model!: ModelClient;
  private attempts = 0;
  private isAway = true;

  constructor(index: number, parts: ExistingPlayerParts) {
    this.parts = parts;
    this.address = `10.0.1.${index + 1}`;
    this.way = { latencyMs: parts.random.between(2, 80), bytesPerSecond: 500_000, stalledUntilMs: 0 };
    this.load(parts.random.between(0, 3000));
    this.think();
  }

  get isConnected(): boolean {
    return this.socket?.isClosed === false && this.model.joined;
  }

  /** Closes the page without a close message; it is loaded again later. */
  crash(isSilent: boolean): void {
    const { socket } = this;
    this.socket = undefined;
    if (socket !== undefined) socket.isClosed = true;
    if (isSilent) socket?.connection?.silence();
    else socket?.connection?.reset('client');
    this.reload();
  }

  command(): void {
    this.send('playerCustomInput', { status: 'submitted', inputText: this.parts.random.pick(commands)! });
  }

  private reload(): void {
    this.load(this.parts.random.between(500, 8000));
  }

  /** Each served page has its own ticket. */
  private load(ms: number): void {
    this.model = new ModelClient(this.parts.data);
    this.ticket = `the ticket of load ${++this.loads} at ${this.address}`;
    this.attempts = 0;
    this.openIn(ms);
  }

  private openIn(ms: number): void {
    this.isAway = true;
    this.parts.timeline.after(ms, () => {
      if (this.socket === undefined) this.open();
    });
  }

  private open(): void {
    const { network, watch, timeline } = this.parts;
    const { model } = this;
    const isBack = model.id !== undefined;
    const query = new URLSearchParams({ sid: 'undefined', guestUserToken: this.ticket });
    const Socket = socketClass(network, this.address, this.way, (made) => {
      this.socket = made;
    });
    const socket = new Socket(`ws://${anywhere}/?${query}`, isBack ? [protocol, returning] : [protocol]);
    this.isAway = false;
    let frames = 0;
    socket.onmessage = ({ data }: { data: Uint8Array }) => {
      if (this.socket !== socket) return;
      this.aliveMs = timeline.nowMs;
      const isGreeted = model.commands !== undefined;
      const heard = model.said.length;
      try {
        model.receive(new TextDecoder().decode(data));
      } catch (error) {
        watch.fail(`the page at ${this.address} cannot go on: ${(error as Error).message}`);
      }
      const session = socket.connection?.session;
      // Answers to pings are not frames of the room.
      const isAnswer = model.said[heard]?.[0] === 'ping';
      if (isGreeted && !isAnswer) frames++;
      if (session !== undefined) watch.applied(session, frames, model);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = undefined;
      const reason = model.closed ?? 'the connection was lost';
      this.ends.set(reason, (this.ends.get(reason) ?? 0) + 1);
      if (model.closed !== undefined || ++this.attempts > attemptsMax) this.reload();
      else this.openIn(this.parts.random.between(200, 4000));
    };
  }

  private send(command: string, data: unknown): void {
    const number = this.model.commands?.[command];
    if (number === undefined || !this.isConnected) return;
    this.attempts = 0;
    this.socket?.send(Uint8Array.from(Buffer.from(JSON.stringify([String.fromCharCode(number), data]))));
  }

  private think(): void {
    const { timeline } = this.parts;
    timeline.after(thinksEveryMs, () => {
      if (!this.isAway) this.act();
      this.think();
    });
  }

  private act(): void {
    const { random } = this.parts;
    const way = random.next();
    if (way < 0.4) {
      const command = random.chance(0.5) ? 'playerKeyDown' : 'playerKeyUp';
      this.send(command, { device: 'key', key: random.pick(keys)! });
    } else if (way < 0.6) this.send('playerMouseMoved', [random.between(0, 2000), random.between(0, 2000), 0]);
    else if (way < 0.62) this.send('ping', { sentAt: random.next() });
    else if (way < 0.64) this.send('swapInventory', { from: random.integer(0, 3), to: random.integer(0, 3) });
    else if (way < 0.645) this.socket?.close();
  }
}
