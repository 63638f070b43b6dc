import { Kind } from '../../world/entity.ts';
import type { Game } from '../game.ts';
import { humans } from './head-count.ts';
import { type Defined, isAllowedByDefault } from './permission.ts';
import type { JoinRequest } from './player.ts';

export type JoinRefusal =
  | 'server-full'
  | 'not-accepting'
  | 'banned'
  | 'guests-not-allowed'
  | 'not-permitted'
  | 'same-ip';

/**
 * Why a request to join is refused; undefined if it is admitted (specification, Authentication and Limits). The dialect
 * may ignore the definition's own lists, flags and roles. Bans by moderators always apply; so does a script's "stop
 * accepting players", except to bots.
 */
export function admit(game: Game, request: JoinRequest): JoinRefusal | undefined {
  const { world, definition } = game;
  const isBot = request.isBot === true;
  if (!world.server.acceptingPlayers && !isBot) return 'not-accepting';
  const present = humans(game);
  if (present >= world.limits.players) return 'server-full';
  const { userId, ip, sharesIp = false } = request;
  if (isBannedByModerators(game, userId, ip)) return 'banned';
  if (isBot) return undefined;
  const cap = definition.defaultData.defaultMaxPlayers;
  if (cap !== undefined && cap > 0 && present >= cap) return 'server-full';
  const excluded = admitToWatch(game, request);
  if (excluded !== undefined) return excluded;
  return needsOwnAddress(game) && !sharesIp && ip !== undefined && isHere(game, ip) ? 'same-ip' : undefined;
}

/**
 * Why a person may not watch the game without playing; undefined if watching is allowed. The same bans, flags and roles
 * apply as for players, but neither the maximum number of players nor a script's "stop accepting players".
 */
export function admitToWatch(game: Game, request: JoinRequest): JoinRefusal | undefined {
  const { userId, ip } = request;
  const { banUsers, banIps } = game.definition.defaultData;
  if (isBannedByModerators(game, userId, ip) || isListed(banUsers, userId) || isListed(banIps, ip)) return 'banned';
  if (userId === undefined && needsAccount(game, request)) return 'guests-not-allowed';
  return isAllowedByDefault(game, request, 'playGame') ? undefined : 'not-permitted';
}

/** Opens or closes the game to new players. */
export function acceptPlayers({ world }: Game, value: boolean): void {
  world.server.acceptingPlayers = value;
  world.post('server', { op: 'acceptPlayers', value });
}

/**
 * Whether only players with an account may play. The newer flag decides if it is present: real games allow guests by
 * the newer flag and leave the older one off, because the older one only controlled a menu.
 */
export function needsAccount(game: Defined, guest: Pick<JoinRequest, 'roleIds'> = {}): boolean {
  const { isGuestPlayerAllowed, allowGuestMode } = game.definition.defaultData;
  return (isGuestPlayerAllowed ?? allowGuestMode) === false || !isAllowedByDefault(game, guest, 'playGame');
}

/**
 * Whether players may not share an IP address. Two fields say so, and real games contradict themselves: sharing is only
 * forbidden if neither field allows it.
 */
export function needsOwnAddress({ definition: { settings, defaultData } }: Defined): boolean {
  return settings.allowDuplicateIPs === false && defaultData.allowDuplicateIPS !== true;
}

function isBannedByModerators({ world }: Game, userId: string | undefined, ip: string | undefined) {
  return isListed(world.server.bannedUsers, userId) || isListed(world.server.bannedIps, ip);
}

function isListed(list: readonly string[], name: string | undefined) {
  return name !== undefined && list.includes(name);
}

function isHere({ world }: Game, ip: string) {
  return world.lists[Kind.player]!.entries.some((player) => {
    return world.exists(player) && world.accountOf(player).ip === ip;
  });
}
