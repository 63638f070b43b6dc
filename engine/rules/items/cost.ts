import type { Cost } from '../../definition/ability.ts';
import { type Entity, Kind } from '../../world/entity.ts';
import { attributeValue, updateAttribute } from '../entities/attribute.ts';
import type { Game } from '../game.ts';

/** The costs of abilities and of uses of items, which a unit and its owner pay (reference: units#ability-costs). */

/**
 * Whether unit and owner can pay a cost. They must have every attribute that the cost names, and at least the named
 * amount of it; amounts of 0 are ignored.
 */
export function canAfford(game: Game, unit: Entity, cost: Cost): boolean {
  const player = game.world.ownerOf(unit);
  return holds(game, unit, cost.unitAttributes) && holds(game, player, cost.playerAttributes);
}

function holds(game: Game, entity: Entity, amounts: ReadonlyMap<string, number>) {
  for (const [key, amount] of amounts) {
    if (amount === 0) continue;
    const value = attributeValue(game.world, entity, key);
    if (value === undefined || value < amount) return false;
  }
  return true;
}

/** Subtracts the cost from the attributes of unit and owner, which may fire their triggers. */
export function payCost(game: Game, unit: Entity, cost: Cost): void {
  takeAmounts(game, unit, cost.unitAttributes);
  const player = game.world.ownerOf(unit);
  if (game.world.is(player, Kind.player)) takeAmounts(game, player, cost.playerAttributes);
}

/** Subtracts amounts from those attributes that an entity has. */
export function takeAmounts(game: Game, entity: Entity, amounts: ReadonlyMap<string, number>): void {
  for (const [key, amount] of amounts) {
    const value = attributeValue(game.world, entity, key);
    if (amount !== 0 && value !== undefined) updateAttribute(game, entity, key, value - amount);
  }
}
