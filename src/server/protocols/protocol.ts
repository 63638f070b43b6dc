import type { RoomProtocol } from '../room/protocol.ts';
import type { Codec } from '../session/codec.ts';

/** A protocol that clients can speak: its codec beside the sockets, its stream beside the simulation. */
export interface Protocol {
  readonly codec: Codec;
  readonly room: RoomProtocol;
}
