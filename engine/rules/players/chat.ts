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
 * Code points that no message may contain, as pairs of first and last: control characters, symbols and emoji. The
 * reference allows letters of any script, digits, spaces and ASCII punctuation. The list consists of fixed blocks,
 * which are the same on every JavaScript engine, whereas Unicode letter tables grow from version to version.
 */
const refused = [
  0x00, 0x1f, 0x7f, 0xa9, 0xab, 0xb1, 0xb4, 0xb4, 0xb6, 0xb8, 0xbb, 0xbf, 0xd7, 0xd7, 0xf7, 0xf7, 0x2000, 0x200b,
  0x200e, 0x206f, 0x20a0, 0x20cf, 0x2100, 0x2bff, 0x2e00, 0x2e7f, 0x2ff0, 0x2fff, 0x3001, 0x3004, 0x3008, 0x3020,
  0xd800, 0xf8ff, 0xfe00, 0xfe6f, 0xfeff, 0xff0f, 0xff1a, 0xff20, 0xff3b, 0xff40, 0xff5b, 0xff65, 0xffe0, 0xffff,
  0x1d000, 0x1d3ff, 0x1f000, 0x1fbff, 0xe0000, 0x10ffff,
] as const;

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
  if (typeof text !== 'string') return false;
  for (const character of text) {
    const code = character.codePointAt(0)!;
    for (let i = 0; i < refused.length && code >= refused[i]!; i += 2) if (code <= refused[i + 1]!) return false;
  }
  return true;
}
