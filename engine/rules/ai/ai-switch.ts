import { AiPaused } from '../../components/ai.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { IsOver } from '../events.ts';
import type { Game } from '../game.ts';
import { forgetAims, goIdle, stop, stopMoving } from './ai-orders.ts';
import { adoptSensor, adoptSettings, definitionOf, emptyMind, isEmpty, mindOf } from './ai-settings.ts';

/** When the AI of a unit is on: at its creation, by scripts, while it is hidden, and with another type. */

/** At creation: the AI of the unit's type, on or off as the type says, and its sensor. */
export function startAi(game: Game, unit: Entity): void {
  const ai = adoptSettings(game, unit);
  if (!game.chosen.aiFollowsType) adoptSensor(game, unit);
  if (ai !== undefined && definitionOf(game.world, unit)!.enabled) enableAi(game, unit);
}

/** Idle, where it stands, with the settings of its type. False for a unit whose type has none; in the reference its AI is on all the same. */
export function enableAi(game: Game, unit: Entity): boolean {
  const { world } = game;
  const { components: c } = world;
  const row = rowOf(unit);
  const ai = adoptSettings(game, unit) ?? (game.chosen.mindsNeedSettings ? undefined : emptyMind(world, unit));
  if (ai === undefined) return false;
  if (isEmpty(world, ai)) {
    // It neither reacts nor rests, and is where a script or a key left it.
    ai.enabled = true;
    world.wake(unit);
    return false;
  }
  ai.home = { x: c.transform.x[row]!, y: c.transform.y[row]! };
  ai.enabled = true;
  game.world.wake(unit);
  goIdle(game, unit);
  return true;
}

/** The unit stops what it does and keeps its sensor, which its scripts may listen to. */
export function disableAi(game: Game, unit: Entity): void {
  const ai = adoptSettings(game, unit);
  game.world.wake(unit);
  if (ai === undefined) return;
  ai.enabled = false;
  forgetAims(ai);
  stop(game, unit);
}

/** A unit that is about to be hidden stands still; its AI is off until it is shown. */
export function restForHiding(game: Game, unit: Entity): void {
  const { world } = game;
  const row = rowOf(unit);
  stopMoving(game, unit);
  if (!world.exists(unit) || world.components.visibility.hidden[row] === 1) return;
  if (mindOf(world, unit) === undefined) world.remove(unit, AiPaused);
  else {
    world.add(unit, AiPaused);
    disableAi(game, unit);
  }
}

/**
 * In the reference the AI of a unit is switched on before the unit is shown. That fails for one without settings: it stays out of sight, with its AI on
 * (reference: units#visibility).
 */
export function failsToResume({ world }: Game, unit: Entity): boolean {
  const ai = world.components.ai[rowOf(unit)];
  if (ai === undefined || !isEmpty(world, ai) || !world.has(unit, AiPaused)) return false;
  world.components.ai[rowOf(unit)]!.enabled = true;
  world.fault('no-such-reference', 'The type of the unit has no AI.');
  return true;
}

export function resumeAfterHiding(game: Game, unit: Entity): void {
  if (game.world.has(unit, AiPaused)) enableAi(game, unit);
}

/** A unit has another type: its AI is on or off as that type says. */
export function followUnitType(game: Game, unit: Entity, isOver: IsOver): void {
  if (isOver()) return;
  const ai = adoptSettings(game, unit, !game.chosen.aiFollowsType);
  if (ai !== undefined && isEmpty(game.world, ai)) return;
  if (ai !== undefined && game.world.types.unit.at(ai.unitType)!.definition.ai?.enabled) enableAi(game, unit);
  else disableAi(game, unit);
}
