import { Chat, type ChatState } from '../../components/chat.ts';
import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import { changes, changesIn, rule, tells } from '../effects.ts';
import type { Game } from '../game.ts';
import { isAllowedByDefault } from './permission.ts';

export const chatting = rule('chat', ['chat'], changesIn('player', 'chat'), changes('chat'), tells('chat'));
export const announcement = rule('announcements', ['announce'], tells('chat'));

/**
 * A player who sends this many messages within at most this time is muted; the longer period applies to long messages
 * (reference: players#chat).
 */
const spam = { messages: 5, withinMs: 2000, lengthMax: 80, longWithinMs: 4000 } as const;

/**
 * Characters that no message may contain: control characters, symbols and emoji. The reference allows letters of any
 * script, digits, spaces and ASCII punctuation. The list consists of fixed blocks, which are the same on every
 * JavaScript engine, whereas Unicode letter tables grow from version to version.
 */
const refused = new RegExp(
  `[\\0-\\x1f\\x7f-\\xa9\\xab-\\xb1\\xb4\\xb6-\\xb8\\xbb-\\xbf\\xd7\\xf7\\u2000-\\u200b\\u200e-\\u206f\\u20a0-\\u20cf\\u2100-\\u2bff\\u2e00-\\u2e7f
\\u2ff0-\\u2fff\\u3001-\\u3004\\u3008-\\u3020\\ud800-\\uf8ff\\ufe00-\\ufe6f\\ufeff-\\uff0f\\uff1a-\\uff20\\uff3b-\\uff40\\uff5b-\\uff65\\uffe0-\\uffff
\\u{1d000}-\\u{1d3ff}\\u{1f000}-\\u{1fbff}\\u{e0000}-\\u{10ffff}]`.replaceAll('\n', ''),
  'u',
);

/** Why a message is not published: the player may not write, writes too often, or the message is not acceptable. */
type ChatRefusal = 'not-permitted' | 'too-many' | 'refused';

/**
 * Called when a player sends a chat message. Queues two triggers, also for commands (`/…`). Spam, links, messages of
 * muted players and, in `moddio`, empty messages queue only the first trigger. Messages that are too long or contain
 * refused characters, and in the standard dialect blank ones, queue neither. Accepted messages are published, except
 * for commands. `to` is the only recipient; by default, everyone receives the message. Returns why the message is
 * refused; undefined if it is accepted.
 */
export function sayInChat(game: Game, player: Entity, text: string, to?: Entity): ChatRefusal | undefined {
  const { world, rules } = game;
  if (!world.is(player, Kind.player) || !isReadable(text) || text.length > world.limits.stringLength) return 'refused';
  if (rules.chatIsStrict && text.trim() === '') return 'refused';
  world.ensure(player, Chat).lastMessage = text;
  world.triggers.enqueue('playerSendsMessage', { player });
  return text === '' ? 'refused' : sayInRoom(game, player, text, to);
}

/** Publishes a message, unless it is refused. Scripts that make players speak call this function directly. */
export function sayInRoom(game: Game, player: Entity, text: string, to?: Entity): ChatRefusal | undefined {
  const { world } = game;
  const chat = world.ensure(player, Chat);
  if (chat.isMuted || !maySpeak(game, player)) return 'not-permitted';
  if (isSpamming(game, chat, text)) {
    banFromChat(game, player);
    world.post('chat', { op: 'system', text: 'You have been muted for sending too many messages.', to: { player } });
    return 'too-many';
  }
  if (/https?:\/\//i.test(text)) return 'refused';
  chat.lastPublished = text;
  world.memory.lastChatMessage = text;
  world.triggers.enqueue('playerSendsChatMessage', { player });
  if (text.startsWith('/')) return undefined;
  const fromPlayerId = world.ref(player)?.id;
  world.post('chat', { op: 'player', text, fromPlayerId, to: to === undefined ? 'everyone' : { player: to } });
  return undefined;
}

/**
 * Whether a player has permission to write. Computer players and bots speak for the game and need none. The answer does
 * not change while the player is in the game.
 */
export function maySpeak(game: Game, player: Entity): boolean {
  const { player: players, account } = game.world.components;
  const { controlledBy, isBot } = players[rowOf(player)]!;
  return controlledBy === 'computer' || isBot || isAllowedByDefault(game, account[rowOf(player)]!, 'serverChat');
}

export function banFromChat(game: Game, player: Entity): void {
  setMuted(game, player, true);
}

export function unbanFromChat(game: Game, player: Entity): void {
  setMuted(game, player, false);
}

function setMuted({ world }: Game, player: Entity, isMuted: boolean) {
  if ((world.components.chat[rowOf(player)]?.isMuted ?? false) === isMuted) return;
  world.ensure(player, Chat).isMuted = isMuted;
  world.post('chat', { op: isMuted ? 'mute' : 'unmute', playerId: world.ref(player)?.id });
}

/** Whether the player is spamming, judged by its last few messages including this one. */
function isSpamming(game: Game, { timesMs, lengths }: ChatState, text: string) {
  const { nowMs } = game.world.clock;
  const counts = game.rules.chatIsStrict || timesMs.length > 0;
  timesMs.push(counts ? nowMs : -Infinity);
  lengths.push(text.length);
  if (timesMs.length > spam.messages) {
    timesMs.shift();
    lengths.shift();
  }
  if (timesMs.length < spam.messages) return false;
  const elapsed = nowMs - timesMs[0]!;
  if (elapsed <= spam.withinMs) return true;
  let total = 0;
  for (const length of lengths) total += length;
  return elapsed <= spam.longWithinMs && total > spam.lengthMax;
}

/** Whether a message contains no refused code point. */
function isReadable(text: string) {
  return typeof text === 'string' && !refused.test(text);
}
