import { guestUsers, loggedInUsers, type Role } from '../../definition/role.ts';
import { type Entity, Kind, rowOf } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/**
 * Permissions by role (specification, Authentication). Every player has either the role of logged-in users or that of guests. The host gives the
 * others. A permission is granted by any role that has the flag.
 */

/** A player as the roles see it. */
interface RoleHolder {
  readonly userId?: string | undefined;
  readonly roleIds?: readonly string[] | undefined;
}

/** Permissions that a player has unless the role of logged-in users, or of guests, withholds them. Without such a role nothing is withheld. */
export function mayByDefault(game: Game, holder: RoleHolder, permission: 'playGame' | 'serverChat'): boolean {
  const type = isLoggedIn(holder) ? loggedInUsers : guestUsers;
  return !game.definition.roles.some((role) => role.type === type) || hasPermission(game, holder, permission);
}

/** Permissions that only a role gives. */
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
  const state = world.is(player, Kind.player) ? world.components.account[rowOf(player)] : undefined;
  if (state === undefined || state.userId === undefined) return false;
  return state.userId === definition.defaultData.owner || hasPermission(game, state, 'moderator');
}
