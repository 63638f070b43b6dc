import type { AiState } from '../../components/ai.ts';
import { Hunted } from '../../components/hunted.ts';
import { hypot } from '../../core/dmath.ts';
import { type Entity, Life, noEntity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { World } from '../../world/world.ts';
import { centreOf } from '../entities/place.ts';
import { playEffect } from '../entities/state.ts';
import type { Game } from '../game.ts';
import { stopUsing } from '../items/use.ts';
import { planForTarget, planRoute } from './ai-route.ts';

/**
 * Orders to a unit with AI: rest, walk to a position, fight, flee (reference: units#ai-states). An order takes effect
 * in the next tick, because movement is computed before the AI runs. The `moving` column says whether the unit walks,
 * and the `facing` column in which direction.
 */

/** Bounds of random durations, simulated ms. */
export const restMs = { min: 2000, max: 3999 } as const;
export const wanderMs = { min: 1500, max: 2999 } as const;
const fleeMs = { min: 5000, max: 9999 } as const;

/** Makes the unit stand still. A unit that wanders goes for a walk after a rest. */
export function goIdle(game: Game, unit: Entity): void {
  const { world } = game;
  const ai = world.components.ai[rowOf(unit)];
  if (ai === undefined) return;
  world.wake(unit);
  // Completes the state before `stop` runs scripts, so that the orders of these scripts are not overwritten.
  clearTarget(ai);
  ai.mode = 'idle';
  ai.nextActionAtMs = world.clock.frameMs + randomMs(world, restMs);
  stop(game, unit);
}

/** Makes the unit walk to a position (px) and become idle there. */
export function moveTo(game: Game, unit: Entity, x: number, y: number): void {
  const ai = game.world.components.ai[rowOf(unit)];
  if (ai === undefined) return;
  game.world.wake(unit);
  clearTarget(ai);
  ai.mode = 'move';
  if (ai.pathFinding === 'simple') ai.destination = { x, y };
  else if (ai.pathFinding === 'a*') {
    if (!planRoute(game, unit, ai, x, y)) return;
    ai.mode = 'move';
    ai.target = noEntity;
  }
  startMoving(game, unit);
}

/**
 * Makes the unit fight another unit, friend or foe. Does nothing if it already fights that unit, or if `target` is
 * `unit`.
 */
export function attack(game: Game, unit: Entity, target: Entity): void {
  const { world } = game;
  const ai = world.components.ai[rowOf(unit)];
  if (ai === undefined || target === unit || (ai.mode === 'fight' && ai.target === target)) return;
  rememberPlace(world, unit, ai);
  world.wake(unit);
  // Remembers where the unit was walking to: it resumes this walk when the fight is over.
  const { destination } = ai;
  aimAt(game, unit, ai, target);
  ai.destination = destination;
  ai.mode = 'fight';
  if (!findWay(game, unit, ai)) return;
  ai.mode = 'fight';
  if (ai.target === noEntity || ai.maxAttackRange < distanceBetweenEdges(world, unit, ai.target))
    startMoving(game, unit);
}

/** Makes the unit run away from another one for some seconds. */
export function flee(game: Game, unit: Entity, from: Entity): void {
  const { world } = game;
  const ai = world.components.ai[rowOf(unit)];
  if (ai === undefined || from === unit) return;
  rememberPlace(world, unit, ai);
  world.wake(unit);
  aimAt(game, unit, ai, from);
  ai.mode = 'flee';
  ai.fleeEndsAtMs = world.clock.frameMs + randomMs(world, fleeMs);
  if (!findWay(game, unit, ai)) return;
  ai.mode = 'flee';
  startMoving(game, unit);
}

/** Makes the unit stand still and stop using its held item. An order to rest does this for a unit without AI, too. */
export function stop(game: Game, unit: Entity): void {
  stopUsingHeld(game, unit);
  if (game.world.exists(unit)) stopMoving(game, unit);
}

/**
 * Marks a standing unit as moving and fires `unitStartsMoving`. If the unit has no AI and its owner steers it by keys,
 * it stops again in its next turn.
 */
export function startMoving(game: Game, unit: Entity): void {
  const { world } = game;
  const row = rowOf(unit);
  if (world.components.movement.moving[row] === 1) return;
  world.components.movement.moving[row] = 1;
  world.wake(unit);
  playEffect(game, unit, 'move');
  if (world.exists(unit)) world.triggers.fireEntity('unitStartsMoving', unit, payloadOf.unit, unit);
}

/** Stops a moving unit and fires `unitStopsMoving`. */
export function stopMoving(game: Game, unit: Entity): void {
  const { world } = game;
  const row = rowOf(unit);
  if (world.components.movement.moving[row] === 0) return;
  world.components.movement.moving[row] = 0;
  playEffect(game, unit, 'idle');
  if (world.exists(unit)) world.triggers.fireEntity('unitStopsMoving', unit, payloadOf.unit, unit);
}

/**
 * Plans a path to a new target if the unit has `a*` path finding. Returns false if there is no path and a script, which
 * ran for that reason, gave the unit another order.
 */
function findWay(game: Game, unit: Entity, ai: AiState) {
  if (ai.pathFinding !== 'a*') return true;
  ai.pathTarget = centreOf(game.world, ai.target);
  return planForTarget(game, unit, ai);
}

/** Makes a unit the only target. In dialects without `attackersStopByAge`, the target records which units hunt it. */
function aimAt({ world, rules }: Game, unit: Entity, ai: AiState, target: Entity) {
  const former = ai.target;
  clearTarget(ai);
  ai.target = target;
  if (rules.attackersStopByAge || !world.exists(target)) return;
  if (former !== target) leaveHunters(world, unit, former);
  const { by } = world.ensure(target, Hunted);
  if (by.includes(unit)) return;
  for (let i = by.length - 1; i >= 0; i--) if (!world.exists(by[i]!)) by.splice(i, 1);
  by.push(unit);
}

function leaveHunters(world: World, unit: Entity, target: Entity) {
  const hunters = world.exists(target) ? world.components.hunted[rowOf(target)]?.by : undefined;
  const at = hunters?.indexOf(unit) ?? -1;
  if (at >= 0) hunters!.splice(at, 1);
}

/** Drops the target, but keeps the position to which the unit was walking before the fight. */
export function loseTarget(world: World, unit: Entity, ai: AiState): void {
  leaveHunters(world, unit, ai.target);
  ai.target = noEntity;
}

/**
 * Stores the current position of an idle unit that is provoked. The maximum travel distance is measured from there, and
 * the unit returns there.
 */
function rememberPlace(world: World, unit: Entity, ai: AiState) {
  if (ai.mode === 'idle') ai.home = centreOf(world, unit);
}

export function clearTarget(ai: AiState): void {
  ai.target = noEntity;
  ai.destination = undefined;
  ai.path.length = 0;
  ai.pathTarget = undefined;
}

/**
 * Approximate gap between the edges of two units: px between their centres, less half the width of `target` and half
 * the height of `unit`.
 */
export function distanceBetweenEdges({ components: c }: World, unit: Entity, target: Entity): number {
  const row = rowOf(unit);
  const other = rowOf(target);
  return (
    hypot(c.transform.x[other]! - c.transform.x[row]!, c.transform.y[other]! - c.transform.y[row]!) -
    c.transform.width[other]! / 2 -
    c.transform.height[row]! / 2
  );
}

export function heldItem(world: World, unit: Entity): Entity {
  const item = world.inventoryOf(unit).heldItem;
  return world.exists(item) && world.components.rows.life[rowOf(item)] === Life.alive ? item : noEntity;
}

export function stopUsingHeld(game: Game, unit: Entity): void {
  const item = heldItem(game.world, unit);
  if (item !== noEntity) stopUsing(game, item);
}

export function randomMs(world: World, { min, max }: { readonly min: number; readonly max: number }): number {
  return world.random.stream('ai').integer(min, max);
}
