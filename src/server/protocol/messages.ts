import { ByteReader, ByteWriter, MalformedBytes } from '../../../engine/core/bytes.ts';
import { type Code, codeAt, type DecodeFault, indexOfCode } from './codes.ts';
import { readEffect, writeEffect } from './effect.ts';
import { type ClientEvent, eventKindAt, indexOfEventKind } from './event-kinds.ts';
import {
  type ClientInput,
  type ClientInputKind,
  clientInputKinds,
  readInput,
  readText,
  TooLong,
  writeInput,
} from './inputs.ts';
import type { BucketOptions, ClientLimits } from './limits.ts';
import { readFinite, readValue, type Value, writeValue } from './value.ts';

/** The protocol version, equal on both sides. It increases with each change that an older side would misread; docs/protocol.md has the policy. */
export const protocolVersion = 2;

/** The messages that a client sends. */
export type ClientMessage =
  | {
      readonly kind: 'join';
      readonly protocol: number;
      /** The room's id. By default, the server chooses a room. */
      readonly room?: string;
      readonly name: string;
      /** Identifies the client to the server's authentication. */
      readonly token?: string;
      /** The token from an earlier `welcome`, to continue as the same player. */
      readonly resume?: string;
    }
  | {
      readonly kind: 'input';
      /** Counts the inputs of a player from 1, and continues across reconnections. */
      readonly sequence: number;
      /** The earliest tick in which it may take effect. Default: the next. */
      readonly tick?: number;
      readonly input: ClientInput;
    }
  /** The newest frame that the client has applied; 0 asks for the full state. */
  | { readonly kind: 'ack'; readonly frame: number }
  /** `time` is from the client's own clock, ms; the `pong` returns it unchanged. */
  | { readonly kind: 'ping'; readonly time: number }
  | { readonly kind: 'leave' }
  /** Reports another player of the room to the operator. `player` is its client id. */
  | { readonly kind: 'report'; readonly player: string; readonly text: string }
  /** Instead of `join`: watches a room without a player. The members are those of `join`. */
  | { readonly kind: 'watch'; readonly protocol: number; readonly room?: string; readonly token?: string };

export type InputResult =
  /** `tick`: the tick in which it took effect. */
  { readonly sequence: number; readonly tick: number } | { readonly sequence: number; readonly refused: Code };

/** The messages that a server sends. */
export type ServerMessage =
  | {
      readonly kind: 'welcome';
      readonly protocol: number;
      readonly room: string;
      /** The id of the client's own player; empty for a client that watches. */
      readonly player: string;
      /** The number of ticks simulated so far. */
      readonly tick: number;
      /** Ticks per second. */
      readonly rate: number;
      /** For `join.resume` after a lost connection; empty for a client that watches. */
      readonly resume: string;
      /** The number of this player's newest input that the server has received. */
      readonly sequence: number;
      /** The definition is served at `GET /definitions/:slug`. */
      readonly slug: string;
      readonly hash: string;
    }
  /** The full state or its changes, for `FrameReader`. `RoomStream` produces the whole message. */
  | { readonly kind: 'frame'; readonly bytes: Uint8Array }
  /** Events of a tick that are not part of the state: sounds, texts, chat. */
  | { readonly kind: 'events'; readonly tick: number; readonly events: readonly ClientEvent[] }
  | { readonly kind: 'inputResults'; readonly results: readonly InputResult[] }
  /** A request was refused. The connection continues, or ends if it had no `welcome` yet. */
  | { readonly kind: 'refused'; readonly code: Code; readonly text: string }
  /** `tick`: the room's time when it answered, in ticks, with the fraction. */
  | { readonly kind: 'pong'; readonly time: number; readonly tick: number }
  /** The last message of a connection. */
  | { readonly kind: 'bye'; readonly code: Code }
  /** The operator has the report. */
  | { readonly kind: 'reported'; readonly report: string }
  /** The limits of this connection; sent to players before their `welcome`. */
  | { readonly kind: 'limits'; readonly limits: ClientLimits }
  /** What clients need to predict their own unit. It is true from the next frame on. */
  | {
      readonly kind: 'motion';
      /** The dialect of the room; only in the first one of a connection. */
      readonly dialect?: string;
      /** The speed at which the selected unit walks, in physics units; 0 while it is stunned. Only if it has changed. */
      readonly speed?: number;
    }
  /** The room became slow, or keeps up again: then the reason is empty. `speed`: share of the ticks due that it plays. */
  | { readonly kind: 'pace'; readonly speed: number; readonly reason: string }
  /** The room judges hits by what attackers saw, at most this long ago: clients send `seen`. Only to players of such rooms, before their first frame. */
  | { readonly kind: 'lagCompensation'; readonly ms: number };

export type Decoded<M> =
  | { readonly ok: true; readonly message: M }
  | { readonly ok: false; readonly fault: DecodeFault };

// First bytes of messages. An input's first byte says which input it is, so that it can be limited by kind before it is decoded.
const client = { join: 1, ack: 2, ping: 3, leave: 4, watch: 5, report: 6 } as const;
const inputStart = 32;
const server = {
  welcome: 1,
  frame: 2,
  events: 3,
  inputResults: 4,
  refused: 5,
  pong: 6,
  bye: 7,
  limits: 8,
  reported: 9,
  motion: 10,
  lagCompensation: 11,
  pace: 12,
} as const;

/** First byte of a frame message; `RoomStream` writes it before the frame. */
export const frameByte = server.frame;

/** A kind of client message, as limits distinguish them: an input counts as its own kind. */
export type ClientMessageKind = Exclude<ClientMessage['kind'], 'input'> | ClientInputKind;

const plainKinds: ReadonlyMap<number, Exclude<ClientMessage['kind'], 'input'>> = new Map(
  (Object.keys(client) as (keyof typeof client)[]).map((kind) => [client[kind], kind]),
);

/** The kind of a message, from its first byte alone; undefined if clients send no such kind. */
export function clientMessageKind(bytes: Uint8Array): ClientMessageKind | undefined {
  const first = bytes[0];
  return first === undefined ? undefined : (plainKinds.get(first) ?? clientInputKinds[first - inputStart]);
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

/** How many bytes a message of the kind may have. Check this before decoding. */
export function clientBytesMax(kind: ClientMessageKind): number {
  return largeFrameBytesMax[kind] ?? frameBytesMax;
}

/** The largest `clientBytesMax` of all kinds: the message size that a transport must accept. */
export const anyClientBytesMax = Math.max(frameBytesMax, ...Object.values(largeFrameBytesMax));

// UTF-16 units.
const roomUnitsMax = 128;
const nameUnitsMax = 64;
const tokenUnitsMax = 6 * 1024;
const resumeUnitsMax = 512;
const playerUnitsMax = 128;
const reportUnitsMax = 500;
const dialectUnitsMax = 4096;

/** Returns a new buffer each time, because a socket may still hold the previous one. */
export function encodeClientMessage(message: ClientMessage): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(64);
  switch (message.kind) {
    case 'join':
      writer.byte(client.join);
      writer.count(message.protocol);
      writer.text(message.name);
      writeOptionalText(writer, message.room);
      writeOptionalText(writer, message.token);
      writeOptionalText(writer, message.resume);
      break;
    case 'input':
      writer.byte(inputStart + clientInputKinds.indexOf(message.input.kind));
      writer.count(message.sequence);
      writer.count(message.tick === undefined ? 0 : message.tick + 1);
      writeInput(writer, message.input);
      break;
    case 'ack':
      writer.byte(client.ack);
      writer.count(message.frame);
      break;
    case 'ping':
      writer.byte(client.ping);
      writer.number(message.time);
      break;
    case 'leave':
      writer.byte(client.leave);
      break;
    case 'report':
      writer.byte(client.report);
      writer.text(message.player);
      writer.text(message.text);
      break;
    case 'watch':
      writer.byte(client.watch);
      writer.count(message.protocol);
      writeOptionalText(writer, message.room);
      writeOptionalText(writer, message.token);
      break;
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

/** A copy of an input message with another sequence number. */
export function renumberedInput(bytes: Uint8Array, sequence: number): Uint8Array<ArrayBuffer> {
  const reader = new ByteReader(bytes);
  const writer = new ByteWriter(bytes.length + 8);
  writer.byte(reader.byte());
  reader.count();
  writer.count(sequence);
  writer.raw(bytes.subarray(reader.at));
  return writer.take();
}

/** Decodes any bytes into a message, or says why it cannot. Never throws. Refuses more bytes than `clientBytesMax` unread. */
export function decodeClientMessage(bytes: Uint8Array): Decoded<ClientMessage> {
  const kind = clientMessageKind(bytes);
  if (kind === undefined) return { ok: false, fault: bytes.length === 0 ? 'malformed' : 'unknown-message' };
  if (bytes.length > clientBytesMax(kind)) return { ok: false, fault: 'too-large' };
  return decoded(bytes, (reader) => readClientMessage(reader, kind));
}

function readClientMessage(reader: ByteReader, kind: ClientMessageKind): ClientMessage {
  switch (kind) {
    case 'join': {
      const protocol = reader.count();
      const name = readText(reader, nameUnitsMax);
      if (protocol !== protocolVersion) return skippingRest(reader, { kind: 'join', protocol, name });
      const room = readOptionalText(reader, roomUnitsMax);
      const token = readOptionalText(reader, tokenUnitsMax);
      const resume = readOptionalText(reader, resumeUnitsMax);
      return {
        kind: 'join',
        protocol,
        name,
        ...(room === undefined ? {} : { room }),
        ...(token === undefined ? {} : { token }),
        ...(resume === undefined ? {} : { resume }),
      };
    }
    case 'ack':
      return { kind, frame: reader.count() };
    case 'ping':
      return { kind, time: readFinite(reader) };
    case 'leave':
      return { kind };
    case 'report':
      return { kind, player: readText(reader, playerUnitsMax), text: readText(reader, reportUnitsMax) };
    case 'watch': {
      const protocol = reader.count();
      if (protocol !== protocolVersion) return skippingRest(reader, { kind, protocol });
      const room = readOptionalText(reader, roomUnitsMax);
      const token = readOptionalText(reader, tokenUnitsMax);
      return {
        kind,
        protocol,
        ...(room === undefined ? {} : { room }),
        ...(token === undefined ? {} : { token }),
      };
    }
    default: {
      const sequence = reader.count();
      const tick = reader.count();
      const input = readInput(reader, kind);
      return { kind: 'input', sequence, ...(tick === 0 ? {} : { tick: tick - 1 }), input };
    }
  }
}

/** Returns a new buffer each time. */
export function encodeServerMessage(message: ServerMessage): Uint8Array<ArrayBuffer> {
  const writer = new ByteWriter(64);
  writer.byte(server[message.kind]);
  switch (message.kind) {
    case 'welcome':
      writer.count(message.protocol);
      writer.text(message.room);
      writer.text(message.player);
      writer.count(message.tick);
      writer.number(message.rate);
      writer.text(message.resume);
      writer.count(message.sequence);
      writer.text(message.slug);
      writer.text(message.hash);
      break;
    case 'frame':
      writer.raw(message.bytes);
      break;
    case 'events':
      writer.count(message.tick);
      writer.count(message.events.length);
      for (const { kind, ...details } of message.events) {
        writer.byte(indexOfEventKind(kind));
        if (kind === 'effect') writeEffect(writer, details);
        else writeValue(writer, details);
      }
      break;
    case 'inputResults':
      writer.count(message.results.length);
      for (const result of message.results) {
        writer.count(result.sequence);
        // The tick, or 0 and the code of the refusal.
        if ('tick' in result) writer.count(result.tick);
        else {
          writer.count(0);
          writer.byte(indexOfCode(result.refused));
        }
      }
      break;
    case 'refused':
      writer.byte(indexOfCode(message.code));
      writer.text(message.text);
      break;
    case 'pong':
      writer.number(message.time);
      writer.number(message.tick);
      break;
    case 'reported':
      writer.text(message.report);
      break;
    case 'bye':
      writer.byte(indexOfCode(message.code));
      break;
    case 'limits':
      for (const name of limitedAmounts) writeBucket(writer, message.limits[name]);
      writer.count(message.limits.inputs);
      break;
    case 'motion':
      writeOptionalText(writer, message.dialect);
      writer.byte(message.speed === undefined ? 0 : 1);
      if (message.speed !== undefined) writer.number(message.speed);
      break;
    case 'lagCompensation':
      writer.number(message.ms);
      break;
    case 'pace':
      writer.number(message.speed);
      writer.text(message.reason);
      break;
  }
  return writer.take();
}

/** Decodes any bytes into a message, or says why it cannot. Never throws. A frame's bytes are a view of `bytes`, and are not checked here. */
export function decodeServerMessage(bytes: Uint8Array): Decoded<ServerMessage> {
  if (bytes.length === 0) return { ok: false, fault: 'malformed' };
  if (bytes[0] === server.frame) return { ok: true, message: { kind: 'frame', bytes: bytes.subarray(1) } };
  return decoded(bytes, readServerMessage);
}

function readServerMessage(reader: ByteReader, first: number): ServerMessage | undefined {
  switch (first) {
    case server.welcome:
      return {
        kind: 'welcome',
        protocol: reader.count(),
        room: reader.text(),
        player: reader.text(),
        tick: reader.count(),
        rate: readFinite(reader),
        resume: reader.text(),
        sequence: reader.count(),
        slug: reader.text(),
        hash: reader.text(),
      };
    case server.events: {
      const tick = reader.count();
      const events: ClientEvent[] = [];
      for (let rest = reader.countOf(2); rest > 0; rest--) {
        const kind = eventKindAt(reader.byte());
        const details = kind === 'effect' ? readEffect(reader) : readValue(reader);
        if (details === null || typeof details !== 'object' || Array.isArray(details)) {
          throw new MalformedBytes('The details of an event must be an object.');
        }
        // Events of a newer server's kinds are skipped.
        if (kind !== undefined) events.push({ ...(details as { readonly [key: string]: Value }), kind });
      }
      return { kind: 'events', tick, events };
    }
    case server.inputResults: {
      const results: InputResult[] = [];
      for (let rest = reader.countOf(2); rest > 0; rest--) {
        const sequence = reader.count();
        const tick = reader.count();
        results.push(tick > 0 ? { sequence, tick } : { sequence, refused: codeAt(reader.byte()) });
      }
      return { kind: 'inputResults', results };
    }
    case server.refused:
      return { kind: 'refused', code: codeAt(reader.byte()), text: reader.text() };
    case server.pong:
      return { kind: 'pong', time: readFinite(reader), tick: readFinite(reader) };
    case server.reported:
      return { kind: 'reported', report: reader.text() };
    case server.bye:
      return { kind: 'bye', code: codeAt(reader.byte()) };
    case server.limits: {
      const [messages, bytes, large] = [readBucket(reader), readBucket(reader), readBucket(reader)];
      return { kind: 'limits', limits: { messages, bytes, large, inputs: reader.count() } };
    }
    case server.motion: {
      const dialect = readOptionalText(reader, dialectUnitsMax);
      const hasSpeed = reader.byte();
      if (hasSpeed > 1) throw new MalformedBytes('A presence byte must be 0 or 1.');
      return {
        kind: 'motion',
        ...(dialect === undefined ? {} : { dialect }),
        ...(hasSpeed === 0 ? {} : { speed: readFinite(reader) }),
      };
    }
    case server.lagCompensation:
      return { kind: 'lagCompensation', ms: readFinite(reader) };
    case server.pace:
      return { kind: 'pace', speed: readFinite(reader), reason: reader.text() };
    default:
      return undefined;
  }
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

/** In their order on the wire. */
const limitedAmounts = ['messages', 'bytes', 'large'] as const;

function writeBucket(writer: ByteWriter, { size, perSecond }: BucketOptions): void {
  writer.number(size);
  writer.number(perSecond);
}

function readBucket(reader: ByteReader): BucketOptions {
  return { size: readFinite(reader), perSecond: readFinite(reader) };
}

/** Skips the rest of a message of another protocol version, of which only the first fields are known. */
function skippingRest<M>(reader: ByteReader, message: M): M {
  reader.at += reader.rest;
  return message;
}

function writeOptionalText(writer: ByteWriter, text: string | undefined): void {
  writer.byte(text === undefined ? 0 : 1);
  if (text !== undefined) writer.text(text);
}

function readOptionalText(reader: ByteReader, unitsMax: number): string | undefined {
  const presence = reader.byte();
  if (presence > 1) throw new MalformedBytes('A presence byte must be 0 or 1.');
  return presence === 1 ? readText(reader, unitsMax) : undefined;
}
