import type { OutputEvent } from '../../engine/index.ts';
import { type ClientEvent, isClientEvent } from '../protocol/event-kinds.ts';
import {
  anyClientBytesMax,
  type ClientMessageKind,
  clientBytesMax,
  clientMessageKind,
  decodeClientMessage,
  encodeServerMessage,
} from '../protocol/messages.ts';
import { RoomStream } from '../protocol/stream.ts';
import type { Value } from '../protocol/value.ts';
import { outputForBrowser } from '../text/html.ts';
import type { RoomProtocol } from './room/protocol.ts';
import type { Codec } from './session/codec.ts';

/** A protocol that clients can speak: its codec beside the sockets, its stream beside the simulation. */
export interface Protocol {
  readonly codec: Codec;
  readonly room: RoomProtocol;
}

const name = 'reenact';

/** Our own (docs/protocol.md). */
const reenact: Protocol = {
  codec: {
    name,
    bytesMax: anyClientBytesMax,
    kindOf: clientMessageKind,
    bytesMaxOf: (kind) => clientBytesMax(kind as ClientMessageKind),
    decode: decodeClientMessage,
    encode: encodeServerMessage,
  },
  room: {
    name,
    stream: (sim, sight) => new RoomStream(sim, sight),
    events: (events, tick) => encodeServerMessage({ kind: 'events', tick, events: events.flatMap(toClient) }),
  },
};

/** The first is spoken with clients that ask for none. */
export const protocols: readonly [Protocol, ...Protocol[]] = [reenact];

/** Fit for a browser, and without what is the server's: whom it is for, and which script caused it. */
function toClient(event: OutputEvent): ClientEvent[] {
  const clean = outputForBrowser(event);
  if (clean === undefined || !isClientEvent(clean.kind)) return [];
  const { to: _, tick: _tick, time: _time, scriptId, actionType: _action, ...members } = clean;
  // What a client shall run is named by the script.
  const details = clean.kind === 'client.script' ? { ...members, scriptId } : members;
  return [details as { readonly [member: string]: Value } & ClientEvent];
}
