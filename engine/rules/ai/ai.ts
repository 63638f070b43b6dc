import type { AiState } from '../../components/ai.ts';
import type { Point } from '../../components/point.ts';
import { atan2, normaliseAngle, PI, TAU } from '../../core/dmath.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { changes, changesIn, draws, only, rule } from '../effects.ts';
import { centreOf, distanceTo } from '../entities/place.ts';
import type { Game } from '../game.ts';
import { startUsing } from '../items/use.ts';
import {
  distanceBetweenEdges,
  goIdle,
  heldItem,
  loseTarget,
  moveTo,
  randomMs,
  restMs,
  startMoving,
  stopMoving,
  stopUsingHeld,
  wanderMs,
} from './ai-orders.ts';
import { advancePath, chase, headingTo, planForTarget } from './ai-route.ts';
import { aiStateOf } from './ai-settings.ts';
import { redetectTouching } from './sensor.ts';

/**
 * The AI of a unit in one tick (reference: units#ai-states): it is idle, walks to a position, fights or flees. Its
 * decision moves the unit in the next tick, because movement is computed before the AI runs.
 */

export const aiTurn = rule(
  'AI',
  ['tick'],
  changesIn('unit', 'ai', 'angle'),
  changesIn('item', 'use'),
  draws,
  only('moddio', changes('last')),
);

/** Runs a unit's AI for one tick. Call it for units that have an owner, after their movement was computed. */
export function aiBehaviour(game: Game, unit: Entity): void {
  const { world } = game;
  const ai = aiStateOf(world, unit);
  if (ai === undefined) return;
  let { target } = ai;
  if (!isTarget(world, target)) {
    loseTarget(world, unit, ai);
    // In the reference, a unit still acts on a hidden target in this turn, unless its path finding is `a*`.
    if (game.rules.hiddenTargetsAreDroppedAtOnce || ai.pathFinding === 'a*') target = noEntity;
  }
  // Turns the unit before it follows the path: in the tick in which it reaches a cell, it still faces that cell.
  face(game, unit, ai);
  switch (ai.mode) {
    case 'idle':
      if (ai.idleBehaviour === 'wander') wander(game, unit, ai);
      return;
    case 'move':
      if (!goesOn(game, unit, ai)) goIdle(game, unit);
      return;
    case 'fight':
      fight(game, unit, ai, target);
      return;
    case 'flee': {
      if (target !== noEntity && ai.pathFinding === 'a*') chase(game, unit, ai);
      // Scripts that ran because no path was found may have given other orders.
      if (!world.exists(unit) || ai.mode !== 'flee') return;
      if (target === noEntity || ai.fleeEndsAtMs < world.clock.frameMs || isFarFromHome(world, ai, target))
        goIdle(game, unit);
      return;
    }
  }
}

/**
 * The simulated time, ms, until which `aiBehaviour` does nothing for a unit that stands still. -Infinity if it may act
 * in any tick.
 */
export function aiRestsUntilMs(world: World, unit: Entity): number {
  const ai = aiStateOf(world, unit);
  if (ai === undefined) return Infinity;
  if (ai.mode !== 'idle' || ai.target !== noEntity || ai.destination !== undefined) return -Infinity;
  return ai.idleBehaviour === 'wander' ? ai.nextActionAtMs : Infinity;
}

function wander(game: Game, unit: Entity, ai: AiState) {
  const { world } = game;
  if (world.clock.frameMs <= ai.nextActionAtMs) return;
  const row = rowOf(unit);
  if (world.components.movement.moving[row] === 1) {
    ai.nextActionAtMs = world.clock.frameMs + randomMs(world, restMs);
    stopMoving(game, unit);
    return;
  }
  world.components.facing.angle[row] = normaliseAngle(world.random.stream('ai').next() * TAU);
  ai.nextActionAtMs = world.clock.frameMs + randomMs(world, wanderMs);
  startMoving(game, unit);
}

/** Runs one tick of a fight. `target` is the unit to attack in this tick; it may just have been hidden. */
function fight(game: Game, unit: Entity, ai: AiState, target: Entity) {
  const { world } = game;
  const { components: c } = world;
  const row = rowOf(unit);
  const { home } = ai;
  if (target === noEntity) {
    if (ai.destination === undefined) goIdle(game, unit);
    else moveTo(game, unit, ai.destination.x, ai.destination.y);
    return;
  }
  if (home !== undefined && distanceTo(world, unit, home) > ai.maxTravelDistance) {
    moveTo(game, unit, home.x, home.y);
    return;
  }
  const gap = distanceToTarget(world, unit, ai);
  if (gap > ai.letGoDistance) {
    goIdle(game, unit);
  } else if (ai.maxAttackRange > gap) {
    // Stops without firing `unitStopsMoving`, which is reserved for the end of the chase.
    c.movement.moving[row] = 0;
    if (ai.pathFinding === 'a*') ai.destination = centreOf(world, target);
    const item = heldItem(world, unit);
    if (item !== noEntity) startUsing(game, item);
  } else if (c.movement.moving[row] === 0) {
    stopUsingHeld(game, unit);
    if (!world.exists(unit)) return;
    startMoving(game, unit);
    if (ai.pathFinding === 'a*' && world.exists(unit) && ai.target !== noEntity) planForTarget(game, unit, ai);
    if (world.exists(unit)) redetectTouching(game, unit);
  } else if (ai.pathFinding === 'a*') chase(game, unit, ai);
}

/** Continues a walk to a position. Returns false once the unit has arrived. */
function goesOn(game: Game, unit: Entity, ai: AiState) {
  if (ai.pathFinding === 'a*') return advancePath(game, unit, ai);
  if (ai.pathFinding !== 'simple') return true;
  const { destination } = ai;
  if (destination === undefined) return false;
  return !(distanceTo(game.world, unit, destination) < game.definition.cellSize.width / 2);
}

/**
 * The gap to the target in px. If the unit has just lost its target: the distance to the position to which it walked
 * before the fight, or the largest number if there is no such position.
 */
function distanceToTarget(world: World, unit: Entity, ai: AiState) {
  if (ai.target !== noEntity) return distanceBetweenEdges(world, unit, ai.target);
  return ai.destination === undefined ? Number.MAX_VALUE : distanceTo(world, unit, ai.destination);
}

function isFarFromHome(world: World, { home, maxTravelDistance }: AiState, target: Entity) {
  return home !== undefined && maxTravelDistance !== 0 && distanceTo(world, target, home) > maxTravelDistance;
}

/**
 * Turns the unit towards its heading, or away from its pursuer. A unit without a heading does not turn, except that in
 * the reference, a fleeing unit without a heading turns around.
 */
function face(game: Game, unit: Entity, ai: AiState) {
  const { components: c } = game.world;
  const row = rowOf(unit);
  const heading: Point | undefined = headingTo(game, ai);
  if (heading === undefined && (ai.mode !== 'flee' || game.rules.hiddenTargetsAreDroppedAtOnce)) return;
  const towards =
    heading === undefined
      ? c.facing.angle[row]!
      : normaliseAngle(atan2(heading.y - c.transform.y[row]!, heading.x - c.transform.x[row]!) + PI / 2);
  // If the pursuer is exactly above, the angle is 0. The reference does not turn the unit away then, and neither does
  // this code (recorded case n_flee_and_attack_response).
  const turnsAway = ai.mode === 'flee' && ai.pathFinding === 'simple' && towards !== 0;
  c.facing.angle[row] = turnsAway ? normaliseAngle(towards + PI) : towards;
}

function isTarget(world: World, target: Entity) {
  return world.is(target, Kind.unit) && world.components.visibility.hidden[rowOf(target)] === 0;
}
