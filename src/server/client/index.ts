/** What a program needs to play in a room of a server, in browsers and in Node. docs/protocol.md describes the bytes on the wire. */
export { type Code, closeCodeOf, codeOfClose, codes } from '../protocol/codes.ts';
export type { ClientEvent, ClientEventKind } from '../protocol/event-kinds.ts';
export {
  type Applied,
  FrameReader,
  type NotApplied,
  type Replica,
  type ReplicaType,
  type ShownAttribute,
} from '../protocol/frame-reader.ts';
export type { ClientInput, ClientInputKind } from '../protocol/inputs.ts';
export {
  type ClientMessage,
  type Decoded,
  decodeServerMessage,
  encodeClientMessage,
  type InputResult,
  protocolVersion,
  type ServerMessage,
} from '../protocol/messages.ts';
export type { Value } from '../protocol/value.ts';
export { RoomClock } from './clock.ts';
export { type ColyseusClient, type ColyseusOptions, type ColyseusRoom, colyseusSocket } from './colyseus-socket.ts';
export { Interpolator, type Pose } from './interpolation.ts';
export {
  type Motion,
  type Predictor,
  RoomClient,
  type RoomClientEvents,
  type RoomClientOptions,
  RoomError,
  type Welcome,
} from './room-client.ts';
