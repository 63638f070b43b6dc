import type { OutputEvent, Simulation } from '../../../engine/index.ts';
import { type ClientEvent, isClientEvent } from '../../protocol/event-kinds.ts';
import {
  anyClientBytesMax,
  type ClientMessageKind,
  clientBytesMax,
  clientMessageKind,
  decodeClientMessage,
  encodeServerMessage,
} from '../../protocol/messages.ts';
import { standingEvents } from '../../protocol/standing-events.ts';
import { RoomStream, type StreamClient } from '../../protocol/stream.ts';
import type { Value } from '../../protocol/value.ts';
import { outputForBrowser } from '../../text/html.ts';
import { entityOf } from '../room/audience.ts';
import type { RoomStream as MessageStream, SightOptions, StreamMessage, TickEvents } from '../room/protocol.ts';
import type { Protocol } from './protocol.ts';

const name = 'reenact';

/** Our own (docs/protocol.md). */
export const reenact: Protocol = {
  codec: {
    name,
    isText: false,
    bytesMax: anyClientBytesMax,
    joinOf: undefined,
    kindOf: clientMessageKind,
    bytesMaxOf: (kind) => clientBytesMax(kind as ClientMessageKind),
    decode: decodeClientMessage,
    encode: (message) => [encodeServerMessage(message)],
    // Before it has joined it is refused; later it is said good-bye.
    encodeEnd: (code, text, isPlaying) => {
      const refused = encodeServerMessage({ kind: 'refused', code, text: text ?? code });
      if (!isPlaying) return [refused];
      return [...(text === undefined ? [] : [refused]), encodeServerMessage({ kind: 'bye', code })];
    },
  },
  room: { name, stream: (sim, sight) => new FramesAndEvents(sim, sight) },
};

/** Frames of the state, and behind them what was published, for those who see what it is about. Newcomers are first told how things stand. */
class FramesAndEvents implements MessageStream<StreamClient> {
  private readonly sim: Simulation;
  private readonly stream: RoomStream;
  private readonly clients = new Set<StreamClient>();
  private readonly newcomers = new Set<StreamClient>();

  constructor(sim: Simulation, sight: SightOptions) {
    this.sim = sim;
    this.stream = new RoomStream(sim, sight);
  }

  add(player: string): StreamClient {
    const client = this.stream.add(player);
    this.clients.add(client);
    this.newcomers.add(client);
    return client;
  }

  remove(client: StreamClient): void {
    this.stream.remove(client);
    this.clients.delete(client);
    this.newcomers.delete(client);
  }

  acknowledge(client: StreamClient, frame: number): void {
    this.stream.acknowledge(client, frame);
  }

  *messages({ forAll, forPlayers }: TickEvents): IterableIterator<StreamMessage<StreamClient>> {
    // Frames first: who hears of an entity is who is shown it now.
    for (const [client, bytes] of this.stream.frames()) yield [client, bytes, 'frame'];
    const newcomers = new Set(this.newcomers);
    yield* this.standing();
    const clients = [...this.clients];
    const forEach = new Map(clients.map((client) => [client, [] as OutputEvent[]]));
    const shared: OutputEvent[] = [];
    for (const event of forAll) {
      const id = entityOf(event);
      const seeing = id === undefined ? clients : clients.filter((client) => this.stream.sees(client, id));
      if (seeing.length === clients.length) shared.push(event);
      else for (const client of seeing) forEach.get(client)!.push(event);
    }
    if (shared.length > 0) {
      const bytes = this.encode(shared);
      for (const client of clients) yield [client, bytes, 'events'];
    }
    for (const [client, own] of forEach) {
      const personal = forPlayers.get(client.player) ?? [];
      // A game repeats its texts for a player that joins, as they were before this tick: newcomers have them as they are.
      own.push(...(newcomers.has(client) ? personal.filter((event) => !isRepeated(event)) : personal));
      if (own.length > 0) yield [client, this.encode(own), 'events'];
    }
  }

  /** Before what has just been published, which may change it. */
  private *standing(): IterableIterator<StreamMessage<StreamClient>> {
    if (this.newcomers.size === 0) return;
    const newcomers = [...this.newcomers];
    this.newcomers.clear();
    const events = standingEvents(this.sim);
    if (events.length === 0) return;
    const bytes = this.encode(events);
    for (const client of newcomers) yield [client, bytes, 'events'];
  }

  private encode(events: readonly OutputEvent[]): Uint8Array {
    return encodeServerMessage({ kind: 'events', tick: this.sim.tick, events: events.flatMap(toClient) });
  }
}

/** No script has caused it. */
function isRepeated({ kind, scriptId }: OutputEvent): boolean {
  return kind === 'ui.text' && scriptId === undefined;
}

/** Fit for a browser, and without what is the server's: whom it is for, and which script caused it. */
function toClient(event: OutputEvent): ClientEvent[] {
  const clean = outputForBrowser(event);
  if (clean === undefined || !isClientEvent(clean.kind)) return [];
  const { to: _, tick: _tick, time: _time, scriptId, actionType: _action, ...members } = clean;
  // What a client shall run is named by the script.
  const details = clean.kind === 'client.script' ? { ...members, scriptId } : members;
  return [details as { readonly [member: string]: Value } & ClientEvent];
}
