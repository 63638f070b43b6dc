import type { Point } from '../../components/point.ts';
import { RolledBuffs } from '../../components/rolled-buffs.ts';
import { Unmounted } from '../../components/unmounted.ts';
import { type Entity, noEntity, rowOf } from '../../world/entity.ts';
import { itemTypeOf, type RuntimeItemType } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { changesIn, rule } from '../effects.ts';
import { createAttributes } from '../entities/attribute.ts';
import type { NewPose } from '../entities/place.ts';
import { placeNewEntity, playEffect, rebuildBody, setState } from '../entities/state.ts';
import { createVariables } from '../entities/variable.ts';
import type { Game } from '../game.ts';
import { applyRolledBuffs, rollBuffs } from '../types/buff-catalogue.ts';
import { heldAt } from './anchor.ts';
import { carrierOf, isDropped, settleItem } from './item-state.ts';
import { attemptUse, finishDelayedUses } from './use-attempt.ts';

export const carrying = rule(
  'items in hands follow their units',
  ['tick'],
  changesIn('item', 'position', 'angle', 'look'),
);

export interface NewItem extends NewPose {
  /** The item type, or its key in the definition. */
  readonly type: RuntimeItemType | string;
  /**
   * Whether the position does not matter, because the unit that gets the item moves it in every turn. Default: the item
   * is placed at `x`, `y`.
   */
  readonly isUnplaced?: boolean;
  /**
   * Whether the item lies in the world from the start. An item that is given to a unit is in the dropped state only
   * until the unit carries it.
   */
  readonly liesInWorld?: boolean;
  /** The quantity; Infinity if unlimited. Default: the quantity of the type. */
  readonly quantity?: number | undefined;
}

/**
 * Makes an item without a carrier (reference: creation#items). The caller must announce the item (`announceCreated`).
 * Returns 0, with a fault, if there is no such type, a coordinate or the angle is not finite, or the entity limit is
 * reached.
 */
export function createItem(
  game: Game,
  { type: named, x, y, angle, isUnplaced, liesInWorld, quantity, isSized }: NewItem,
): Entity {
  const { world } = game;
  const type = typeof named === 'string' ? world.types.item.get(named) : named;
  if (type === undefined) {
    world.fault('no-such-type', `There is no item type "${named}".`);
    return noEntity;
  }
  if (!Number.isFinite(x) || !Number.isFinite(y) || !Number.isFinite(angle)) {
    world.fault(
      'not-finite',
      `An item ${type.name} was not created: its position (${x}, ${y}) and angle ${angle} must be finite numbers.`,
    );
    return noEntity;
  }
  const item = world.allocate('item');
  if (item === noEntity) return noEntity;
  const { definition } = type;
  const row = rowOf(item);
  world.components.identity.type[row] = type.index;
  placeNewEntity(game, item, x, y, angle);
  const stack = world.components.stack;
  stack.quantity[row] = quantity ?? definition.quantity ?? Infinity;
  stack.maxQuantity[row] = definition.maxQuantity ?? Infinity;
  // Consumables of the 2022 engines had no fire rate and were always ready; any other item is never ready without a
  // fire rate (reference: items-projectiles#use).
  const isReady = definition.type === 'consumable' && game.rules.nonReferenceOperationsWork;
  world.components.itemUse.fireRateMs[row] = definition.fireRate ?? (isReady ? 0 : NaN);
  world.components.name[row] = type.name;
  world.components.hold.aims[row] = game.rules.aims(definition) ? 1 : 0;
  const rolled = rollBuffs(world, definition);
  if (rolled.length > 0) world.ensure(item, RolledBuffs).push(...rolled);
  applyRolledBuffs(world, item);
  createAttributes(world, item, type.attributes);
  world.components.variables[row] = createVariables(world, type.variables);
  world.memory.last.createdItem = item;
  const { itemsFallBackToNearestState } = game.rules;
  if (!itemsFallBackToNearestState) world.add(item, Unmounted);
  setState(
    game,
    item,
    liesInWorld && !itemsFallBackToNearestState ? 'dropped' : undefined,
    isUnplaced ? undefined : { x, y, angle },
  );
  if (world.exists(item)) playEffect(game, item, 'create');
  if (isSized) {
    // The reference requests the body once for the size, and once more because setting the size shows the item.
    game.physics.requestAgain(item);
    game.physics.requestAgain(item);
  }
  return item;
}

/** Runs one tick of an item: moves it with its carrier, and uses it. */
export function itemBehaviour(game: Game, item: Entity): void {
  const { world } = game;
  const row = rowOf(item);
  const c = world.components;
  const carrier = carrierOf(world, item);
  if (carrier !== noEntity && !isDropped(game, item)) follow(game, item, carrier);
  if (c.delayedUses[row] !== undefined) {
    finishDelayedUses(game, item);
    if (!world.exists(item)) return;
  }
  if (c.itemUse.beingUsed[row] === 0 && c.itemUse.usePending[row] === 0) return;
  attemptUse(game, item);
  if (world.exists(item)) c.itemUse.usePending[row] = 0;
}

// Reused by every call.
const anchor: Point = { x: 0, y: 0 };

/**
 * Moves a carried item to its carrier's body, offset by the anchors of both. An item with a body of its own is not held
 * by a joint; instead, it is moved in every tick. A welded item turns with the carrier, an item that follows the mouse
 * turns with the carrier's aim (reference: items-projectiles#holding).
 */
function follow(game: Game, item: Entity, carrier: Entity) {
  const { world, physics } = game;
  const c = world.components;
  const row = rowOf(item);
  const carrierRow = rowOf(carrier);
  const isWelded = c.bodyType[row]?.jointType === 'weldJoint';
  // If the carrier has never aimed, the item keeps its angle; an aim of exactly 0 counts as never aimed, as in the
  // reference.
  const aim = isWelded ? c.transform.angle[carrierRow]! : c.facing.angle[carrierRow]! || c.transform.angle[row]!;
  const turns = isWelded || c.hold.aims[row] === 1;
  c.facing.flip[row] = c.facing.flip[carrierRow]!;
  const seenAt = heldAt(world, item, carrier, aim, anchor);
  const { anchorX, anchorY, dropAngle } = c.hold;
  anchorX[row] = anchor.x;
  anchorY[row] = anchor.y;
  if (game.rules.dropsKeepHeldAngle) dropAngle[row] = turns ? seenAt : c.transform.angle[row]!;
  else dropAngle[row] = isDroppedTurned(world, item, isWelded) ? seenAt : 0;
  const x = physics.bodyX(carrier) + anchor.x;
  const y = physics.bodyY(carrier) + anchor.y;
  physics.moveTo(item, x, y);
  if (turns) physics.turnTo(item, aim);
}

/**
 * Whether, in the reference, a dropped item keeps the angle at which it was held (reference:
 * items-projectiles#holding).
 */
function isDroppedTurned(world: World, item: Entity, isWelded: boolean) {
  const mouse = itemTypeOf(world, item).definition.controls?.mouseBehaviour;
  if (mouse === undefined || world.components.bodyType[rowOf(item)]?.unitAnchor === undefined) return false;
  return isWelded || mouse.rotateToFaceMouseCursor;
}

/**
 * Must be called after a unit was hidden or shown. Its items are hidden or shown with it, and lose or get their bodies.
 */
export function showCarriedItems(game: Game, unit: Entity): void {
  const { world } = game;
  for (const item of world.inventoryOf(unit).slots) {
    if (!world.exists(item)) continue;
    settleItem(world, item);
    rebuildBody(game, item);
  }
}
