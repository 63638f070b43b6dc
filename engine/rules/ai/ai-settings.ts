import { Ai, aiState, type Mind } from '../../components/ai.ts';
import type { AI } from '../../definition/unit.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';
import { createSensor, removeSensor } from './sensor.ts';

/**
 * The AI of a unit: its settings, which come from its type and which scripts can change, and whether it is on. A type without settings has no AI
 * (reference: units#ai-states).
 */

/** The AI of a unit while it is on. */
export function mindOf({ components: { ai } }: World, unit: Entity): Mind | undefined {
  const mind = ai[rowOf(unit)];
  return mind?.enabled === true ? mind : undefined;
}

/** A mind that wants nothing, for a unit whose type has no AI: orders to walk and to rest are all it takes. */
export function emptyMind(world: World, unit: Entity): Mind {
  const unitType = world.components.identity.type[rowOf(unit)]!;
  const mind = aiState.create({ unitType, pathFinding: '' });
  world.add(unit, Ai);
  world.components.ai[rowOf(unit)] = mind;
  return mind;
}

export function isEmpty({ types }: World, { unitType }: Mind): boolean {
  return types.unit.at(unitType)!.definition.ai === undefined;
}

/** Distances of a unit's AI that scripts can set. */
export type AiDistance = 'maxAttackRange' | 'maxTravelDistance' | 'letGoDistance';

/** px; Infinity for no limit. Nothing for a unit whose type has no AI. */
export function setAiDistance(world: World, unit: Entity, which: AiDistance, px: number): void {
  if (world.components.ai[rowOf(unit)] !== undefined) world.components.ai[rowOf(unit)]![which] = px;
}

/**
 * The settings of the unit's type, taken over when they are not yet: what scripts have changed stays until the unit changes its type. Whether the
 * sensor is the type's as well, and whether a type without AI ends that of the former type, is up to the dialect. Undefined without an AI.
 */
export function adoptSettings(game: Game, unit: Entity, again = false): Mind | undefined {
  const { world } = game;
  const row = rowOf(unit);
  const ai = world.components.ai;
  const type = world.components.identity.type[row]!;
  if (!again && ai[row]?.unitType === type) return ai[row];
  const definition = definitionOf(world, unit);
  const { aiFollowsType } = game.chosen;
  if (definition === undefined && !aiFollowsType) return ai[row];
  if (definition === undefined) world.remove(unit, Ai);
  else {
    world.add(unit, Ai);
    ai[row] = fresh(definition, type);
  }
  if (aiFollowsType) adoptSensor(game, unit);
  return ai[row];
}

/** The sensor of the unit's type. */
export function adoptSensor(game: Game, unit: Entity): void {
  const radius = definitionOf(game.world, unit)?.sensorRadius ?? 0;
  if (radius > 0) createSensor(game, unit, radius);
  else removeSensor(game, unit);
}

function fresh(definition: AI, unitType: number): Mind {
  return aiState.create({
    unitType,
    pathFinding: definition.pathFindingMethod,
    idleBehaviour: definition.idleBehaviour,
    sensorResponse: definition.sensorResponse,
    attackResponse: definition.attackResponse,
    maxTravelDistance: definition.maxTravelDistance,
    letGoDistance: definition.letGoDistance,
    maxAttackRange: definition.maxAttackRange,
  });
}

export function definitionOf(world: World, unit: Entity): AI | undefined {
  return unitTypeOf(world, unit).definition.ai;
}
