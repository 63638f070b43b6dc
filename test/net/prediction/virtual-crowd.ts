import { RandomStreams } from '../../../engine/core/random.ts';
import { loadDefinition } from '../../../engine/index.ts';
import { subscribedIn } from '../../../src/bots/bots.ts';
import type { ClientSocketClass } from '../../../src/net/client/socket.ts';
import { type ClientInput, RoomClient } from '../../../src/net/index.ts';
import { ClientBot, type ClientBotPorts, clientBotsOf } from '../../../src/server/crowd/client-bot.ts';
import { type PictureResult, Pictures, Watcher } from './pictures.ts';
import { type Distance, pictureMs, VirtualServer } from './virtual-server.ts';

/** Bots join in the first seconds, which are not measured. */
const warmUpSeconds = 6;

/**
 * What `reenact load --predict` does, on a clock of the test: bots play in the real room through real clients across a
 * distance.
 */
export class VirtualCrowd {
  private readonly server: VirtualServer;
  private readonly seats: readonly Seat[];

  constructor(document: unknown, players: number, distance: Distance) {
    this.server = new VirtualServer(document);
    const { game } = loadDefinition(this.server.definition);
    const { definition } = game!;
    const common = clientBotsOf(definition, subscribedIn(this.server.room.sim));
    const streams = new RandomStreams('crowd');
    const chances = new RandomStreams('link');
    this.seats = Array.from({ length: players }, (_, i) => {
      const chance = chances.stream(String(i));
      const WebSocket = this.server.socketClass(distance, () => chance.next());
      return new Seat(
        this.server,
        WebSocket,
        (ports) => new ClientBot(ports, definition, i, streams.stream(String(i)), common),
      );
    });
  }

  /** Plays, and measures after a while. */
  play(seconds: number): PictureResult {
    this.run(warmUpSeconds);
    for (const seat of this.seats) seat.pictures = new Pictures();
    this.run(seconds);
    return Pictures.of(this.seats.map((seat) => seat.pictures)).result(1, 1);
  }

  private run(seconds: number): void {
    const { clock, room } = this.server;
    const endMs = clock.now() + seconds * 1000;
    let thoughtTick = 0;
    while (clock.now() < endMs) {
      clock.passTo(clock.now() + pictureMs);
      const tick = Math.floor((clock.now() / 1000) * room.sim.rate);
      if (tick > thoughtTick) for (const seat of this.seats) seat.step();
      thoughtTick = tick;
      for (const seat of this.seats) seat.look();
    }
  }
}

class Seat implements ClientBotPorts {
  pictures = new Pictures();
  private watcher: Watcher | undefined;
  private readonly bot: ClientBot;
  private readonly server: VirtualServer;
  private readonly WebSocket: ClientSocketClass;

  constructor(server: VirtualServer, WebSocket: ClientSocketClass, bot: (ports: ClientBotPorts) => ClientBot) {
    this.server = server;
    this.WebSocket = WebSocket;
    this.bot = bot(this);
  }

  get tick(): number {
    return Math.floor((this.server.clock.now() / 1000) * this.rate);
  }

  get rate(): number {
    return this.server.room.sim.rate;
  }

  step(): void {
    this.bot.think();
  }

  look(): void {
    if (this.bot.state !== undefined) this.watcher?.look();
  }

  open(name: string): RoomClient {
    const { WebSocket, server } = this;
    const client = new RoomClient({ url: 'ws://room', name, WebSocket, time: server.clock });
    client.on('error', (error) => {
      throw error;
    });
    const watcher = new Watcher(client, server.definition, () => this.pictures);
    this.watcher = watcher;
    const send = client.send.bind(client);
    client.send = (input: ClientInput) => {
      watcher.sends(input);
      return send(input);
    };
    return client;
  }

  ended(_client: RoomClient, code: string | undefined): void {
    if (code !== 'left') throw new Error(`A bot was lost: ${code}.`);
  }
}
