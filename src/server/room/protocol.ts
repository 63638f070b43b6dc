import type { OutputEvent, Simulation } from '../../../engine/index.ts';

/** What one client is shown of a room, tick by tick. `C` stands for a client to the stream itself. */
export interface RoomStream<C = unknown> {
  /** A newcomer, by the client id of its player. */
  add(player: string): C;
  remove(client: C): void;
  acknowledge(client: C, frame: number): void;
  /** After each step: what each client gets, in buffers that are used for nothing else. Those who get the same may share one. */
  frames(): Iterable<readonly [client: C, bytes: Uint8Array]>;
}

/** The part of a protocol that needs the simulation, and so stands in the thread of the room. */
export interface RoomProtocol {
  readonly name: string;
  stream(sim: Simulation): RoomStream;
  /** Output events of one tick for those who get the same. */
  events(events: readonly OutputEvent[], tick: number): Uint8Array;
}

export type RoomProtocols = ReadonlyMap<string, RoomProtocol>;
