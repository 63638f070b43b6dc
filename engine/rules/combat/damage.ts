import type { Damage } from '../../components/projectile.ts';
import { atan2, cos, PI, sin } from '../../core/dmath.ts';
import type { Damage as DeclaredDamage } from '../../definition/item.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { changes, changesIn, draws, fires, playsEffect, rule } from '../effects.ts';
import { attributeValue, updateAttribute } from '../entities/attribute.ts';
import { playEffect } from '../entities/state.ts';
import { emit } from '../events.ts';
import type { Game } from '../game.ts';
import { rolledValue } from '../types/buff-catalogue.ts';
import { relationship } from '../types/relationship.ts';
import { rollStatusEffects } from './status-effect.ts';

/** Damage by projectiles and by items in use. */
export const damage = rule(
  'damage',
  ['contact', 'tick'],
  changesIn('unit', 'attribute', 'ai', 'stun', 'velocity'),
  changesIn('player', 'attribute'),
  changesIn('projectile', 'source'),
  changes('last'),
  draws,
  playsEffect,
  fires('unitAttacksUnit', 'entityGetsAttacked'),
);

/**
 * The damage of a hit with an item, including the attacking unit, player and item; undefined for an item that does no
 * damage.
 */
export function damageOf(world: World, item: Entity, unit: Entity): Damage | undefined {
  const { definition } = itemTypeOf(world, item);
  const declared: DeclaredDamage | undefined = definition.damage;
  if (declared === undefined) return undefined;
  const chances = statusEffectChances(world, item);
  return {
    targetsAffected: declared.targetsAffected,
    unitAttributes: declared.unitAttributes,
    playerAttributes: declared.playerAttributes,
    sourceUnit: unit,
    sourceItem: item,
    sourcePlayer: world.ownerOf(unit),
    knockbackForce: definition.knockbackForce ?? 0,
    stunChance: chances?.stunChance,
    slowChance: chances?.slowChance,
  };
}

/**
 * The chances that a hit with the item stuns or slows; three times as high for items other than guns (reference:
 * buffs-and-unused#buff-types).
 */
function statusEffectChances(world: World, item: Entity): Pick<Damage, 'stunChance' | 'slowChance'> | undefined {
  const stun = rolledValue(world, item, 'stunChance');
  const slow = rolledValue(world, item, 'slowChance');
  if (stun === 0 && slow === 0) return undefined;
  const factor = itemTypeOf(world, item).definition.isGun ? 1 : 3;
  return { stunChance: stun * factor, slowChance: slow * factor };
}

/**
 * Damages a unit if its relationship to the attacking player allows it; returns false otherwise (reference:
 * items-projectiles#damage). Scripts run first, then attributes of the unit and its owner fall, then its AI reacts.
 * `direction` is the angle of the hit, radians.
 */
export function damageUnit(game: Game, target: Entity, damage: Damage, direction: number): boolean {
  const { world } = game;
  const { sourceUnit, sourceItem } = damage;
  const owner = world.ownerOf(target);
  if (!affects(world, damage, owner)) return false;
  world.memory.last.attackingUnit = sourceUnit;
  world.memory.last.attackedUnit = target;
  world.memory.last.attackingItem = sourceItem;
  playEffect(game, target, 'attacked', sourceUnit);
  world.triggers.fireGlobal('unitAttacksUnit', payloadOf.unitAndItem, sourceUnit, sourceItem);
  if (world.exists(target))
    world.triggers.fireEntity('entityGetsAttacked', target, payloadOf.unitAndItem, sourceUnit, sourceItem);
  if (!world.exists(target)) return true;
  const taken = 1 - reduction(attributeValue(world, target, 'armor') ?? 0);
  const strength = world.exists(sourceUnit) ? (attributeValue(world, sourceUnit, 'damage') ?? 0) : 0;
  for (const [key, amount] of damage.unitAttributes) {
    const value = attributeValue(world, target, key);
    if (value !== undefined)
      updateAttribute(game, target, key, value - (key === 'health' ? amount + strength : amount) * taken);
  }
  for (const [key, amount] of damage.playerAttributes) {
    const value = attributeValue(world, owner, key);
    if (value !== undefined) updateAttribute(game, owner, key, value - amount * taken);
  }
  if (!world.exists(target)) return true;
  rollStatusEffects(game, target, damage);
  if (damage.knockbackForce !== 0) {
    game.physics.applyForce(target, damage.knockbackForce * sin(direction), -damage.knockbackForce * cos(direction));
  }
  emit(game, 'damaged', target, sourceUnit);
  return true;
}

/**
 * Whether an attack affects units of `owner`. Players never damage their own units, whatever `targetsAffected` says.
 * The relationship is how the attacker sees the owner. Units whose player has left can still attack and be attacked.
 */
function affects(world: World, { targetsAffected, sourcePlayer }: Damage, owner: Entity) {
  if (sourcePlayer === owner || !world.remembersPlayer(sourcePlayer) || !world.remembersPlayer(owner)) return false;
  if (targetsAffected.length === 0 || targetsAffected.includes('everything')) return true;
  return targetsAffected.includes(relationship(world, sourcePlayer, owner));
}

/** The share of the damage that armour absorbs: 0 for no armour, 1 for 150 points, approaching 1.25 as armour grows. */
function reduction(armor: number) {
  return (0.05 * armor) / (1.5 + 0.04 * armor);
}

/**
 * Damages a unit that a projectile begins to touch; every new contact damages it again. An earlier contact of the same
 * step may have destroyed the projectile, which still damages everything else that it touched in that step.
 */
export function touchDamage(game: Game, unit: Entity, projectile: Entity): void {
  const row = rowOf(projectile);
  const { components } = game.world;
  const state = components.projectile[row];
  if (state?.damage === undefined) return;
  if (damageUnit(game, unit, state.damage, components.transform.angle[row]!)) state.hurtUnit = unit;
}

/** The direction from one entity to another in radians: 0 is up, clockwise. */
export function directionTo(world: World, from: Entity, to: Entity): number {
  const { x, y } = world.components.transform;
  return atan2(y[rowOf(to)]! - y[rowOf(from)]!, x[rowOf(to)]! - x[rowOf(from)]!) + PI / 2;
}
