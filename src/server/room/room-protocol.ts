import type { OutputEvent, Simulation } from '../../../engine/index.ts';
import type { StyleHosts } from '../../html/index.ts';
import type { RoomPlay } from '../../modd-client/index.ts';
import type { Code } from '../../net/index.ts';

/** The output events of a tick for clients, in order, by recipient: everybody, or players by client id. */
export interface TickEvents {
  readonly forAll: readonly OutputEvent[];
  readonly forPlayers: ReadonlyMap<string, readonly OutputEvent[]>;
  /** Why chat messages of players were refused, for protocols without input results. */
  readonly refusedChats?: ReadonlyMap<string, Code>;
}

/** One message for one client. Clients that receive the same may share the buffer, which is never reused. */
export type StreamMessage<C> = readonly [client: C, bytes: Uint8Array, kind: 'frame' | 'events'];

/** Encodes a room for all clients of one protocol. `C` is the stream's own type for a client. */
export interface RoomStream<C = unknown> {
  /**
   * Adds a client. `player` is the client id of its player; for a spectator, an id that no player has. `isBack`: the
   * client reconnects, and shows an old state of the room.
   */
  add(player: string, isBack: boolean): C;
  remove(client: C): void;
  acknowledge(client: C, frame: number): void;
  /**
   * Yields what each client lacks, in order. Called after each step with its events, and without events when a
   * spectator was added.
   */
  messages(events: TickEvents): Iterable<StreamMessage<C>>;
}

/** What an operator allows clients to see. */
export interface SightOptions {
  /** Global variables that clients receive in addition to those that the definition streams. */
  readonly variables: readonly string[];
  /** px from the unit that the player's camera follows; Infinity for the whole map. */
  readonly sight: number;
  /** See `PlayOptions`. Default 0. */
  readonly lagCompensationMs?: number;
  /** Hosts from which the game's styles may load pictures and fonts. */
  readonly styleHosts?: StyleHosts;
}

/** The part of a protocol that needs the simulation, and therefore runs in the thread of the room. */
export interface RoomProtocol {
  readonly name: string;
  stream(sim: Simulation, sight: SightOptions, play: RoomPlay): RoomStream;
}

export type RoomProtocols = ReadonlyMap<string, RoomProtocol>;
