import { RandomStreams } from '../../../engine/core/random.ts';
import { type DialectName, defaultLimits, type LoadedGame, loadDefinition, Simulation } from '../../../engine/index.ts';
import { subscribedIn } from '../../../src/bots/bots.ts';
import { defaultPlay } from '../../../src/server/base/options.ts';
import { type ClientInput, RoomClient } from '../../../src/server/client/index.ts';
import { ClientBot, type ClientBotPorts, clientBotsOf } from '../../../src/server/crowd/client-bot.ts';
import { type PictureResult, Pictures, Watcher } from '../../../src/server/crowd/pictures.ts';
import { slowSocket } from '../../../src/server/crowd/slow-link.ts';
import { ServedDefinition } from '../../../src/server/definitions/library.ts';
import { hostClock } from '../../../src/server/machine/clock.ts';
import {
  decodeClientMessage,
  encodeServerMessage,
  type InputResult,
  protocolVersion,
} from '../../../src/server/protocol/messages.ts';
import { protocols } from '../../../src/server/protocols/index.ts';
import { Room } from '../../../src/server/room/room.ts';
import { TestClock } from './distant-room.ts';

interface Link {
  readonly roundTripMs: number;
  readonly jitterMs: number;
  readonly lossShare?: number;
}

const pictureMs = 1000 / 60;
/** How long the journal takes to keep an input. */
const journalMs = 8;
/** Bots join in the first seconds, which are not measured. */
const warmUpSeconds = 6;

/** What `reenact load --predict` does, on a clock of the test: bots play in the real room through real clients across a distance. */
export class VirtualCrowd {
  readonly clock = new TestClock();
  readonly room: Room;
  private readonly seats: readonly Seat[];
  readonly definition: unknown;
  private readonly put = new Map<number, (bytes: Uint8Array) => void>();
  private sessions = 0;
  private tickedMs = 0;

  constructor(document: unknown, players: number, link: Link, seed = 'crowd', dialect: DialectName = 'standard') {
    const served = ServedDefinition.of(JSON.stringify(document), 'game')!;
    this.definition = JSON.parse(served.public.json);
    const game = served.game;
    const { clock } = this;
    const identity = { id: 'r', slug: 'game', version: 'v', seed: 's', epochMs: 0, limits: defaultLimits, dialect };
    const serverClock = { ...hostClock, now: () => clock.now(), date: () => clock.date(), busy: () => 0 };
    this.room = new Room(game, identity, { ...defaultPlay }, new Map([['reenact', protocols.reenact.room]]), {
      ...serverClock,
      every: () => ({ cancel: () => {} }),
      soon: () => {},
    });
    this.room.begin(0);
    const { sim } = this.room;
    const tick = (): void => {
      this.tickedMs = clock.now();
      const { sendings, results, admissions } = this.room.tick(clock.date(), 0);
      for (const { player, session, code } of admissions) {
        const { tick, rate } = sim;
        if (code !== undefined) {
          this.put.get(session)?.(encodeServerMessage({ kind: 'refused', code, text: code }));
          continue;
        }
        const welcome = { room: 'r', player, tick, rate, resume: '', sequence: 0, slug: 'game', hash: 'h' };
        this.put.get(session)?.(encodeServerMessage({ kind: 'welcome', protocol: protocolVersion, ...welcome }));
      }
      for (const { bytes, sessions } of sendings) for (const session of sessions) this.put.get(session)?.(bytes);
      const told = new Map<number, InputResult[]>();
      for (const { session, sequence, tick, code } of results) {
        const list = told.get(session) ?? [];
        told.set(session, list);
        list.push(code ? { sequence, refused: code } : { sequence, tick });
      }
      for (const [session, list] of told)
        clock.after(journalMs, () =>
          this.put.get(session)?.(encodeServerMessage({ kind: 'inputResults', results: list })),
        );
      clock.after(1000 / sim.rate, tick);
    };
    clock.after(1000 / sim.rate, tick);
    const { game: publicGame } = loadDefinition(this.definition);
    const definition = publicGame!.definition;
    const common = clientBotsOf(definition, subscribedOf(game));
    const streams = new RandomStreams(`${seed}/crowd`);
    const chances = new RandomStreams(`${seed}/link`);
    this.seats = Array.from({ length: players }, (_, i) => {
      const chance = chances.stream(String(i));
      return new Seat(
        this,
        link,
        () => chance.next(),
        (ports) => new ClientBot(ports, definition, i, streams.stream(String(i)), common),
      );
    });
  }

  socketClass(): unknown {
    const crowd = this;
    const { clock, room } = this;
    return class Socket {
      binaryType = '';
      onopen: ((event: never) => void) | null = null;
      onmessage: ((event: never) => void) | null = null;
      onclose: ((event: never) => void) | null = null;
      onerror: ((event: never) => void) | null = null;
      private readonly session = ++crowd.sessions;
      private readonly player = `p${this.session}`;

      constructor() {
        crowd.put.set(this.session, (bytes) => this.onmessage?.({ data: bytes } as never));
        clock.after(0, () => this.onopen?.({} as never));
      }

      send(bytes: Uint8Array): void {
        const decoded = decodeClientMessage(bytes);
        if (!decoded.ok) throw new Error(`The client sent something ${decoded.fault}.`);
        const { message } = decoded;
        const { session, player } = this;
        if (message.kind === 'join')
          room.join(session, 'reenact', { kind: 'join', clientId: player, name: message.name });
        else if (message.kind === 'leave') room.leave(player);
        else if (message.kind === 'ack') room.acknowledge(session, message.frame);
        else if (message.kind === 'ping') {
          const share = ((clock.now() - crowd.tickedMs) * room.sim.rate) / 1000;
          crowd.put.get(session)?.(
            encodeServerMessage({ kind: 'pong', time: message.time, tick: room.sim.tick + share }),
          );
        } else if (message.kind === 'input') {
          const { sequence, tick = 0, input } = message;
          const refused = room.input(session, player, sequence, tick, { ...input, player } as never);
          if (refused)
            crowd.put.get(session)?.(encodeServerMessage({ kind: 'inputResults', results: [{ sequence, refused }] }));
        }
      }

      close(): void {
        crowd.put.delete(this.session);
        room.detach(this.session);
      }
    };
  }

  /** Plays, and measures after a while. */
  play(seconds: number): PictureResult {
    const { rate } = this.room.sim;
    this.run(warmUpSeconds, rate);
    for (const seat of this.seats) seat.pictures = new Pictures();
    this.run(seconds, rate);
    return Pictures.of(this.seats.map((seat) => seat.pictures)).result(1, 1);
  }

  private run(seconds: number, rate: number): void {
    const endMs = this.clock.now() + seconds * 1000;
    let thoughtTick = 0;
    while (this.clock.now() < endMs) {
      this.clock.passTo(this.clock.now() + pictureMs);
      const tick = Math.floor((this.clock.now() / 1000) * rate);
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
  private readonly crowd: VirtualCrowd;
  private readonly WebSocket: unknown;

  constructor(crowd: VirtualCrowd, link: Link, random: () => number, bot: (ports: ClientBotPorts) => ClientBot) {
    this.crowd = crowd;
    this.WebSocket = slowSocket(crowd.socketClass() as never, { ...link, time: crowd.clock, random });
    this.bot = bot(this);
  }

  get tick(): number {
    return Math.floor((this.crowd.clock.now() / 1000) * this.rate);
  }

  get rate(): number {
    return this.crowd.room.sim.rate;
  }

  step(): void {
    this.bot.think();
  }

  look(): void {
    if (this.bot.state !== undefined) this.watcher?.look();
  }

  open(name: string): RoomClient {
    const { WebSocket, crowd } = this;
    const client = new RoomClient({ url: 'ws://room', name, WebSocket, time: crowd.clock });
    client.on('error', (error) => {
      throw error;
    });
    this.watcher = new Watcher(client, crowd.definition, () => this.pictures);
    return client;
  }

  ended(_client: RoomClient, code: string | undefined): void {
    if (code !== 'left') throw new Error(`A bot was lost: ${code}.`);
  }

  sends(input: ClientInput): void {
    this.watcher?.sends(input);
  }
}

function subscribedOf(game: LoadedGame) {
  return subscribedIn(new Simulation(game, { seed: '' }));
}
