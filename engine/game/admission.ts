import { Kind, rowOf } from '../world/entity.ts';
import type { Game } from './game.ts';
import type { Newcomer } from './player.ts';

export type JoinRefusal = 'server-full' | 'not-accepting' | 'banned' | 'guests-not-allowed';

/**
 * Whether a newcomer may join; undefined for yes. Caps, bans, guest flags and roles are the specification's; the reference leaves them
 * to its host, so the `moddio` dialect only knows a script's "stop accepting players" (specification, Authentication and Limits).
 */
export function admit(game: Game, newcomer: Newcomer): JoinRefusal | undefined {
  const { world, definition } = game;
  if (!world.acceptingPlayers && newcomer.isBot !== true) return 'not-accepting';
  const present = humans(game);
  if (present >= world.limits.players) return 'server-full';
  if (!world.dialect.enforceJoinRules || newcomer.isBot === true) return undefined;
  const { defaultData } = definition;
  const cap = defaultData.defaultMaxPlayers;
  if (cap !== undefined && cap > 0 && present >= cap) return 'server-full';
  if (newcomer.userId !== undefined && defaultData.banUsers.includes(newcomer.userId)) return 'banned';
  if (newcomer.ip !== undefined && defaultData.banIps.includes(newcomer.ip)) return 'banned';
  if (newcomer.userId === undefined && !guestsMayPlay(game)) return 'guests-not-allowed';
  return undefined;
}

/** The role of guests decides where there is one; else the two flags, of which either may forbid. */
function guestsMayPlay({ definition }: Game): boolean {
  const { isGuestPlayerAllowed, allowGuestMode } = definition.defaultData;
  if (isGuestPlayerAllowed === false || allowGuestMode === false) return false;
  const guestRole = definition.roles.find((role) => role.type === 5);
  return guestRole === undefined || guestRole.permissions.get('playGame') !== false;
}

function humans({ world }: Game): number {
  let count = 0;
  for (const player of world.lists[Kind.player]!.entries) {
    if (world.exists(player) && world.players[rowOf(player)]!.controlledBy === 'human') count++;
  }
  return count;
}
