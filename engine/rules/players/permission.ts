import { guestUsers, loggedInUsers, type Role } from '../../definition/role.ts';
import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/**
 * What roles let a player do (specification, Authentication). Everybody has the role for those with an account or the one for guests,
 * without being given it; the host says which others a player has. A permission is granted by any role that has the flag.
 */

/** Who a player is to the roles. */
export interface RoleHolder {
  readonly userId?: string | undefined;
  readonly roleIds?: readonly string[] | undefined;
}

/** What everybody may do unless the role for everybody of that sort withholds it: without such a role there is no rule. */
export function mayByDefault(game: Game, holder: RoleHolder, permission: 'playGame' | 'serverChat'): boolean {
  const type = isLoggedIn(holder) ? loggedInUsers : guestUsers;
  return !game.definition.roles.some((role) => role.type === type) || hasPermission(game, holder, permission);
}

/** What only a role gives. */
export function hasPermission({ definition }: Game, holder: RoleHolder, permission: string): boolean {
  return definition.roles.some((role) => holds(holder, role) && role.permissions.get(permission) === true);
}

function holds(holder: RoleHolder, { type, _id }: Role): boolean {
  if (type === loggedInUsers) return isLoggedIn(holder);
  if (type === guestUsers) return !isLoggedIn(holder);
  return _id !== undefined && holder.roleIds?.includes(_id) === true;
}

function isLoggedIn({ userId }: RoleHolder): boolean {
  return userId !== undefined && userId !== '';
}

/** The owner of the game and its moderators (reference: players#moderation). */
export function isModerator(game: Game, player: Entity): boolean {
  const { world, definition } = game;
  const state = world.is(player, Kind.player) ? world.players[rowOf(player)] : undefined;
  if (state === undefined || state.userId === undefined) return false;
  return state.userId === definition.defaultData.owner || hasPermission(game, state, 'moderator');
}
