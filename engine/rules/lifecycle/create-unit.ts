import { inventoryState } from '../../components/inventory.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import type { RuntimeUnitType } from '../../world/types.ts';
import { announceCreated } from '../entities/announce.ts';
import { nameEntity, nameOf } from '../entities/appearance.ts';
import { createAttributes } from '../entities/attribute.ts';
import { changeOwner } from '../entities/owner.ts';
import type { NewPose } from '../entities/place.ts';
import { placeNewEntity, playEffect, setState } from '../entities/state.ts';
import { createVariables } from '../entities/variable.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';
import { tradeSlots } from '../items/inventory.ts';

interface NewUnit extends NewPose {
  readonly type: RuntimeUnitType;
  /** The player that owns the unit. */
  readonly owner: Entity;
}

/** Like `createUnit`, and makes it the last created unit for scripts. */
export function createUnitByScript(game: Game, made: NewUnit): Entity {
  const unit = createUnit(game, made);
  if (unit !== noEntity) game.world.memory.last.createdUnit = unit;
  return unit;
}

/**
 * Makes a unit for a player. Scripts can observe the order (reference: units#creation, creation#units): attributes and
 * variables come first, and default items before the unit's own `entityCreated`. Returns 0 if the entity limit is
 * reached.
 */
export function createUnit(game: Game, { type, owner, x, y, angle, isSized }: NewUnit): Entity {
  const { world } = game;
  const unit = world.allocate('unit');
  if (unit === noEntity) return noEntity;
  const row = rowOf(unit);
  const c = world.components;
  const { definition } = type;
  const identity = c.identity;
  identity.type[row] = type.index;
  placeNewEntity(game, unit, x, y, angle);
  identity.owner[row] = owner;
  c.visibility.hidden[row] = definition.isHidden ? 1 : 0;
  const inventorySize = Math.max(0, definition.inventorySize);
  const backpackSize = Math.max(0, definition.backpackSize);
  const isOwned = c.player[rowOf(owner)] !== undefined;
  c.name[row] = isOwned ? c.name[rowOf(owner)]! : type.name;
  if (isOwned && nameOf(world, owner) === undefined) nameEntity(world, unit, undefined);
  c.inventory[row] = inventoryState.create({
    slots: new Array<Entity>(inventorySize + backpackSize + tradeSlots).fill(noEntity),
    inventorySize,
    backpackSize,
  });
  createAttributes(world, unit, type.attributes);
  c.variables[row] = createVariables(world, type.variables);
  emit(game, 'unitMade', unit, undefined);
  setState(game, unit, undefined, { x, y, angle });
  emit(game, 'outfitting', unit, undefined);
  if (isSized) game.physics.requestAgain(unit);
  // The unit moves to the end of the order, after the items that it carries, and is therefore updated before them
  // (reference: creation#units, step 10).
  world.order.moveToEnd(unit);
  playEffect(game, unit, 'create');
  if (!world.exists(unit)) return unit;
  if (owner !== noEntity) changeOwner(game, unit, owner);
  announceCreated(game, unit);
  return unit;
}
