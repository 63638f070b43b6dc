import { AiPaused } from '../../components/ai.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { centreOf } from '../entities/place.ts';
import type { IsOver } from '../events.ts';
import type { Game } from '../game.ts';
import { clearTarget, goIdle, stop, stopMoving } from './ai-orders.ts';
import { adoptSensor, adoptSettings, aiStateOf, definitionOf, isEmpty, newAiState } from './ai-settings.ts';

/** Switches AI on and off: at creation, by scripts, on hiding and showing, and on type changes. */

/** Starts the AI of a new unit, on or off as its type says, and creates its sensor. */
export function startAi(game: Game, unit: Entity): void {
  const ai = adoptSettings(game, unit);
  if (!game.rules.aiFollowsType) adoptSensor(game, unit);
  if (ai !== undefined && definitionOf(game.world, unit)!.enabled) enableAi(game, unit);
}

/**
 * Switches AI on with the settings of the unit's type; the unit starts idle where it stands. Returns false if the type
 * has no settings. In the reference, the AI is switched on even then, but has no settings.
 */
export function enableAi(game: Game, unit: Entity): boolean {
  const { world } = game;
  const ai = adoptSettings(game, unit) ?? (game.rules.ordersNeedAi ? undefined : newAiState(world, unit));
  if (ai === undefined) return false;
  if (isEmpty(world, ai)) {
    // Without settings, the unit neither reacts nor wanders, and keeps moving as a script or key last ordered.
    ai.enabled = true;
    world.wake(unit);
    return false;
  }
  ai.home = centreOf(world, unit);
  ai.enabled = true;
  world.wake(unit);
  goIdle(game, unit);
  return true;
}

/** Switches AI off. The unit stops what it does, but keeps its sensor, because its scripts may listen to it. */
export function disableAi(game: Game, unit: Entity): void {
  const ai = adoptSettings(game, unit);
  game.world.wake(unit);
  if (ai === undefined) return;
  ai.enabled = false;
  clearTarget(ai);
  stop(game, unit);
}

/** Stops a unit that is about to be hidden and switches its AI off until it is shown. */
export function restForHiding(game: Game, unit: Entity): void {
  const { world } = game;
  stopMoving(game, unit);
  if (!world.exists(unit) || world.components.visibility.hidden[rowOf(unit)] === 1) return;
  if (aiStateOf(world, unit) === undefined) world.remove(unit, AiPaused);
  else {
    world.add(unit, AiPaused);
    disableAi(game, unit);
  }
}

/**
 * Whether showing the unit must fail as in the reference, which switches a unit's AI on before it shows the unit. For a
 * unit without AI settings, the reference then fails: the unit remains hidden, with its AI on (reference:
 * units#visibility). In this case, the function switches the AI on and records a fault.
 */
export function failsToResume({ world }: Game, unit: Entity): boolean {
  const ai = world.components.ai[rowOf(unit)];
  if (ai === undefined || !isEmpty(world, ai) || !world.has(unit, AiPaused)) return false;
  ai.enabled = true;
  world.fault('no-such-reference', 'The type of the unit has no AI.');
  return true;
}

export function resumeAfterHiding(game: Game, unit: Entity): void {
  if (game.world.has(unit, AiPaused)) enableAi(game, unit);
}

/** Called when a unit's type has changed. Switches the AI on or off as the new type says. */
export function followUnitType(game: Game, unit: Entity, isOver: IsOver): void {
  if (isOver()) return;
  const ai = adoptSettings(game, unit, !game.rules.aiFollowsType);
  if (ai !== undefined && isEmpty(game.world, ai)) return;
  if (ai !== undefined && game.world.types.unit.at(ai.unitType)!.definition.ai?.enabled) enableAi(game, unit);
  else disableAi(game, unit);
}
