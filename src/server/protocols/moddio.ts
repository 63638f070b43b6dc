import { createHash } from 'node:crypto';
import type { Simulation } from '../../../engine/index.ts';
import type { StyleHosts } from '../../text/css.ts';
import { cleanHtml } from '../../text/html.ts';
import { closeFrame, handshakeFrames, pongFrame } from '../moddio/frames.ts';
import { decodeModdio, moddioKindOf } from '../moddio/messages.ts';
import { type EntityClient, EntityStream, type RoomPlay } from '../moddio/stream.ts';
import type { Code, DecodeFault } from '../protocol/codes.ts';
import { type Decoded, protocolVersion } from '../protocol/messages.ts';
import type { RoomStream, StreamMessage, TickEvents } from '../room/protocol.ts';
import type { JoinMessage, Opening, SentMessage, SessionMessage } from '../session/codec.ts';
import type { Protocol } from './protocol.ts';

const name = 'netio1';
/** The subprotocol that a page offers besides when it has lost its connection. */
const returning = 'reconnect';

const bytesMax = 16 * 1024;
const usualBytesMax = 1024;
const bytesMaxOf: Readonly<Record<string, number>> = { chat: 2048, customInput: 8192, data: bytesMax, moderate: 2048 };

/** That of the browser client of the original engine (docs/existing-clients.md). */
export const moddio: Protocol = {
  codec: {
    name,
    isText: true,
    bytesMax,
    joinOf,
    givesResumeTokens: false,
    kindOf: moddioKindOf,
    sequenceOf: () => undefined,
    bytesMaxOf: (kind) => bytesMaxOf[kind] ?? usualBytesMax,
    decode,
    encode,
    // The address of another server is for our own clients.
    encodeEnd: (code, text) => {
      const said = text === undefined || code === 'elsewhere' ? (reasons[code] ?? code) : cleanHtml(text);
      return [closeFrame(said)];
    },
  },
  room: { name, stream: (sim, { styleHosts }, play) => new Frames(sim, play, styleHosts) },
};

/** A text that no other page has by chance. */
const ticketUnitsMin = 16;
const textUnitsMax = 4096;

/** Identities are signed; any other token is the page's own. */
const signed = /^[\w-]+\.[\w-]+\.[\w-]+$/;

function joinOf({ query, offered, userAgent }: Opening): JoinMessage {
  const [token, guest, room] = ['token', 'guestUserToken', 'sid'].map((key) => given(query.get(key)));
  const ticket = [guest, token].find(
    (text) => text !== undefined && text.length >= ticketUnitsMin && !signed.test(text),
  );
  return {
    kind: 'join',
    protocol: protocolVersion,
    name: guestName(ticket),
    isMobile: /Android|iPhone|iPad|Mobile/i.test(userAgent),
    ...(room === undefined ? {} : { room, isRoomOptional: true }),
    ...(token !== undefined && signed.test(token) ? { token } : {}),
    isReturning: offered.includes(returning),
    ...(ticket === undefined ? {} : { ticket }),
  };
}

/** A guest's name as the original makes them, of the page's ticket: games make room for no longer one. */
function guestName(ticket: string | undefined): string {
  if (ticket === undefined) return '';
  return `user${100 + (createHash('sha256').update(ticket).digest().readUInt32BE() % 900)}`;
}

/** Pages write what they do not have as words, too. */
function given(value: string | null): string | undefined {
  const isGiven = value !== null && value !== '' && value !== 'undefined' && value !== 'null';
  return isGiven && value.length <= textUnitsMax ? value : undefined;
}

function decode(bytes: Uint8Array): Decoded<SessionMessage> {
  const decoded = decodeModdio(bytes);
  if (!decoded.ok) return { ok: false, fault: decoded.fault satisfies DecodeFault };
  // A closed menu is a wish to be shown the room, which our own clients say with the frame that they lack.
  if (decoded.message.kind === 'again') return { ok: true, message: { kind: 'ack', frame: 0 } };
  return { ok: true, message: decoded.message };
}

/** Clients get no outcome of an input: they see it. Why a message is not published, a line of the chat says (`withRefusedChats`). */
function encode(message: SentMessage): readonly Uint8Array[] {
  if (message.kind === 'welcome') return handshakeFrames(message.player, (message.tick * 1000) / message.rate);
  return message.kind === 'pong' ? [pongFrame(message.time)] : [];
}

/** The texts that players read when a connection ends. */
const reasons: Partial<Record<Code, string>> = {
  'server-full': 'The server is full.',
  'not-accepting': 'The game lets nobody in now.',
  banned: 'You are banned from this game.',
  'guests-not-allowed': 'This game is for accounts only.',
  'token-invalid': 'The page must be loaded again.',
  'token-expired': 'The page must be loaded again.',
  'token-missing': 'This server is for accounts only.',
  elsewhere: 'The game is played on another server. Load the page again.',
  'resume-unknown': 'The connection was lost for too long. Load the page again to join.',
  'match-lost': 'The match is lost. Load the page again to join another.',
  replaced: 'The game goes on in another window.',
  kicked: 'You were removed from the game.',
  'room-ended': 'The game has ended.',
  'room-failed': 'The game has ended.',
  'shutting-down': 'The server ends.',
  'too-many': 'Too many messages.',
  'too-slow': 'The connection is too slow.',
  'handshake-timeout': 'The connection took too long.',
};

/** The game itself tells those who write too much. */
const chatRefusals: Partial<Record<Code, string>> = {
  'not-permitted': 'Your message was not sent: you may not write in this chat.',
  refused: 'Your message was not sent: it has a link, an emoji or another sign that the chat does not take.',
};

function withRefusedChats(
  forPlayers: TickEvents['forPlayers'],
  refusedChats: TickEvents['refusedChats'],
): TickEvents['forPlayers'] {
  if (refusedChats === undefined || refusedChats.size === 0) return forPlayers;
  const all = new Map(forPlayers);
  for (const [player, code] of refusedChats) {
    const text = chatRefusals[code];
    if (text === undefined) continue;
    all.set(player, [...(all.get(player) ?? []), { kind: 'chat', tick: 0, time: 0, op: 'system', text }]);
  }
  return all;
}

class Frames implements RoomStream<EntityClient> {
  private readonly stream: EntityStream;

  constructor(sim: Simulation, play: RoomPlay, styleHosts: StyleHosts | undefined) {
    this.stream = new EntityStream(sim, play, styleHosts);
  }

  add(player: string, isBack: boolean): EntityClient {
    return this.stream.add(player, isBack);
  }

  remove(client: EntityClient): void {
    this.stream.remove(client);
  }

  acknowledge(client: EntityClient): void {
    this.stream.acknowledge(client);
  }

  *messages({ forAll, forPlayers, refusedChats }: TickEvents): IterableIterator<StreamMessage<EntityClient>> {
    const events = { forAll, forPlayers: withRefusedChats(forPlayers, refusedChats) };
    for (const [client, bytes] of this.stream.frames(events)) yield [client, bytes, 'frame'];
  }
}
