import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { releaseKeys } from '../control/control.ts';
import type { Game } from '../game.ts';

/** Removes a unit that is about to change owners from the list of its former owner. */
export function leaveFormerOwner(game: Game, unit: Entity): void {
  const before = game.world.ownerOf(unit);
  if (game.world.is(before, Kind.player)) disownUnit(game, before, unit);
}

/** Adds a unit to its player's list. A player's only unit becomes the selected one (reference: units#ownership). */
export function joinOwner(game: Game, unit: Entity): void {
  const player = game.world.ownerOf(unit);
  const own = game.world.components.ownedUnits[rowOf(player)];
  if (own === undefined || own.units.includes(unit)) return;
  own.units.push(unit);
  if (own.units.length === 1) selectUnit(game, player, unit);
}

/**
 * Removes a unit from the player's list. If it was selected, no unit is selected any more and all keys are released.
 */
function disownUnit(game: Game, player: Entity, unit: Entity) {
  const own = game.world.components.ownedUnits[rowOf(player)];
  if (own === undefined) return;
  const at = own.units.indexOf(unit);
  if (at >= 0) own.units.splice(at, 1);
  if (own.selected === unit) selectUnit(game, player, noEntity);
}

/** Removes a unit that is being destroyed from its owner. */
export function leaveOwner(game: Game, entity: Entity): void {
  const { world } = game;
  const row = rowOf(entity);
  const owner = world.components.identity.owner[row]!;
  if (world.components.identity.kind[row] === Kind.unit && world.exists(owner)) disownUnit(game, owner, entity);
}

/**
 * Maximum number of expired units in a player's list of units, so that the list cannot grow for ever. Scripts cannot
 * tell one expired unit from many.
 */
const expiredMax = 32;

/**
 * Keeps a unit whose life span ended in its owner's list, in dialects that do so (reference: tick#destruction). If
 * there are too many, the oldest expired unit is removed.
 */
export function keepInOwnersList({ world }: Game, entity: Entity): void {
  const row = rowOf(entity);
  const ownerRow = rowOf(world.components.identity.owner[row]!);
  const owner = world.components.ownedUnits[ownerRow];
  if (world.components.identity.kind[row] !== Kind.unit || owner === undefined) return;
  owner.expired.push(world.components.handle[row]!);
  if (owner.expired.length <= expiredMax) return;
  const oldest = owner.expired.shift()!;
  owner.units.splice(owner.units.indexOf(oldest.entity), 1);
}

/**
 * Selects the unit that gets the player's keys and mouse; 0 for none. In dialects with `selectionReleasesKeys`, keys
 * that are held are first released on the previous unit (reference: players#selection). Returns false if the unit
 * belongs to another player.
 */
export function selectUnit(game: Game, player: Entity, unit: Entity): boolean {
  const { world } = game;
  const own = world.components.ownedUnits[rowOf(player)];
  if (own === undefined) return false;
  if (unit === noEntity) {
    releaseKeys(game, player);
    own.selected = noEntity;
    return true;
  }
  const isOwn = () => world.ownerOf(unit) === player;
  if (!isOwn()) return false;
  if (game.rules.selectionReleasesKeys && own.selected !== unit && world.exists(own.selected)) {
    releaseKeys(game, player);
    // A script that runs because an item is no longer used can remove the unit or give it away.
    if (!world.exists(unit) || !isOwn()) return true;
  }
  own.selected = unit;
  world.wake(unit);
  return true;
}
