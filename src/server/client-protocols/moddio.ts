import { createHash } from 'node:crypto';
import { type Dictionary, defined } from '../../../engine/core/index.ts';
import type { Opening } from '../../cluster/index.ts';
import {
  closeFrame,
  decodeModdio,
  type EntityClient,
  EntityStream,
  element,
  frameOf,
  handshakeFrames,
  moddioKindOf,
  pongFrame,
} from '../../modd-client/index.ts';
import { type Code, cleanHtml, protocolVersion, toldOfPace } from '../../net/index.ts';
import type { RoomStream, StreamMessage, TickEvents } from '../room/room-protocol.ts';
import type { JoinMessage, SentMessage } from '../session/codec.ts';
import type { ClientProtocol } from './client-protocol.ts';

const name = 'netio1';
/** The additional subprotocol that a reconnecting page offers. */
const returning = 'reconnect';

const bytesMax = 16 * 1024;
const defaultBytesMax = 1024;
const bytesMaxOf: Dictionary<number> = { chat: 2048, customInput: 8192, data: bytesMax, moderate: 2048 };

/** The protocol of the original engine's browser client (docs/existing-clients.md). */
export const moddio: ClientProtocol = {
  codec: {
    name,
    // The pages of existing clients name a server without a path.
    paths: ['/', '/play'],
    isText: true,
    bytesMax,
    joinOf,
    followsAddresses: false,
    acknowledgesFrames: false,
    givesResumeTokens: false,
    kindOf: moddioKindOf,
    sequenceOf: () => undefined,
    bytesMaxOf: (kind) => bytesMaxOf[kind] ?? defaultBytesMax,
    decode: decodeModdio,
    encode,
    // With `elsewhere`, the text is a URL for our own clients, so it is not shown.
    encodeEnd: (code, text) => {
      const shown = text === undefined || code === 'elsewhere' ? (reasons[code] ?? code) : cleanHtml(text);
      return [closeFrame(shown)];
    },
  },
  room: { name, stream: (sim, { styleHosts }, play) => new Frames(sim, play, styleHosts) },
};

/** The minimum length of a ticket. A shorter text might not be unique to a page. */
const ticketUnitsMin = 16;
const textUnitsMax = 4096;

/** Matches a JWT, which identifies an account. Any other token is a ticket that the page itself has made. */
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
    ...(room !== undefined && { room, isRoomOptional: true }),
    ...(token !== undefined && signed.test(token) && { token }),
    isReturning: offered.includes(returning),
    ...defined({ ticket }),
  };
}

/**
 * A guest's name, derived from its ticket. It is as long as the guest names of the original server, because games lay
 * out their texts for names of that length.
 */
function guestName(ticket: string | undefined) {
  if (ticket === undefined) return '';
  return `user${100 + (createHash('sha256').update(ticket).digest().readUInt32BE() % 900)}`;
}

/** A query parameter; undefined if it is missing, which pages also write as the words `undefined` and `null`. */
function given(value: string | null): string | undefined {
  const isGiven = value !== null && value !== '' && value !== 'undefined' && value !== 'null';
  return isGiven && value.length <= textUnitsMax ? value : undefined;
}

/**
 * Encodes a message of the session layer. The protocol has no results of inputs, so refused chat messages are explained
 * in the chat (`withRefusedChats`), and so is a slow room.
 */
function encode(message: SentMessage): readonly Uint8Array[] {
  if (message.kind === 'welcome') return handshakeFrames(message.player, (message.tick * 1000) / message.rate);
  if (message.kind === 'pace')
    return [frameOf([element('taroChatMsg', { roomId: '1', text: toldOfPace(message.reason) })])];
  return message.kind === 'pong' ? [pongFrame(message.time)] : [];
}

/** The texts that players see when a connection ends. */
const reasons: Partial<Record<Code, string>> = {
  'server-full': 'The server is full.',
  'not-accepting': 'The game is not accepting new players now.',
  banned: 'You are banned from this game.',
  'guests-not-allowed': 'You must be logged in to play this game.',
  'origin-not-allowed': 'This page may not connect to the server.',
  'token-invalid': 'Your login is invalid. Reload the page.',
  'token-expired': 'Your login has expired. Reload the page.',
  'token-missing': 'You must be logged in to play on this server.',
  elsewhere: 'The game has moved to another server. Reload the page.',
  'resume-unknown': 'You were disconnected for too long. Reload the page to join again.',
  'match-lost': 'The server has lost this match. Reload the page to join another one.',
  'saved-data-unavailable': 'Your saved data cannot be loaded right now. Reload the page later.',
  replaced: 'You are playing in another window.',
  kicked: 'You were removed from the game.',
  'room-ended': 'The game has ended.',
  'room-failed': 'The game has ended.',
  'shutting-down': 'The server is shutting down.',
  'too-many': 'You were disconnected for sending too many messages.',
  'too-slow': 'The connection is too slow.',
  'handshake-timeout': 'Connecting took too long. Reload the page.',
};

/**
 * The reasons why a chat message was refused, as shown to players. `too-many` is missing, because the game itself tells
 * the player about it.
 */
const chatRefusals: Partial<Record<Code, string>> = {
  'not-permitted': 'Your message was not sent: you are not allowed to chat.',
  refused: 'Your message was not sent: links, emoji, special characters and some words are not allowed.',
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

class Frames extends EntityStream implements RoomStream<EntityClient> {
  *messages({ forAll, forPlayers, refusedChats }: TickEvents): IterableIterator<StreamMessage<EntityClient>> {
    const events = { forAll, forPlayers: withRefusedChats(forPlayers, refusedChats) };
    for (const [client, bytes] of this.frames(events)) yield [client, bytes, 'frame'];
  }
}
