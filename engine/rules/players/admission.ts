import { Kind, rowOf } from '../../world/entity.ts';
import type { Game } from '../game.ts';
import { mayByDefault } from './permission.ts';
import type { JoinRequest } from './player.ts';
import { humans } from './presence.ts';

export type JoinRefusal =
  | 'server-full'
  | 'not-accepting'
  | 'banned'
  | 'guests-not-allowed'
  | 'not-permitted'
  | 'same-ip';

/**
 * Whether a request may join; undefined for yes (specification, Authentication and Limits). The dialect may have opened the definition's own
 * lists, flags and roles; a script's "stop accepting players" and the bans of moderators always count.
 */
export function admit(game: Game, request: JoinRequest): JoinRefusal | undefined {
  const { world, definition } = game;
  const isBot = request.isBot === true;
  if (!world.server.acceptingPlayers && !isBot) return 'not-accepting';
  const present = humans(game);
  if (present >= world.limits.players) return 'server-full';
  const { userId, ip } = request;
  if (isBannedByModerators(game, userId, ip)) return 'banned';
  if (isBot) return undefined;
  const { defaultData, settings } = definition;
  const cap = defaultData.defaultMaxPlayers;
  if (cap !== undefined && cap > 0 && present >= cap) return 'server-full';
  const excluded = admitToWatch(game, request);
  if (excluded !== undefined) return excluded;
  // Two fields say it, and real games contradict themselves: only where neither allows it is it forbidden.
  const forbidsSameIp = settings.allowDuplicateIPs === false && defaultData.allowDuplicateIPS !== true;
  return forbidsSameIp && ip !== undefined && isHere(game, ip) ? 'same-ip' : undefined;
}

/**
 * Whether a person may see the game without playing it; undefined for yes. The same bans, flags and roles count as for players. The number of
 * players does not count, nor does a script's "stop accepting players".
 */
export function admitToWatch(game: Game, request: JoinRequest): JoinRefusal | undefined {
  const { userId, ip } = request;
  const { banUsers, banIps } = game.definition.defaultData;
  if (isBannedByModerators(game, userId, ip) || isListed(banUsers, userId) || isListed(banIps, ip)) return 'banned';
  if (userId === undefined && !guestsMayPlay(game)) return 'guests-not-allowed';
  if (mayByDefault(game, request, 'playGame')) return undefined;
  return userId === undefined ? 'guests-not-allowed' : 'not-permitted';
}

/** Lets new players in from now on, or refuses them. */
export function acceptPlayers({ world }: Game, value: boolean): void {
  world.server.acceptingPlayers = value;
  world.post('server', { op: 'acceptPlayers', value });
}

/** The newer flag decides where it is given. Real games allow guests by it and leave the older one, which only chose a menu, off. */
function guestsMayPlay({ definition }: Game): boolean {
  const { isGuestPlayerAllowed, allowGuestMode } = definition.defaultData;
  return isGuestPlayerAllowed ?? allowGuestMode ?? true;
}

function isBannedByModerators({ world }: Game, userId: string | undefined, ip: string | undefined): boolean {
  return isListed(world.server.bannedUsers, userId) || isListed(world.server.bannedIps, ip);
}

function isListed(list: readonly string[], name: string | undefined): boolean {
  return name !== undefined && list.includes(name);
}

function isHere({ world }: Game, ip: string): boolean {
  return world.lists[Kind.player]!.entries.some((player) => {
    return world.exists(player) && world.components.account[rowOf(player)]!.ip === ip;
  });
}
