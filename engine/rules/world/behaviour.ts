import { Unmounted } from '../../components/unmounted.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { aiBehaviour } from '../ai/ai.ts';
import { sensorBehaviour } from '../ai/sensor.ts';
import { isOutOfRange } from '../combat/projectile.ts';
import { isStunned } from '../combat/status-effect.ts';
import { castAbilities } from '../control/ability.ts';
import { fireMovementTriggers, steerUnit } from '../control/motion.ts';
import { fires, rule, runs } from '../effects.ts';
import { regenerate } from '../entities/attribute.ts';
import { destroyEntity } from '../entities/destroy.ts';
import type { Game } from '../game.ts';
import { itemBehaviour } from '../items/item.ts';
import { everyTick, restsUntilMs } from './rest.ts';

export const clock = rule('the clock of the game', ['tick'], fires('secondTick', 'frameTick'));
export const timers = rule('timers', ['tick'], runs('timer', 'later'));

/**
 * Runs one pass over the entities that are awake, newest first (reference: tick#frame, step 5, tick#behaviours). In
 * every pass, life spans and the ranges of projectiles end, and sensors and region bodies move; scripts for queued
 * triggers and all other behaviours run only when a script tick is due. Entities created during the pass wait for the
 * next one. Entities found to have nothing to do sleep until something wakes them.
 */
export function updateEntities(game: Game, scriptTick: boolean, secondsPerScriptTick: number): void {
  const { world } = game;
  const { order } = world;
  const { queue } = world.triggers;
  const { loopMs } = world.clock;
  order.wakeDue(loopMs);
  game.physics.wakeCarried();
  let woken = wakeListeners(world, everyTick);
  for (let at = order.lastAwake(order.entries.length); at >= 0; at = order.lastAwake(at)) {
    const entity = order.entries[at]!;
    if (!world.exists(entity)) continue;
    const released = world.releasedCount;
    game.turnBegins?.(entity);
    updateEntity(game, entity, scriptTick, secondsPerScriptTick);
    if (world.exists(entity)) {
      const untilMs = restsUntilMs(game, entity);
      // Only entries after `at` can have moved: entities that are created or moved to the end come after it.
      if (untilMs > loopMs) order.rest(at, untilMs);
      world.wakeCarried(entity);
    }
    // Scripts that run in a turn can queue triggers for the entities whose turn follows later in the pass.
    if ((queue.bits & ~woken) !== 0) woken = wakeListeners(world, woken);
    if (world.releasedCount !== released) at = game.rules.afterRemovals(world, at, released);
  }
}

/**
 * Wakes entities whose scripts listen to a queued trigger, except for triggers in `woken`, whose listeners are awake
 * already. Returns `woken` plus the queued triggers.
 */
function wakeListeners(world: World, woken: number) {
  const { queue, port } = world.triggers;
  const fresh = queue.bits & ~woken & port.queuedForAny;
  if (fresh !== 0) {
    const { entries } = world.order;
    for (let i = 0; i < entries.length; i++) if ((port.queuedFor(entries[i]!) & fresh) !== 0) world.wake(entries[i]!);
  }
  return woken | queue.bits;
}

/** Continues the pass with the next older entity. */
export function continueWithNext(_world: World, at: number): number {
  return at;
}

/**
 * Continues the pass as the reference does, whose list shifts during the pass: for each older entity that was removed
 * in this turn, the pass goes back to the next newer entity. After one removal, it therefore visits the same entity
 * again (reference: tick#destruction). `released` is the number of entities removed before the turn.
 */
export function goBackByRemovals(world: World, at: number, released: number): number {
  const { entries } = world.order;
  const { serial } = world.components.rows;
  const entity = entries[at]!;
  let back = world.exists(entity) ? -1 : 0;
  const { leaving } = world.entities;
  let older = 0;
  for (let i = released; i < leaving.length; i++) if (serial[rowOf(leaving[i]!)]! < serial[rowOf(entity)]!) older++;
  if (older === 0) return at;
  back += older;
  let position = at;
  while (back > 0 && position + 1 < entries.length) if (world.exists(entries[++position]!)) back--;
  return position + 1;
}

/**
 * Runs the turn of one entity: life span, its scripts for queued triggers, then the behaviour of its kind. A unit casts
 * abilities, faces and moves, runs its AI, fires triggers for starting or stopping, loses expired buffs, and
 * regenerates. An item is used and regenerates, a projectile regenerates, a sensor follows its unit.
 */
function updateEntity(game: Game, entity: Entity, scriptTick: boolean, seconds: number) {
  const { world, physics } = game;
  const c = world.components;
  const row = rowOf(entity);
  const kind = c.identity.kind[row]!;
  if (kind === Kind.item && world.has(entity, Unmounted)) return;
  if (c.lifespan.deathTimeMs[row]! <= world.clock.loopMs) {
    game.rules.endLife(game, entity);
    return;
  }
  if (kind === Kind.projectile && isOutOfRange(world, entity)) {
    destroyEntity(game, entity);
    return;
  }
  if (kind === Kind.sensor) updateSensor(game, entity);
  else if (kind === Kind.region) physics.drainPending(entity);
  if (!scriptTick) return;
  switch (kind) {
    case Kind.unit:
      if (c.visibility.hidden[row] === 1 || !ranOwnScripts(game, entity)) return;
      updateUnit(game, entity, seconds);
      break;
    case Kind.item:
      if (!ranOwnScripts(game, entity)) return;
      itemBehaviour(game, entity);
      if (!world.exists(entity)) return;
      regenerate(game, entity, seconds);
      break;
    case Kind.projectile:
      if (!ranOwnScripts(game, entity)) return;
      regenerate(game, entity, seconds);
      break;
    case Kind.debris:
      break;
    default:
      return;
  }
  if (physics.isWaited(row) && world.exists(entity)) physics.drainPending(entity);
}

/**
 * Runs a pass between two ticks, newest first: destroys entities whose life span ended, moves sensors to their units,
 * and carries out pending moves of region bodies.
 */
export function updateBetweenTicks(game: Game): void {
  const { world } = game;
  const { order } = world;
  const { identity, lifespan } = world.components;
  order.wakeDue(world.clock.loopMs);
  for (let at = order.lastAwake(order.entries.length); at >= 0; at = order.lastAwake(at)) {
    const entity = order.entries[at]!;
    if (!world.exists(entity)) continue;
    if (lifespan.deathTimeMs[rowOf(entity)]! <= world.clock.loopMs) game.rules.endLife(game, entity);
    else if (identity.kind[rowOf(entity)] === Kind.sensor) updateSensor(game, entity);
    else if (identity.kind[rowOf(entity)] === Kind.region) game.physics.drainPending(entity);
  }
}

function updateSensor(game: Game, sensor: Entity) {
  sensorBehaviour(game, sensor);
  game.physics.drainPending(sensor);
}

/** Skips each step that has nothing to do, because most units are idle in most ticks. */
function updateUnit(game: Game, unit: Entity, seconds: number) {
  const { world } = game;
  const c = world.components;
  const row = rowOf(unit);
  if (c.casting[row] !== undefined || c.abilities[row] !== undefined) {
    castAbilities(game, unit);
    if (!world.exists(unit)) return;
  }
  if (c.identity.owner[row] !== noEntity) {
    steerUnit(game, unit);
    if (c.ai[row]?.enabled === true && !isStunned(world, unit)) {
      aiBehaviour(game, unit);
      if (!world.exists(unit)) return;
    }
    if (
      c.ai[row]?.enabled !== true &&
      (c.movement.moving[row] === 1 || c.movement.x[row] !== 0 || c.movement.y[row] !== 0)
    ) {
      fireMovementTriggers(game, unit);
      if (!world.exists(unit)) return;
    }
  }
  if (c.buffs[row] !== undefined) {
    game.rules.expireBuffs(game, unit);
    if (!world.exists(unit)) return;
  }
  regenerate(game, unit, seconds);
}

/** Runs the entity's own scripts for every queued trigger. Returns false if the entity was destroyed. */
function ranOwnScripts(game: Game, entity: Entity) {
  const { queue, port } = game.world.triggers;
  if (queue.bits === 0 || (queue.bits & port.queuedFor(entity)) === 0) return true;
  runQueuedTriggers(game, entity);
  return game.world.exists(entity);
}

/**
 * Runs the entity's own scripts for the triggers that are queued now. Triggers that these scripts queue are left to the
 * entities that follow and to the global scripts (reference: tick#queued-triggers).
 */
function runQueuedTriggers({ world }: Game, entity: Entity) {
  const { queue, port } = world.triggers;
  const waiting = queue.length;
  for (let i = 0; i < waiting && world.exists(entity); i++) {
    const trigger = queue.trigger(i);
    // An earlier script in this loop may have changed the entity's type.
    if (!port.listens(trigger, entity)) continue;
    const payload = queue.payload(i);
    world.triggers.observeQueued(trigger, payload, entity);
    port.runEntity(trigger, entity, payload);
  }
}

/**
 * Runs the global scripts for every queued trigger, first in first out, until the queue is empty (reference:
 * tick#frame, step 9).
 */
export function drainQueue({ world }: Game): void {
  const { queue } = world.triggers;
  for (let i = 0; i < queue.length; i++) {
    const trigger = queue.trigger(i);
    const payload = queue.payload(i);
    world.triggers.observeQueued(trigger, payload);
    world.triggers.port.runGlobal(trigger, payload);
  }
  queue.clear();
}
