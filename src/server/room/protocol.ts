import type { OutputEvent, Simulation } from '../../../engine/index.ts';

/** What one client is shown of a room, tick by tick. `C` stands for a client to the stream itself. */
export interface RoomStream<C = unknown> {
  /** A newcomer, by the client id of its player. */
  add(player: string): C;
  remove(client: C): void;
  acknowledge(client: C, frame: number): void;
  /** Whether the client is shown the entity of an id: events about others are not for it. */
  sees(client: C, id: string): boolean;
  /** After each step: what each client gets, in buffers that are used for nothing else. Those who get the same may share one. */
  frames(): Iterable<readonly [client: C, bytes: Uint8Array]>;
}

/** What an operator allows clients to see. */
export interface SightOptions {
  /** Global variables that clients get beside those that the definition streams. */
  readonly variables: readonly string[];
  /** px from the unit that the player's camera follows; Infinity for the whole map. */
  readonly sight: number;
}

/** The part of a protocol that needs the simulation, and so stands in the thread of the room. */
export interface RoomProtocol {
  readonly name: string;
  stream(sim: Simulation, sight: SightOptions): RoomStream;
  /** Output events of one tick for those who get the same. */
  events(events: readonly OutputEvent[], tick: number): Uint8Array;
}

export type RoomProtocols = ReadonlyMap<string, RoomProtocol>;
