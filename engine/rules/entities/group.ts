import { EntityRef, Kind, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { readGlobalSlot, writeGlobalSlot } from './variable.ts';

/** Groups are lists in global variables. `slot` is the slot of the variable. */

/** Adds a member, even if the group already contains it. A variable that holds no list gets a new one. */
export function addToGroup(world: World, slot: number, member: EntityRef | undefined): void {
  const present = readGlobalSlot(world, slot);
  const list: unknown[] = Array.isArray(present) ? present : [];
  if (list !== present) writeGlobalSlot(world, slot, list);
  list.push(member);
  world.globals.lastUpdated = world.globals.layout.names[slot];
}

/** Removes every occurrence of a member. This does not count as an update of the variable. */
export function removeFromGroup(world: World, slot: number, member: EntityRef): void {
  const list = readGlobalSlot(world, slot);
  if (!Array.isArray(list)) return;
  let kept = 0;
  for (const element of list) if (element !== member) list[kept++] = element;
  list.length = kept;
}

/**
 * Whether two members of a group count as equal. In the reference, all bots share an id, and groups compare members by
 * id (reference: players#kinds).
 */
function isSame(world: World, element: unknown, member: EntityRef) {
  if (element === member) return true;
  return element instanceof EntityRef && isBot(world, element) && isBot(world, member);
}

function isBot(world: World, { entity }: EntityRef): boolean {
  return world.is(entity, Kind.player) && world.components.player[rowOf(entity)]!.isBot;
}

/**
 * Removes a member as the reference does: the reference does not adjust its loop index after a removal, so it skips the
 * element after each removed one (reference: variables#groups).
 */
export function removeFromGroupSkipping(world: World, slot: number, member: EntityRef): void {
  const list = readGlobalSlot(world, slot);
  if (!Array.isArray(list)) return;
  for (let i = 0; i < list.length; i++) if (isSame(world, list[i], member)) list.splice(i, 1);
}
