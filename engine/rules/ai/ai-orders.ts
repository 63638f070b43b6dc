import type { Mind } from '../../components/ai.ts';
import { Hunted } from '../../components/hunted.ts';
import { hypot } from '../../core/dmath.ts';
import { type Entity, Life, noEntity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import type { World } from '../../world/world.ts';
import { playEffect } from '../entities/state.ts';
import type { Game } from '../game.ts';
import { stopUsing } from '../items/use.ts';
import { planForTarget, planRoute } from './ai-route.ts';

/**
 * Orders to a unit with AI: to rest, to walk to a place, to fight, to flee (reference: units#ai-states). An order holds from the next tick on, because
 * movement is computed before the AI runs. Whether a unit walks is the `moving` column, where it walks to the `facing` one.
 */

/** Simulated ms; the bounds of what chance decides. */
export const restMs = { min: 2000, max: 3999 } as const;
export const strollMs = { min: 1500, max: 2999 } as const;
const fleeMs = { min: 5000, max: 9999 } as const;

/** Stands still, and if it likes to wander, goes for a walk after a rest. */
export function goIdle(game: Game, unit: Entity): void {
  const { world } = game;
  if (world.components.ai[rowOf(unit)] === undefined) return;
  const ai = world.components.ai[rowOf(unit)]!;
  world.wake(unit);
  // The state is complete before scripts run, so that an order they give is not undone.
  forgetAims(ai);
  ai.mode = 'idle';
  ai.nextActionAtMs = world.clock.frameMs + drawMs(world, restMs);
  stop(game, unit);
}

/** Walks to a place (px) and becomes idle there. */
export function moveTo(game: Game, unit: Entity, x: number, y: number): void {
  const { world } = game;
  if (world.components.ai[rowOf(unit)] === undefined) return;
  const ai = world.components.ai[rowOf(unit)]!;
  world.wake(unit);
  forgetAims(ai);
  ai.mode = 'move';
  if (ai.pathFinding === 'simple') ai.destination = { x, y };
  else if (ai.pathFinding === 'a*') {
    if (!planRoute(game, unit, ai, x, y)) return;
    ai.mode = 'move';
    ai.target = noEntity;
  }
  startMoving(game, unit);
}

/** Fights another unit, friend or foe; nothing where it does so already or is that unit itself. */
export function attack(game: Game, unit: Entity, target: Entity): void {
  const { world } = game;
  const known = world.components.ai[rowOf(unit)];
  if (known === undefined || target === unit || (known.mode === 'fight' && known.target === target)) return;
  const ai = world.components.ai[rowOf(unit)]!;
  rememberPlace(world, unit, ai);
  world.wake(unit);
  // Where it was going it goes when the fight is over.
  const { destination } = ai;
  aimAt(game, unit, ai, target);
  ai.destination = destination;
  ai.mode = 'fight';
  if (!findWay(game, unit, ai)) return;
  ai.mode = 'fight';
  if (ai.target === noEntity || ai.maxAttackRange < gapBetween(world, unit, ai.target)) startMoving(game, unit);
}

/** Runs from another unit for some seconds. */
export function flee(game: Game, unit: Entity, from: Entity): void {
  const { world } = game;
  if (world.components.ai[rowOf(unit)] === undefined || from === unit) return;
  const ai = world.components.ai[rowOf(unit)]!;
  rememberPlace(world, unit, ai);
  world.wake(unit);
  aimAt(game, unit, ai, from);
  ai.mode = 'flee';
  ai.fleeEndsAtMs = world.clock.frameMs + drawMs(world, fleeMs);
  if (!findWay(game, unit, ai)) return;
  ai.mode = 'flee';
  startMoving(game, unit);
}

/** Puts down what the unit uses and stops it, as an order to rest does where there is no AI. */
export function stop(game: Game, unit: Entity): void {
  stopUsingHeld(game, unit);
  if (game.world.exists(unit)) stopMoving(game, unit);
}

/** Fires `unitStartsMoving` of a unit that stands. Without AI it stops again in its next turn, if it has an owner with keys. */
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

/** A unit has another target now. False when scripts gave it another order because there is no way to it. */
function findWay(game: Game, unit: Entity, ai: Mind): boolean {
  if (ai.pathFinding !== 'a*') return true;
  const { transform } = game.world.components;
  ai.pathTarget = { x: transform.x[rowOf(ai.target)]!, y: transform.y[rowOf(ai.target)]! };
  return planForTarget(game, unit, ai);
}

/** Nothing but a target, which in dialects without `huntersActByAge` notes who aims at it. */
function aimAt({ world, chosen }: Game, unit: Entity, ai: Mind, target: Entity): void {
  const former = ai.target;
  forgetAims(ai);
  ai.target = target;
  if (chosen.huntersActByAge || !world.exists(target)) return;
  const { hunted } = world.components;
  if (former !== target && world.exists(former)) {
    const left = hunted[rowOf(former)]?.by;
    const at = left?.indexOf(unit) ?? -1;
    if (at >= 0) left!.splice(at, 1);
  }
  const { by } = world.ensure(target, Hunted);
  if (by.includes(unit)) return;
  for (let i = by.length - 1; i >= 0; i--) if (!world.exists(by[i]!)) by.splice(i, 1);
  by.push(unit);
}

/** An idle unit that is provoked measures from here how far it goes. */
function rememberPlace({ components: c }: World, unit: Entity, ai: Mind): void {
  const row = rowOf(unit);
  if (ai.mode === 'idle') ai.home = { x: c.transform.x[row]!, y: c.transform.y[row]! };
}

export function forgetAims(ai: Mind): void {
  ai.target = noEntity;
  ai.destination = undefined;
  ai.path.length = 0;
  ai.pathTarget = undefined;
}

/** Between the edges of two units, roughly: px between their centres, less half the width of the one and half the height of the other. */
export function gapBetween({ components: c }: World, unit: Entity, target: Entity): number {
  const row = rowOf(unit);
  const other = rowOf(target);
  return (
    hypot(c.transform.x[other]! - c.transform.x[row]!, c.transform.y[other]! - c.transform.y[row]!) -
    c.transform.width[other]! / 2 -
    c.transform.height[row]! / 2
  );
}

export function heldItem(world: World, unit: Entity): Entity {
  const item = world.components.inventory[rowOf(unit)]!.heldItem;
  return world.exists(item) && world.components.rows.life[rowOf(item)] === Life.alive ? item : noEntity;
}

export function stopUsingHeld(game: Game, unit: Entity): void {
  const item = heldItem(game.world, unit);
  if (item !== noEntity) stopUsing(game, item);
}

export function drawMs(world: World, { min, max }: { readonly min: number; readonly max: number }): number {
  return world.random.stream('ai').integer(min, max);
}
