import type { Simulation } from '../../../engine/index.ts';
import type { StyleHosts } from '../../html/index.ts';
import type { TickEvents as EntityTickEvents, RoomPlay } from '../../modd-client/index.ts';
import type { Code } from '../../net/index.ts';

/** The output events of a tick for clients, in order, by recipient: everybody, or players by client id. */
export interface TickEvents extends EntityTickEvents {
  /** For protocols without input results: why chat messages of players were refused, by client id. */
  readonly refusedChats?: ReadonlyMap<string, Code>;
}

/** A message for one client. Clients that receive the same message may share the buffer, which is never reused. */
export type StreamMessage<C> = readonly [client: C, bytes: Uint8Array, kind: 'frame' | 'events'];

/** Encodes the state of a room for all clients of one protocol. `C` is the stream's own type for a client. */
export interface RoomStream<C = unknown> {
  /**
   * Adds a client. `player` is the client id of its player; for a spectator it is an id that no player has. `isBack`:
   * the client reconnects and still shows an old state of the room.
   */
  add(player: string, isBack: boolean): C;
  remove(client: C): void;
  acknowledge(client: C, frame: number): void;
  /**
   * Yields the messages that bring each client up to date, in order. Called after each tick with its events, and
   * without events when a spectator was added.
   */
  messages(events: TickEvents): Iterable<StreamMessage<C>>;
}

/** The parts of a room that an operator allows clients to see. */
export interface SightOptions {
  /** Global variables that clients receive in addition to those that the definition streams. */
  readonly variables: readonly string[];
  /** How far a client sees, in px from the unit that its player's camera follows; Infinity means the whole map. */
  readonly sight: number;
  /** The maximum lag compensation, ms; see `PlayOptions`. Default 0. */
  readonly lagCompensationMs?: number;
  /** The hosts from which the game's styles may load pictures and fonts. */
  readonly styleHosts?: StyleHosts;
}

/** The part of a protocol that needs the simulation, and therefore runs in the thread of the room. */
export interface RoomProtocol {
  readonly name: string;
  stream(sim: Simulation, sight: SightOptions, play: RoomPlay): RoomStream;
}

export type RoomProtocols = ReadonlyMap<string, RoomProtocol>;
