import type { OutputEvent, Simulation } from '../../../engine/index.ts';
import type { StyleHosts } from '../../text/css.ts';
import type { RoomPlay } from '../moddio/stream.ts';
import type { Code } from '../protocol/codes.ts';

/** The outputs of a tick for clients, in order, by receiver: everybody, or players by client id. */
export interface TickEvents {
  readonly forAll: readonly OutputEvent[];
  readonly forPlayers: ReadonlyMap<string, readonly OutputEvent[]>;
  /** Messages that the chat refused, by the player who wrote them. Clients that get results of inputs have the codes from there. */
  readonly refusedChats?: ReadonlyMap<string, Code>;
}

/** One message for one client. Those who get the same may share a buffer, which is used for nothing else. */
export type StreamMessage<C> = readonly [client: C, bytes: Uint8Array, kind: 'frame' | 'events'];

/** The stream of a room for clients of one protocol, tick by tick. `C` stands for a client to the stream itself. */
export interface RoomStream<C = unknown> {
  /** A client of a player, by its client id, or one that watches and has a name that no player has. `isBack`: its page has a picture of the room, if an old one. */
  add(player: string, isBack: boolean): C;
  remove(client: C): void;
  acknowledge(client: C, frame: number): void;
  /** After each step, with what it published, and after somebody came to watch: what each client lacks, each client's messages in their order. */
  messages(events: TickEvents): Iterable<StreamMessage<C>>;
}

/** The parts that an operator allows clients to see. */
export interface SightOptions {
  /** Global variables that clients get beside those that the definition streams. */
  readonly variables: readonly string[];
  /** px from the unit that the player's camera follows; Infinity for the whole map. */
  readonly sight: number;
  /** Hosts from which styles of the game may load pictures. */
  readonly styleHosts?: StyleHosts;
}

/** The part of a protocol that needs the simulation, and so stands in the thread of the room. */
export interface RoomProtocol {
  readonly name: string;
  stream(sim: Simulation, sight: SightOptions, play: RoomPlay): RoomStream;
}

export type RoomProtocols = ReadonlyMap<string, RoomProtocol>;
