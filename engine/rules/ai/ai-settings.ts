import { Ai, type AiState, aiState } from '../../components/ai.ts';
import type { AI } from '../../definition/unit.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';
import { createSensor, removeSensor } from './sensor.ts';

/**
 * A unit's AI: whether it is on, and its settings, which come from the unit's type and can be changed by scripts. A
 * type without settings has no AI (reference: units#ai-states).
 */

/** A unit's AI while it is on; undefined otherwise. */
export function aiStateOf({ components: { ai } }: World, unit: Entity): AiState | undefined {
  const mind = ai[rowOf(unit)];
  return mind?.enabled === true ? mind : undefined;
}

/** Gives a unit whose type has no AI an AI without settings, which only obeys orders to walk and to rest. */
export function newAiState(world: World, unit: Entity): AiState {
  const unitType = world.components.identity.type[rowOf(unit)]!;
  const mind = aiState.create({ unitType, pathFinding: '' });
  world.add(unit, Ai);
  world.components.ai[rowOf(unit)] = mind;
  return mind;
}

export function isEmpty({ types }: World, { unitType }: AiState): boolean {
  return types.unit.at(unitType)!.definition.ai === undefined;
}

/** Distances of a unit's AI that scripts can set. */
export type AiDistance = 'maxAttackRange' | 'maxTravelDistance' | 'letGoDistance';

/** Sets a distance of a unit's AI, in px; Infinity for no limit. Does nothing for a unit without AI. */
export function setAiDistance(world: World, unit: Entity, which: AiDistance, px: number): void {
  const ai = world.components.ai[rowOf(unit)];
  if (ai !== undefined) ai[which] = px;
}

/**
 * Returns the unit's AI; undefined if it has none. If the unit's type has changed since its settings were last copied
 * from it, or if `again`, copies the settings of the type first, which discards changes by scripts. The dialect decides
 * whether the sensor follows the type, too, and whether the unit loses its AI if the new type has none.
 */
export function adoptSettings(game: Game, unit: Entity, again = false): AiState | undefined {
  const { world } = game;
  const row = rowOf(unit);
  const ai = world.components.ai;
  const type = world.components.identity.type[row]!;
  if (!again && ai[row]?.unitType === type) return ai[row];
  const definition = definitionOf(world, unit);
  const { aiFollowsType } = game.rules;
  if (definition === undefined && !aiFollowsType) return ai[row];
  if (definition === undefined) world.remove(unit, Ai);
  else {
    world.add(unit, Ai);
    ai[row] = fresh(definition, type);
  }
  if (aiFollowsType) adoptSensor(game, unit);
  return ai[row];
}

/** Creates, resizes or removes the unit's sensor as its type says. */
export function adoptSensor(game: Game, unit: Entity): void {
  const radius = definitionOf(game.world, unit)?.sensorRadius ?? 0;
  if (radius > 0) createSensor(game, unit, radius);
  else removeSensor(game, unit);
}

function fresh(definition: AI, unitType: number): AiState {
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
