import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { type LoadedGame, Simulation } from '../../../engine/index.ts';
import { hostClock } from '../../../src/machine/clock.ts';
import { ReenactStream, type StreamClient } from '../../../src/net/protocol/frames/stream.ts';
import {
  type ClientMessage,
  decodeClientMessage,
  encodeServerMessage,
  protocolVersion,
  type ServerMessage,
} from '../../../src/net/protocol/messages/messages.ts';

/** One room behind a real socket, stepped by the test: a minimal server for testing clients. */
export class RoomServer {
  readonly sim: Simulation;
  readonly url: string;
  /** Everything that clients sent, in order of arrival. */
  readonly received: ClientMessage[] = [];
  /** Whether inputs are accepted but their results held back. */
  isDeaf = false;
  /** The first pong, and when it was sent by this process's clock. */
  answered: { readonly atMs: number; readonly tick: number } | undefined;
  private readonly server: WebSocketServer;
  private readonly stream: ReenactStream;
  private readonly seats = new Map<string, { socket: WebSocket; client: StreamClient; sequence: number }>();
  private readonly results: { player: string; sequence: number }[] = [];
  private made = 0;

  private constructor(game: LoadedGame, server: WebSocketServer) {
    this.sim = new Simulation(game, { seed: 'room' });
    this.stream = new ReenactStream(this.sim);
    this.server = server;
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (socket) => {
      let player = '';
      socket.on('message', (data) => {
        const decoded = decodeClientMessage(new Uint8Array(data as Buffer));
        if (!decoded.ok) throw new Error(`The client sent something ${decoded.fault}.`);
        this.received.push(decoded.message);
        player = this.take(decoded.message, player, socket);
      });
    });
    this.sim.on('output', ({ ...posted }) => {
      if (posted.kind !== 'chat' || posted.to !== 'everyone') return;
      const event = { kind: posted.kind, text: String(posted.text) } as const;
      this.tell({ kind: 'events', tick: this.sim.tick, events: [event] });
    });
  }

  static async start(game: LoadedGame): Promise<RoomServer> {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await new Promise((resolve) => server.once('listening', resolve));
    return new RoomServer(game, server);
  }

  async stop(): Promise<void> {
    for (const socket of this.server.clients) socket.terminate();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Cuts all connections, like a broken network. */
  cut(): void {
    for (const socket of this.server.clients) socket.terminate();
  }

  /** Simulates a crash that lost the newest inputs of a player. */
  forget(player: string, sequence: number): void {
    this.seats.get(player)!.sequence = sequence;
  }

  bye(message: ServerMessage): void {
    this.tell(message);
    for (const socket of this.server.clients) socket.close(1000);
  }

  step(): void {
    this.sim.step();
    for (const { player, sequence } of this.results.splice(0)) {
      const seat = this.seats.get(player);
      const results = [{ sequence, tick: this.sim.tick }];
      seat?.socket.send(encodeServerMessage({ kind: 'inputResults', results }));
    }
    for (const [client, bytes] of this.stream.frames()) this.seats.get(client.player)?.socket.send(bytes);
  }

  private tell(message: ServerMessage): void {
    for (const socket of this.server.clients) socket.send(encodeServerMessage(message));
  }

  private take(message: ClientMessage, player: string, socket: WebSocket): string {
    const answer = (said: ServerMessage) => socket.send(encodeServerMessage(said));
    if (message.kind === 'join') {
      if (message.name === 'nobody') {
        answer({ kind: 'refused', code: 'banned', text: 'No.' });
        socket.close(1000);
        return player;
      }
      const id = message.resume ?? `p${++this.made}`;
      const before = this.seats.get(id);
      if (before === undefined) this.sim.join({ clientId: id, name: message.name });
      else this.stream.remove(before.client);
      const sequence = before?.sequence ?? 0;
      this.seats.set(id, { socket, client: this.stream.add(id), sequence });
      const { tick, rate } = this.sim;
      const room = { room: 'r', player: id, tick, rate, resume: id, sequence, slug: 'game', hash: 'h' };
      answer({ kind: 'welcome', protocol: protocolVersion, ...room });
      return id;
    }
    const seat = this.seats.get(player);
    if (seat === undefined) return player;
    if (message.kind === 'ping') {
      const tick = this.sim.tick + 0.5;
      this.answered ??= { atMs: hostClock.now(), tick };
      answer({ kind: 'pong', time: message.time, tick });
    }
    if (message.kind === 'ack') this.stream.acknowledge(seat.client, message.frame);
    if (message.kind === 'leave') this.sim.input({ kind: 'leave', player });
    if (message.kind === 'input' && !this.isDeaf) {
      seat.sequence = message.sequence;
      this.sim.input({ ...message.input, player } as Parameters<Simulation['input']>[0]);
      this.results.push({ player, sequence: message.sequence });
    }
    return player;
  }
}
