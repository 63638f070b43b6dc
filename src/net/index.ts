/**
 * Everything that a page needs to play in a room of a server: the protocol, the client of a room, the prediction of the
 * player's own unit, and the sanitizing of HTML. Published as `@reenact/client`. Nothing here needs Node;
 * docs/protocol.md describes the bytes on the wire.
 */

// The client of a room.

export { RoomClock } from './client/clock.ts';
export {
  type ColyseusClient,
  type ColyseusOptions,
  type ColyseusRoom,
  colyseusMessageType,
  colyseusSocket,
} from './client/colyseus-socket.ts';
export { Interpolator, type Pose } from './client/interpolation.ts';
export {
  type Motion,
  type Predictor,
  RoomClient,
  type RoomClientEvents,
  type RoomClientOptions,
  RoomError,
  type Welcome,
} from './client/room-client.ts';
export { ShownTexts } from './client/shown-texts.ts';
export type { ClientSocket, ClientSocketClass } from './client/socket.ts';
export { walkingKeys } from '../../engine/tools.ts';

// The prediction of the player's own unit and its shots. This part includes the engine.

export { Prediction, type PredictionObserver, type PredictionOptions } from './prediction/prediction.ts';
export type { GhostShot, HeldItem } from './prediction/shots.ts';
export { fillTiles, type TileEdit } from './prediction/tile-edit.ts';
export { loadPrediction } from './on-demand.ts';

// The HTML of games, which a page must sanitize before it shows it.

export { cleanHtml, inputFromBrowser, outputForBrowser, typedText } from '../html/index.ts';

// The protocol: the messages of both sides, and the codes with which a connection ends.

export {
  type Code,
  closeCodeOf,
  codeAt,
  codeMeanings,
  codeOfClose,
  codes,
  type DecodeFault,
  indexOfCode,
} from './protocol/messages/codes.ts';
export { type ClientEvent, type ClientEventKind, isClientEvent } from './protocol/messages/event-kinds.ts';
export {
  type Applied,
  FrameReader,
  type NotApplied,
  type Replica,
  type ReplicaType,
  type ShownAttribute,
} from './protocol/frames/frame-reader.ts';
export { type ClientInput, type ClientInputKind, clientInputs, isClientInput } from './protocol/messages/inputs.ts';
export {
  anyClientBytesMax,
  type ClientMessage,
  type ClientMessageKind,
  clientBytesMax,
  clientMessageKind,
  type Decoded,
  decodeClientMessage,
  decodeServerMessage,
  encodeClientMessage,
  encodeServerMessage,
  type InputResult,
  inputSequence,
  protocolVersion,
  type ServerMessage,
} from './protocol/messages/messages.ts';
export { type SlowReason, toldOfPace } from './protocol/messages/slow-reasons.ts';
export { type Value, valueDepthMax } from './protocol/encoding/value.ts';

// The server's side of the protocol. Not for pages: it may change with any version.

export * from './protocol/audience/destination.ts';
export { angleSteps, quantaPerPixel, velocityAfter } from './protocol/frames/frame-layout.ts';
export * from './protocol/audience/json.ts';
export * from './protocol/limits.ts';
export * from './protocol/audience/public-definition.ts';
export {
  type SentAttribute,
  type SentVariable,
  sentAttributes,
  sentVariables,
} from './protocol/audience/sent-members.ts';
export { shopRegions } from './protocol/audience/shop-regions.ts';
export { standingEvents } from './protocol/audience/standing-events.ts';
export { ReenactStream, type StreamClient } from './protocol/frames/stream.ts';
export * from './protocol/frames/value-track.ts';
