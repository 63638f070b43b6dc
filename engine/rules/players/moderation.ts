import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import { changesIn, destroys, only, rule, tells } from '../effects.ts';
import type { Game } from '../game.ts';
import { banFromChat, unbanFromChat } from './chat.ts';
import { isModerator } from './permission.ts';
import { removePlayer } from './player.ts';

export const moderation = rule(
  'moderation',
  ['moderate', 'hostModerate'],
  only('standard', destroys('player')),
  only('standard', tells('player.kick')),
  changesIn('player', 'chat'),
  tells('chat'),
  tells('server'),
);
export const kickEnd = rule(
  'kicked players leave',
  ['tick'],
  only('moddio', destroys('player')),
  only('moddio', tells('player.kick')),
);

/** Actions of a moderator on another player (reference: players#moderation). */
export const moderations = ['kick', 'banUser', 'banIp', 'banFromChat', 'unbanFromChat'] as const;
type Moderation = (typeof moderations)[number];

/** Actions of the host on a player. There are no bans from the game, because the host keeps its own lists of them. */
export const hostModerations = ['kick', 'banFromChat', 'unbanFromChat'] as const satisfies readonly Moderation[];

/**
 * Kicks a player: the host closes the connection, and the player leaves the game immediately or once the connection is
 * closed. Computer players cannot be kicked; neither can bots in dialects without `botsHaveOwnClientIds`.
 */
export function kickPlayer(game: Game, player: Entity, message: string): void {
  const state = game.world.components.player[rowOf(player)];
  if (state?.controlledBy !== 'human' || (state.isBot && !game.rules.botsHaveOwnClientIds)) return;
  if (game.rules.kicksAreImmediate) endKick(game, player, message);
  else {
    const { clock, timers, server } = game.world;
    server.leaving.push({ player, message, dueMs: clock.nowMs + closingMs, sequence: timers.sequence++ });
  }
}

/** Completes a kick: the player leaves, and the output event tells the host to close its connection. */
export function endKick(game: Game, player: Entity, message: string): void {
  game.world.post('player.kick', { playerId: game.world.ref(player)?.id, message });
  removePlayer(game, player);
}

/**
 * The delay until the player leaves, ms: the reference closes a connection in the next turn of its event loop
 * (reference: operations#kickplayer).
 */
const closingMs = 1;

/**
 * Carries out a moderator's action on another player. Bans last as long as the game; an output event lets the host keep
 * them longer. Returns false if `by` is not a moderator, if the target is a computer player, or if a ban is by account
 * or IP address and the target has none.
 */
export function moderate(game: Game, by: Entity, how: Moderation, target: Entity, message: string): boolean {
  const { world } = game;
  if (!isModerator(game, by) || !world.is(target, Kind.player)) return false;
  if (how !== 'banUser' && how !== 'banIp') return moderateAsHost(game, how, target, message);
  if (!world.isHuman(target)) return false;
  const { userId, ip } = world.accountOf(target);
  return how === 'banUser'
    ? ban(game, target, how, world.server.bannedUsers, userId, message)
    : ban(game, target, how, world.server.bannedIps, ip, message);
}

/** Carries out an action of the host, which needs no permission of the game. Returns false for computer players. */
export function moderateAsHost(
  game: Game,
  how: (typeof hostModerations)[number],
  target: Entity,
  message: string,
): boolean {
  if (!game.world.isHuman(target)) return false;
  if (how === 'kick') kickPlayer(game, target, message);
  else if (how === 'banFromChat') banFromChat(game, target);
  else unbanFromChat(game, target);
  return true;
}

function ban(
  game: Game,
  target: Entity,
  op: 'banUser' | 'banIp',
  list: string[],
  name: string | undefined,
  message: string,
) {
  if (name === undefined) return false;
  if (!list.includes(name)) list.push(name);
  game.world.post('server', { op, value: name });
  kickPlayer(game, target, message);
  return true;
}
