import { Ai, AiPaused, type AiState, aiState } from '../../components/ai.ts';
import type { Point } from '../../components/point.ts';
import { atan2, hypot, normaliseAngle, PI, TAU } from '../../core/dmath.ts';
import type { AI } from '../../definition/unit.ts';
import { type Entity, Kind, Life, noEntity, rowOf } from '../../world/entity.ts';
import { unitTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { playEffect } from '../entities/state.ts';
import type { IsOver } from '../events.ts';
import type { Game } from '../game.ts';
import { startUsing, stopUsing } from '../items/use.ts';
import { relationship } from '../types/relationship.ts';
import { advancePath, chase, headingTo, planForTarget, planRoute } from './ai-route.ts';
import { createSensor, lookAgain, removeSensor } from './sensor.ts';

/**
 * The AI of a unit (reference: units#ai-states): it is idle, walks to a place, fights or flees. A decision of one tick moves the unit in the next,
 * because movement is computed before the AI runs. Whether it walks is the `moving` column, where it walks to the `facing` one.
 */

/** Simulated ms; the bounds of what chance decides. */
const restMs = { least: 2000, most: 3999 } as const;
const strollMs = { least: 1500, most: 2999 } as const;
const fleeMs = { least: 5000, most: 9999 } as const;

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

/** A mind that wants nothing, for a unit whose type has no AI: orders to walk and to rest are all it takes. */
export function emptyMind(world: World, unit: Entity): AiState {
  const unitType = world.components.identity.type[rowOf(unit)]!;
  const mind = aiState.create({ unitType, pathFinding: '' });
  world.add(unit, Ai);
  world.components.ai[rowOf(unit)] = mind;
  return mind;
}

function isEmpty({ types }: World, { unitType }: AiState): boolean {
  return types.unit.at(unitType)!.definition.ai === undefined;
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
  ai.enabled = true;
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

/** The AI of a unit while it is on. */
function mindOf({ components: { ai } }: World, unit: Entity): AiState | undefined {
  const mind = ai[rowOf(unit)];
  return mind?.enabled === true ? mind : undefined;
}

/** Distances of a unit's AI that scripts can set. */
export type AiDistance = 'maxAttackRange' | 'maxTravelDistance' | 'letGoDistance';

/** px; Infinity for no limit. Nothing for a unit whose type has no AI. */
export function setAiDistance(world: World, unit: Entity, which: AiDistance, px: number): void {
  const ai = world.components.ai[rowOf(unit)];
  if (ai !== undefined) ai[which] = px;
}

/** Stands still, and if it likes to wander, goes for a walk after a rest. */
export function goIdle(game: Game, unit: Entity): void {
  const { world } = game;
  const ai = world.components.ai[rowOf(unit)];
  if (ai === undefined) return;
  world.wake(unit);
  // The state is complete before scripts run, so that an order they give is not undone.
  forgetAims(ai);
  ai.mode = 'idle';
  ai.nextActionAtMs = world.clock.frameMs + drawMs(world, restMs);
  stop(game, unit);
}

/** Walks to a place (px) and becomes idle there. */
export function moveTo(game: Game, unit: Entity, x: number, y: number): void {
  const ai = game.world.components.ai[rowOf(unit)];
  if (ai === undefined) return;
  game.world.wake(unit);
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
  const ai = world.components.ai[rowOf(unit)];
  if (ai === undefined || target === unit || (ai.mode === 'fight' && ai.target === target)) return;
  rememberPlace(world, unit, ai);
  world.wake(unit);
  // Where it was going it goes when the fight is over.
  const { destination } = ai;
  forgetAims(ai);
  ai.destination = destination;
  ai.mode = 'fight';
  ai.target = target;
  if (!findWay(game, unit, ai)) return;
  ai.mode = 'fight';
  if (ai.target === noEntity || ai.maxAttackRange < gapBetween(world, unit, ai.target)) startMoving(game, unit);
}

/** Runs from another unit for some seconds. */
export function flee(game: Game, unit: Entity, from: Entity): void {
  const { world } = game;
  const ai = world.components.ai[rowOf(unit)];
  if (ai === undefined || from === unit) return;
  rememberPlace(world, unit, ai);
  world.wake(unit);
  forgetAims(ai);
  ai.mode = 'flee';
  ai.target = from;
  ai.fleeEndsAtMs = world.clock.frameMs + drawMs(world, fleeMs);
  if (!findWay(game, unit, ai)) return;
  ai.mode = 'flee';
  startMoving(game, unit);
}

/** A unit came into the sensor of `owner`. */
export function reactToSensor(game: Game, owner: Entity, other: Entity): void {
  const { world } = game;
  const ai = mindOf(world, owner);
  if (ai === undefined || !isFoe(world, owner, other)) return;
  if (world.components.visibility.hidden[rowOf(other)] === 1) return;
  if (unitTypeOf(world, other).definition.isUnTargetable) return;
  const isBusy = world.exists(ai.target) && !(ai.maxAttackRange < gapBetween(world, owner, ai.target));
  if (!isBusy) respond(game, owner, other, ai.sensorResponse);
}

/** A unit was hurt by another, after the damage was done. */
export function reactToDamage(game: Game, unit: Entity, attacker: Entity): void {
  const { world } = game;
  if (!world.is(unit, Kind.unit) || !world.is(attacker, Kind.unit)) return;
  const ai = mindOf(world, unit);
  if (ai === undefined || !isFoe(world, unit, attacker)) return;
  const isBusy = world.exists(ai.target) && gapBetween(world, unit, attacker) >= gapBetween(world, unit, ai.target);
  if (!isBusy) respond(game, unit, attacker, ai.attackResponse);
}

/** No unit aims at a unit that is being destroyed or hidden. Units that did decide in their next tick what to do instead. */
export function dropTargets(game: Game, unit: Entity): void {
  const { world } = game;
  if (world.components.identity.kind[rowOf(unit)] !== Kind.unit) return;
  for (const hunter of world.lists[Kind.unit]!.entries) {
    const ai = world.components.ai[rowOf(hunter)];
    if (ai !== undefined && ai.target === unit && world.exists(hunter)) ai.target = noEntity;
  }
}

/** A unit's health became 0: those who fight it by what their sensor shows them leave it be and look around again (reference: units#death). */
export function leaveDefeated(game: Game, unit: Entity): void {
  forEachHunter(game, unit, (hunter) => {
    if (!game.world.exists(game.world.components.sensing.sensor[rowOf(hunter)]!)) return;
    goIdle(game, hunter);
    if (game.world.exists(hunter)) lookAgain(game, hunter);
  });
}

/**
 * A player has another type. Units of others that aim at its units lose their target, unless the player still sees their owner as hostile (reference:
 * players#player-types). They decide in their own next tick what to do instead.
 */
export function reconsiderTargets(game: Game, player: Entity): void {
  const { world } = game;
  const { identity } = world.components;
  // One pass over all units, however many of them the player has.
  for (const hunter of world.lists[Kind.unit]!.entries) {
    const mind = mindOf(world, hunter);
    if (mind === undefined || !world.is(mind.target, Kind.unit)) continue;
    if (identity.owner[rowOf(mind.target)] !== player || !world.exists(hunter)) continue;
    const owner = identity.owner[rowOf(hunter)]!;
    if (owner !== player && relationship(world, player, owner) !== 'hostile') mind.target = noEntity;
  }
}

/** One tick of a unit's AI. Call it for units that have an owner, after their movement was computed. */
export function aiBehaviour(game: Game, unit: Entity): void {
  const { world } = game;
  const ai = mindOf(world, unit);
  if (ai === undefined) return;
  if (ai.target !== noEntity && !isTarget(world, ai.target)) ai.target = noEntity;
  // Before it looks after its way: it still faces a node in the tick in which it reaches it.
  face(game, unit, ai);
  switch (ai.mode) {
    case 'idle':
      if (ai.idleBehaviour === 'wander') wander(game, unit, ai);
      return;
    case 'move':
      if (!goesOn(game, unit, ai)) goIdle(game, unit);
      return;
    case 'fight':
      fight(game, unit, ai);
      return;
    case 'flee': {
      const pursuer = ai.target;
      if (pursuer !== noEntity && ai.pathFinding === 'a*') chase(game, unit, ai);
      // Scripts may have given other orders because no path was found.
      if (!world.exists(unit) || ai.mode !== 'flee') return;
      if (pursuer === noEntity || ai.fleeEndsAtMs < world.clock.frameMs || isFarFromHome(world, ai, pursuer))
        goIdle(game, unit);
      return;
    }
  }
}

/** Simulated ms until which `aiBehaviour` leaves a unit that stands still as it is; the past for one that has something in mind. */
export function aiRestsUntilMs(world: World, unit: Entity): number {
  const ai = mindOf(world, unit);
  if (ai === undefined) return Number.POSITIVE_INFINITY;
  if (ai.mode !== 'idle' || ai.target !== noEntity || ai.destination !== undefined) return Number.NEGATIVE_INFINITY;
  return ai.idleBehaviour === 'wander' ? ai.nextActionAtMs : Number.POSITIVE_INFINITY;
}

// Modes.

function wander(game: Game, unit: Entity, ai: AiState): void {
  const { world } = game;
  if (world.clock.frameMs <= ai.nextActionAtMs) return;
  const row = rowOf(unit);
  if (world.components.movement.moving[row] === 1) {
    ai.nextActionAtMs = world.clock.frameMs + drawMs(world, restMs);
    stopMoving(game, unit);
    return;
  }
  world.components.facing.angle[row] = normaliseAngle(world.random.stream('ai').next() * TAU);
  ai.nextActionAtMs = world.clock.frameMs + drawMs(world, strollMs);
  startMoving(game, unit);
}

function fight(game: Game, unit: Entity, ai: AiState): void {
  const { world } = game;
  const { components: c } = world;
  const row = rowOf(unit);
  const { home, target } = ai;
  if (target === noEntity) {
    if (ai.destination === undefined) goIdle(game, unit);
    else moveTo(game, unit, ai.destination.x, ai.destination.y);
    return;
  }
  if (home !== undefined && hypot(c.transform.x[row]! - home.x, c.transform.y[row]! - home.y) > ai.maxTravelDistance) {
    moveTo(game, unit, home.x, home.y);
    return;
  }
  const gap = gapBetween(world, unit, target);
  if (gap > ai.letGoDistance) {
    goIdle(game, unit);
  } else if (ai.maxAttackRange > gap) {
    // It coasts to a halt without a word to its scripts: `unitStopsMoving` is for the end of the chase.
    c.movement.moving[row] = 0;
    if (ai.pathFinding === 'a*')
      ai.destination = { x: c.transform.x[rowOf(target)]!, y: c.transform.y[rowOf(target)]! };
    const item = heldItem(world, unit);
    if (item !== noEntity) startUsing(game, item);
  } else if (c.movement.moving[row] === 0) {
    stopUsingHeld(game, unit);
    if (!world.exists(unit)) return;
    startMoving(game, unit);
    if (ai.pathFinding === 'a*' && world.exists(unit) && ai.target !== noEntity) planForTarget(game, unit, ai);
    if (world.exists(unit)) lookAgain(game, unit);
  } else if (ai.pathFinding === 'a*') chase(game, unit, ai);
}

/** A walk to a place; false when it is there. */
function goesOn(game: Game, unit: Entity, ai: AiState): boolean {
  if (ai.pathFinding === 'a*') return advancePath(game, unit, ai);
  if (ai.pathFinding !== 'simple') return true;
  const { destination } = ai;
  if (destination === undefined) return false;
  const { components: c } = game.world;
  const row = rowOf(unit);
  return !(
    hypot(c.transform.x[row]! - destination.x, c.transform.y[row]! - destination.y) <
    game.definition.cellSize.width / 2
  );
}

function isFarFromHome(world: World, { home, maxTravelDistance }: AiState, target: Entity): boolean {
  if (home === undefined || maxTravelDistance === 0) return false;
  const row = rowOf(target);
  return (
    hypot(world.components.transform.x[row]! - home.x, world.components.transform.y[row]! - home.y) > maxTravelDistance
  );
}

/** Towards what it is after, or away from what it flees; as before where there is neither. */
function face(game: Game, unit: Entity, ai: AiState): void {
  const { components: c } = game.world;
  const row = rowOf(unit);
  const heading: Point | undefined = headingTo(game, ai);
  if (heading === undefined) return;
  const towards = normaliseAngle(atan2(heading.y - c.transform.y[row]!, heading.x - c.transform.x[row]!) + PI / 2);
  // A pursuer exactly above is angle 0, which the reference does not turn from; kept (recorded case n_flee_and_attack_response).
  const turnsAway = ai.mode === 'flee' && ai.pathFinding === 'simple' && towards !== 0;
  c.facing.angle[row] = turnsAway ? normaliseAngle(towards + PI) : towards;
}

// Parts of the above.

function respond(game: Game, unit: Entity, other: Entity, response: string): void {
  if (response === 'fight') attack(game, unit, other);
  else if (response === 'flee') flee(game, unit, other);
}

/** Of another player whom the unit's own player sees as hostile; how that one sees it does not matter. */
function isFoe(world: World, unit: Entity, other: Entity): boolean {
  const own = world.components.identity.owner[rowOf(unit)]!;
  const others = world.components.identity.owner[rowOf(other)]!;
  return own !== others && relationship(world, own, others) === 'hostile';
}

function isTarget(world: World, target: Entity): boolean {
  return world.is(target, Kind.unit) && world.components.visibility.hidden[rowOf(target)] === 0;
}

/** Between the edges of two units, roughly: px between their centres, less half the width of the one and half the height of the other. */
function gapBetween({ components: c }: World, unit: Entity, target: Entity): number {
  const row = rowOf(unit);
  const other = rowOf(target);
  return (
    hypot(c.transform.x[other]! - c.transform.x[row]!, c.transform.y[other]! - c.transform.y[row]!) -
    c.transform.width[other]! / 2 -
    c.transform.height[row]! / 2
  );
}

function forEachHunter(game: Game, target: Entity, visit: (hunter: Entity) => void): void {
  const { world } = game;
  const { entries } = world.lists[Kind.unit]!;
  // Units that scripts make meanwhile aim at nothing yet.
  const count = entries.length;
  for (let i = 0; i < count; i++) {
    const hunter = entries[i]!;
    if (world.exists(hunter) && mindOf(world, hunter)?.target === target) visit(hunter);
  }
}

/** A unit has another target now. False when scripts gave it another order because there is no way to it. */
function findWay(game: Game, unit: Entity, ai: AiState): boolean {
  if (ai.pathFinding !== 'a*') return true;
  const { transform } = game.world.components;
  ai.pathTarget = { x: transform.x[rowOf(ai.target)]!, y: transform.y[rowOf(ai.target)]! };
  return planForTarget(game, unit, ai);
}

/** An idle unit that is provoked measures from here how far it goes. */
function rememberPlace({ components: c }: World, unit: Entity, ai: AiState): void {
  const row = rowOf(unit);
  if (ai.mode === 'idle') ai.home = { x: c.transform.x[row]!, y: c.transform.y[row]! };
}

function forgetAims(ai: AiState): void {
  ai.target = noEntity;
  ai.destination = undefined;
  ai.path.length = 0;
  ai.pathTarget = undefined;
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
  if (world.exists(unit)) world.triggers.fireEntity('unitStartsMoving', unit, { unit });
}

/** Stops a moving unit and fires `unitStopsMoving`. */
export function stopMoving(game: Game, unit: Entity): void {
  const { world } = game;
  const row = rowOf(unit);
  if (world.components.movement.moving[row] === 0) return;
  world.components.movement.moving[row] = 0;
  playEffect(game, unit, 'idle');
  if (world.exists(unit)) world.triggers.fireEntity('unitStopsMoving', unit, { unit });
}

function heldItem(world: World, unit: Entity): Entity {
  const item = world.components.inventory[rowOf(unit)]!.heldItem;
  return world.exists(item) && world.components.rows.life[rowOf(item)] === Life.alive ? item : noEntity;
}

function stopUsingHeld(game: Game, unit: Entity): void {
  const item = heldItem(game.world, unit);
  if (item !== noEntity) stopUsing(game, item);
}

function drawMs(world: World, { least, most }: { readonly least: number; readonly most: number }): number {
  return world.random.stream('ai').integer(least, most);
}

function definitionOf(world: World, unit: Entity): AI | undefined {
  return unitTypeOf(world, unit).definition.ai;
}

/**
 * The settings of the unit's type, taken over when they are not yet: what scripts have changed stays until the unit changes its type. Whether the
 * sensor is the type's as well, and whether a type without AI ends that of the former type, is up to the dialect. Undefined without an AI.
 */
function adoptSettings(game: Game, unit: Entity, again = false): AiState | undefined {
  const { world } = game;
  const { ai, identity } = world.components;
  const row = rowOf(unit);
  const type = identity.type[row]!;
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
function adoptSensor(game: Game, unit: Entity): void {
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
