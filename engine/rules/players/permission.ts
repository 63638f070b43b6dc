import { guestUsers, loggedInUsers, type Role } from '../../definition/role.ts';
import { type Entity, Kind } from '../../world/entity.ts';
import type { Game } from '../game.ts';

/**
 * Permissions by role (specification, Authentication). Every player has either the role of logged-in users or that of
 * guests; the host assigns further ones. A player has a permission if any of its roles grants it.
 */

/** The part of a game that says who may play: a definition that is loaded, even if it is not played yet. */
export type Defined = Pick<Game, 'definition'>;

/** The facts about a player that its roles depend on. */
interface RoleHolder {
  readonly userId?: string | undefined;
  readonly roleIds?: readonly string[] | undefined;
}

/**
 * Whether a player has a permission that is granted by default. It is refused only if the role for logged-in users (for
 * a guest: the role for guests) exists, and no role of the player grants it.
 */
export function isAllowedByDefault(game: Defined, holder: RoleHolder, permission: 'playGame' | 'serverChat'): boolean {
  const type = isLoggedIn(holder) ? loggedInUsers : guestUsers;
  return !game.definition.roles.some((role) => role.type === type) || hasPermission(game, holder, permission);
}

/** Whether a player has a permission that only roles grant. */
export function hasPermission({ definition }: Defined, holder: RoleHolder, permission: string): boolean {
  return definition.roles.some((role) => holds(holder, role) && role.permissions.get(permission) === true);
}

function holds(holder: RoleHolder, { type, _id }: Role) {
  if (type === loggedInUsers) return isLoggedIn(holder);
  if (type === guestUsers) return !isLoggedIn(holder);
  return _id !== undefined && holder.roleIds?.includes(_id) === true;
}

function isLoggedIn({ userId }: RoleHolder) {
  return userId !== undefined && userId !== '';
}

/** Whether a player is a moderator or the owner of the game (reference: players#moderation). */
export function isModerator(game: Game, player: Entity): boolean {
  const { world, definition } = game;
  const state = world.is(player, Kind.player) ? world.accountOf(player) : undefined;
  if (state === undefined || state.userId === undefined) return false;
  return state.userId === definition.defaultData.owner || hasPermission(game, state, 'moderator');
}
