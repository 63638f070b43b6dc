import { ByteReader, ByteWriter, type Dictionary, isRecord, MalformedBytes } from '../../../../engine/core/index.ts';
import {
  count,
  type Field,
  type Fields,
  list,
  number,
  optional,
  readFields,
  record,
  rest,
  TooLong,
  text,
  type Values,
  writeFields,
} from '../encoding/fields.ts';
import { readValue, writeValue } from '../encoding/value.ts';
import { type Code, codeAt, type DecodeFault, indexOfCode } from './codes.ts';
import { readEffect, writeEffect } from './effect.ts';
import { type ClientEvent, eventKindAt, indexOfEventKind } from './event-kinds.ts';
import {
  type ClientInput,
  type ClientInputKind,
  clientInputKinds,
  clientInputs,
  readInput,
  writeInput,
} from './inputs.ts';

/**
 * The protocol version, equal on both sides. It increases with each change that an older side would misread;
 * docs/protocol.md has the policy.
 */
export const protocolVersion = 2;

export type InputResult =
  /** `tick`: the tick in which the input took effect. */
  { readonly sequence: number; readonly tick: number } | { readonly sequence: number; readonly refused: Code };

const code: Field<Code> = {
  form: 'byte %',
  write: (writer, value) => writer.byte(indexOfCode(value)),
  read: (reader) => codeAt(reader.byte()),
};
const events = list<ClientEvent>(
  'byte kind, value details (an object; for `effect` see below)',
  (writer, { kind, ...details }) => {
    writer.byte(indexOfEventKind(kind));
    if (kind === 'effect') writeEffect(writer, details);
    else writeValue(writer, details);
  },
  (reader) => {
    const kind = eventKindAt(reader.byte());
    const details = kind === 'effect' ? readEffect(reader) : readValue(reader);
    if (!isRecord(details)) {
      throw new MalformedBytes('The details of an event must be an object.');
    }
    // Events of kinds that only a newer server knows are skipped.
    return kind === undefined ? undefined : ({ ...details, kind } as ClientEvent);
  },
);
const results = list<InputResult>(
  'count sequence, count tick; if tick is 0, a byte with a code follows',
  (writer, result) => {
    writer.count(result.sequence);
    writer.count('tick' in result ? result.tick : 0);
    if ('refused' in result) code.write(writer, result.refused);
  },
  (reader) => {
    const sequence = reader.count();
    const tick = reader.count();
    return tick > 0 ? { sequence, tick } : { sequence, refused: code.read(reader) };
  },
);
const bucket = record({ size: number, perSecond: number });
const room = optional(text(128));
const token = optional(text(6 * 1024));

/**
 * The messages that a client sends besides inputs. The first byte of a message is its position in this list, from 1;
 * new messages are appended.
 */
export const clientMessages = {
  join: {
    protocol: count,
    name: text(64),
    /** The id of the room. By default, the server chooses a room. */
    room,
    /** Identifies the client to the server's authentication. */
    token,
    /** The token from an earlier `welcome`, to continue as the same player. */
    resume: optional(text(512)),
  },
  /** The newest frame that the client has applied; 0 asks for the full state. */
  ack: { frame: count },
  /** `time` is from the client's own clock, ms; the `pong` returns it unchanged. */
  ping: { time: number },
  leave: {},
  /** Instead of `join`: watches a room without a player. The members are those of `join`. */
  watch: { protocol: count, room, token },
  /** Reports another player of the room to the operator. `player` is its client id. */
  report: { player: text(128), text: text(500) },
} as const satisfies Dictionary<Fields>;

/**
 * The messages that a server sends. The first byte of a message is its position in this list, from 1; new messages are
 * appended.
 */
export const serverMessages = {
  welcome: {
    protocol: count,
    room: text(),
    /** The id of the client's own player; empty for a client that watches. */
    player: text(),
    /** The number of ticks simulated so far. */
    tick: count,
    /** Ticks per second. */
    rate: number,
    /** The token for `join.resume` after a lost connection; empty for a client that watches. */
    resume: text(),
    /** The number of this player's newest input that the server has received. */
    sequence: count,
    /** The name in the URL of the definition, which is served at `GET /definitions/:slug`. */
    slug: text(),
    hash: text(),
  },
  /** The full state or its changes, for `FrameReader`. `RoomStream` produces the whole message. */
  frame: { bytes: rest },
  /** Events of a tick that are not part of the state: sounds, texts, chat. */
  events: { tick: count, events },
  inputResults: { results },
  /** A request was refused. The connection continues, or ends if it had no `welcome` yet. */
  refused: { code, text: text() },
  /** `tick` is the room's time when it answered, in ticks with the fraction. */
  pong: { time: number, tick: number },
  /** The last message of a connection. */
  bye: { code },
  /** The limits of this connection; sent to players before their `welcome`. */
  limits: { limits: record({ messages: bucket, bytes: bucket, large: bucket, inputs: count }) },
  /** The operator has received the report. */
  reported: { report: text() },
  /** The data that clients need to predict their own unit. It applies from the next frame on. */
  motion: {
    /** The dialect of the room. Present only in the first such message of a connection. */
    dialect: optional(text(4096)),
    /**
     * The speed at which the selected unit walks, in physics units; 0 while it is stunned. Present only if it has
     * changed.
     */
    speed: optional(number),
  },
  /**
   * The room judges hits by what the attackers saw, at most `ms` ago, so its clients send `seen`. Sent only to players
   * of such rooms, before their first frame.
   */
  lagCompensation: { ms: number },
  /**
   * The room has become slow, or runs at full speed again; then the reason is empty. `speed` is the fraction of its due
   * ticks that it plays.
   */
  pace: { speed: number, reason: text() },
} as const satisfies Dictionary<Fields>;

type MessageOf<M> = { [K in keyof M]: { readonly kind: K } & Values<M[K]> }[keyof M];
type PlainKind = keyof typeof clientMessages;

/** The messages that a client sends. */
export type ClientMessage =
  | MessageOf<typeof clientMessages>
  | {
      readonly kind: 'input';
      /** Counts the inputs of a player from 1, and continues across reconnections. */
      readonly sequence: number;
      /** The earliest tick in which the input may take effect. Default: the next one. */
      readonly tick?: number;
      readonly input: ClientInput;
    };

/** The messages that a server sends. */
export type ServerMessage = MessageOf<typeof serverMessages>;

export type Decoded<M> =
  | { readonly ok: true; readonly message: M }
  | { readonly ok: false; readonly fault: DecodeFault };

const plainKinds = Object.keys(clientMessages) as readonly PlainKind[];
const serverKinds = Object.keys(serverMessages) as readonly ServerMessage['kind'][];
/** The first byte of an input tells its kind, so that inputs can be limited by kind before they are decoded. */
const inputStart = 32;

/** The first byte of a frame message; `RoomStream` writes it before the frame. */
export const frameByte = serverKinds.indexOf('frame') + 1;

/** A kind of client message, as limits distinguish them: an input counts as its own kind. */
export type ClientMessageKind = PlainKind | ClientInputKind;

/** The kind of a message, from its first byte alone; undefined if clients send no such kind. */
export function clientMessageKind(bytes: Uint8Array): ClientMessageKind | undefined {
  const first = bytes[0] ?? 0;
  return plainKinds[first - 1] ?? clientInputKinds[first - inputStart];
}

const frameBytesMax = 1024;
const largeFrameBytesMax: Partial<Record<ClientMessageKind, number>> = {
  join: 8 * 1024,
  watch: 8 * 1024,
  chat: 2 * 1024,
  customInput: 4 * 1024 + 64,
  htmlClick: 16 * 1024,
  data: 16 * 1024,
  moderate: 2 * 1024,
  report: 2 * 1024,
};

/** The maximum number of bytes of a message of this kind. Check it before decoding. */
export function clientBytesMax(kind: ClientMessageKind): number {
  return largeFrameBytesMax[kind] ?? frameBytesMax;
}

/** The largest `clientBytesMax` of all kinds: a transport must accept messages of this size. */
export const anyClientBytesMax = Math.max(frameBytesMax, ...Object.values(largeFrameBytesMax));

/** Encodes a message. Returns a new buffer each time, because a socket may still hold the previous one. */
export function encodeClientMessage(message: ClientMessage): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(64);
  if (message.kind === 'input') {
    writer.byte(inputStart + clientInputKinds.indexOf(message.input.kind));
    writer.count(message.sequence);
    writer.count(message.tick === undefined ? 0 : message.tick + 1);
    writeInput(writer, message.input);
  } else {
    writer.byte(plainKinds.indexOf(message.kind) + 1);
    writeFields(writer, clientMessages[message.kind], message);
  }
  return writer.take();
}

/** The sequence number of an input, without decoding the rest; undefined for other messages and unreadable ones. */
export function inputSequence(bytes: Uint8Array): number | undefined {
  if (clientInputKinds[(bytes[0] ?? 0) - inputStart] === undefined) return undefined;
  const reader = new ByteReader(bytes);
  reader.at = 1;
  try {
    return reader.count();
  } catch {
    return undefined;
  }
}

/** A copy of an encoded input with another sequence number. */
export function renumberedInput(bytes: Uint8Array, sequence: number): Uint8Array<ArrayBuffer> {
  const reader = new ByteReader(bytes);
  const writer = new ByteWriter(bytes.length + 8);
  writer.byte(reader.byte());
  reader.count();
  writer.count(sequence);
  writer.raw(bytes.subarray(reader.at));
  return writer.take();
}

/**
 * Decodes any bytes into a message, or returns why it cannot. Never throws. Refuses messages with more bytes than
 * `clientBytesMax` without reading them.
 */
export function decodeClientMessage(bytes: Uint8Array): Decoded<ClientMessage> {
  const kind = clientMessageKind(bytes);
  if (kind !== undefined && bytes.length > clientBytesMax(kind)) return { ok: false, fault: 'too-large' };
  return decoded(bytes, (reader) => {
    if (kind === undefined) return undefined;
    if (Object.hasOwn(clientInputs, kind)) {
      const sequence = reader.count();
      const tick = reader.count();
      const input = readInput(reader, kind as ClientInputKind);
      return { kind: 'input', sequence, ...(tick !== 0 && { tick: tick - 1 }), input };
    }
    return messageOf<ClientMessage>(reader, kind as PlainKind, clientMessages);
  });
}

/** Encodes a message. Returns a new buffer each time. */
export function encodeServerMessage(message: ServerMessage): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(64);
  writer.byte(serverKinds.indexOf(message.kind) + 1);
  writeFields(writer, serverMessages[message.kind], message);
  return writer.take();
}

/**
 * Decodes any bytes into a message, or returns why it cannot. Never throws. A frame's bytes are a view of `bytes`, and
 * are not checked here.
 */
export function decodeServerMessage(bytes: Uint8Array): Decoded<ServerMessage> {
  return decoded(bytes, (reader, first) => {
    const kind = serverKinds[first - 1];
    return kind && messageOf<ServerMessage>(reader, kind, serverMessages);
  });
}

function messageOf<M extends { readonly kind: string }>(
  reader: ByteReader,
  kind: M['kind'],
  messages: Dictionary<Fields>,
): M {
  const message: { kind: string; protocol?: number } = { kind };
  // If a request is of another protocol version, only its required fields can be read.
  readFields(reader, messages[kind]!, message, ({ protocol = protocolVersion }) => protocol === protocolVersion);
  return message as unknown as M;
}

function decoded<M>(bytes: Uint8Array, read: (reader: ByteReader, first: number) => M | undefined): Decoded<M> {
  const reader = new ByteReader(bytes);
  try {
    const message = read(reader, reader.byte());
    if (message === undefined) return { ok: false, fault: 'unknown-message' };
    if (reader.rest > 0) return { ok: false, fault: 'malformed' };
    return { ok: true, message };
  } catch (error) {
    if (error instanceof MalformedBytes) return { ok: false, fault: 'malformed' };
    if (error instanceof TooLong) return { ok: false, fault: 'too-long' };
    throw error;
  }
}
