import { cached } from '../../../engine/core/index.ts';
import type { Simulation } from '../../../engine/index.ts';
import type { Clock } from '../../machine/index.ts';
import type { RoomPlay } from '../../modd-client/index.ts';
import type { Sending } from './room-messages.ts';
import type { RoomProtocol, RoomProtocols, RoomStream, SightOptions, TickEvents } from './room-protocol.ts';

/** A connection that receives the state of a room. */
interface Receiver {
  readonly stream: RoomStream;
  readonly client: unknown;
}

/** The connections that receive the state of a room, and a stream for each of their protocols. */
export class Receivers {
  private readonly bySession = new Map<number, Receiver>();
  private readonly streams = new Map<RoomProtocol, RoomStream>();
  private former: Pick<RoomPlay, 'formerPlayers' | 'madeBefore'> = { formerPlayers: [], madeBefore: [] };
  /**
   * The room time when the clock shows zero, ms. Wall time is unsuitable, because it may go back, and clients ignore
   * positions with an earlier time.
   */
  private zeroMs = 0;

  constructor(
    private readonly sim: Simulation,
    private readonly sight: SightOptions,
    private readonly protocols: RoomProtocols,
    private readonly clock: Clock,
  ) {}

  /**
   * Must be called before the first connection is added. For `startMs`, see `RoomStart`; for `former`, see `RoomPlay`.
   */
  begin(startMs: number, former: Receivers['former']) {
    this.zeroMs = startMs - this.clock.now();
    this.former = former;
  }

  /** Adds a connection. For `player` and `isBack`, see `RoomStream.add`. */
  add(session: number, protocolName: string, player: string, isBack = false) {
    const stream = this.streamOf(protocolName);
    this.bySession.set(session, { stream, client: stream.add(player, isBack) });
  }

  remove(session: number) {
    const receiver = this.bySession.get(session);
    receiver?.stream.remove(receiver.client);
    this.bySession.delete(session);
  }

  acknowledge(session: number, frame: number) {
    const receiver = this.bySession.get(session);
    receiver?.stream.acknowledge(receiver.client, frame);
  }

  /** The messages to send after a tick with these events. */
  messages(events: TickEvents): Sending[] {
    return [...this.streams.values()].flatMap((stream) => this.messagesOf(stream, events));
  }

  /**
   * The messages that show the room to a new spectator between two ticks. They go to all connections with the same
   * protocol.
   */
  messagesBetweenTicks(protocolName: string): Sending[] {
    return this.messagesOf(this.streamOf(protocolName), { forAll: [], forPlayers: new Map() });
  }

  private messagesOf(stream: RoomStream, events: TickEvents): Sending[] {
    const sessions = new Map<unknown, number>();
    for (const [session, receiver] of this.bySession) {
      if (receiver.stream === stream) sessions.set(receiver.client, session);
    }
    if (sessions.size === 0) return [];
    const sendings = new Map<Uint8Array, Sending & { readonly sessions: number[] }>();
    for (const [client, bytes, kind] of stream.messages(events)) {
      const session = sessions.get(client);
      if (session !== undefined) cached(sendings, bytes, () => ({ sessions: [], bytes, kind })).sessions.push(session);
    }
    return [...sendings.values()];
  }

  private streamOf(protocolName: string): RoomStream {
    const protocol = this.protocols.get(protocolName);
    if (protocol === undefined) throw new Error(`Unknown protocol "${protocolName}".`);
    const timeMs = () => this.zeroMs + this.clock.now();
    return cached(this.streams, protocol, () => protocol.stream(this.sim, this.sight, { timeMs, ...this.former }));
  }
}
