import { type DialectName, type LoadedGame, Simulation } from '../../../engine/index.ts';
import { Bots } from '../../../src/bots/bots.ts';
import { FrameReader } from '../../../src/net/protocol/frames/frame-reader.ts';
import { ReenactStream, type StreamClient, type StreamOptions } from '../../../src/net/protocol/frames/stream.ts';
import { differences, expectedOf } from './mirror.ts';

/** A client of the stream with its decoded state. */
export interface Seat {
  readonly player: string;
  readonly client: StreamClient;
  readonly reader: FrameReader;
  /** Frames whose acknowledgement is delayed. */
  readonly late: { readonly tick: number; readonly frame: number }[];
}

export interface RoomOptions extends StreamOptions {
  readonly dialect?: DialectName;
}

/** A room with bots, and stream clients that connect, disconnect, and acknowledge late or not at all. */
export class StreamedRoom {
  readonly sim: Simulation;
  readonly stream: ReenactStream;
  readonly seats: Seat[] = [];
  private readonly bots: Bots;
  private readonly variables: readonly string[];

  constructor(game: LoadedGame, seed: string, bots: number, options: RoomOptions = {}) {
    const { dialect = 'standard', ...streaming } = options;
    this.sim = new Simulation(game, { seed, dialect });
    this.bots = new Bots(this.sim, { count: bots, seed });
    this.variables = ['state', 'timeLeft', 'round'].filter((name) => game.definition.variables.has(name));
    this.stream = new ReenactStream(this.sim, { variables: this.variables, ...streaming });
  }

  sit(player: string): Seat {
    const seat: Seat = { player, client: this.stream.add(player), reader: new FrameReader(), late: [] };
    seat.reader.player = player;
    this.seats.push(seat);
    return seat;
  }

  leave(index: number): void {
    const [seat] = this.seats.splice(index, 1);
    if (seat !== undefined) this.stream.remove(seat.client);
  }

  /** Plays a tick and returns its frames. `acknowledges` says after how many ticks a frame is acknowledged, if ever. */
  step(acknowledges: (seat: Seat) => number | undefined = () => 0): Map<Seat, Uint8Array> {
    this.bots.beforeStep();
    this.sim.step();
    const sent = new Map<Seat, Uint8Array>();
    for (const [client, bytes] of this.stream.frames()) {
      const seat = this.seats.find((each) => each.client === client)!;
      const applied = seat.reader.apply(bytes.subarray(1));
      if (!applied.ok) throw new Error(`tick ${this.sim.tick}: the frame of ${seat.player} is ${applied.fault}`);
      sent.set(seat, bytes);
      const after = acknowledges(seat);
      if (after !== undefined) seat.late.push({ tick: this.sim.tick + after, frame: applied.frame });
    }
    for (const { client, late } of this.seats) {
      while (late.length > 0 && late[0]!.tick <= this.sim.tick) {
        this.stream.acknowledge(client, late.shift()!.frame);
      }
    }
    return sent;
  }

  /** The differences between a client's decoded state and the room. */
  differences({ player, reader }: Seat, sight?: number): string[] {
    const viewing = { player, variables: this.variables, ...(sight === undefined ? {} : { sight }) };
    return differences(reader, expectedOf(this.sim, viewing));
  }
}
