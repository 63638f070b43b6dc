import type { RoomProtocol } from '../room/room-protocol.ts';
import type { Codec } from '../session/codec.ts';

/** A client protocol: its codec runs in the thread of the sockets, its stream in the thread of the room. */
export interface ClientProtocol {
  readonly codec: Codec;
  readonly room: RoomProtocol;
}
