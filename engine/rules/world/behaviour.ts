import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { aiBehaviour } from '../ai/ai.ts';
import { expireBuffs } from '../combat/buff.ts';
import { isSpent } from '../combat/projectile.ts';
import { isStunned } from '../combat/status-effect.ts';
import { castAbilities } from '../control/ability.ts';
import { noticeMovement, steerUnit } from '../control/motion.ts';
import { isRegenerating, regenerate } from '../entities/attribute.ts';
import { destroyEntity } from '../entities/destroy.ts';
import type { Game } from '../game.ts';
import { itemBehaviour } from '../items/item.ts';
import { sensorBehaviour } from './sensor.ts';

/**
 * One pass over all entities, newest first (reference: tick#frame, step 5, tick#behaviours): life spans at every pass; scripts for waiting triggers and
 * behaviours only when a script tick is due. Entities made during the pass wait for the next one.
 */
export function updateEntities(game: Game, scriptTick: boolean, secondsPerScriptTick: number): void {
  const { world } = game;
  const { entries } = world.order;
  const c = world.columns;
  for (let i = entries.length - 1; i >= 0; i--) {
    const entity = entries[i]!;
    if (!world.exists(entity)) continue;
    const row = rowOf(entity);
    const kind = c.kind[row]!;
    if (c.deathTimeMs[row]! <= world.nowMs || (kind === Kind.projectile && isSpent(world, entity))) {
      destroyEntity(game, entity);
      continue;
    }
    if (kind === Kind.sensor) {
      sensorBehaviour(game, entity);
      continue;
    }
    if (kind !== Kind.unit && kind !== Kind.item && kind !== Kind.projectile && kind !== Kind.debris) continue;
    if (!scriptTick) continue;
    if (kind === Kind.debris) {
      game.physics.drainPending(entity);
      continue;
    }
    if (kind === Kind.unit) {
      if (c.hidden[row] === 1) continue;
      if (hearQueue(game, entity)) updateUnit(game, entity, secondsPerScriptTick);
    } else {
      if (kind === Kind.item && isResting(game, entity, row)) continue;
      if (!hearQueue(game, entity)) continue;
      if (kind === Kind.item) {
        itemBehaviour(game, entity);
        if (!world.exists(entity)) continue;
      }
      regenerate(game, entity, secondsPerScriptTick);
    }
    if (game.physics.isWaited(row) && world.exists(entity)) game.physics.drainPending(entity);
  }
}

/** Those whose life span is over are destroyed, newest first; nothing else happens. */
export function endLifeSpans(game: Game): void {
  const { world } = game;
  const { entries } = world.order;
  const { deathTimeMs } = world.columns;
  for (let i = entries.length - 1; i >= 0; i--) {
    const entity = entries[i]!;
    if (deathTimeMs[rowOf(entity)]! <= world.nowMs && world.exists(entity)) destroyEntity(game, entity);
  }
}

/**
 * Whether nothing of the pass concerns an item: it lies about, as thousands may. The columns say so for all that was never used; what was may
 * have parts of a use to come.
 */
function isResting({ world, physics }: Game, item: Entity, row: number): boolean {
  const c = world.columns;
  return (
    c.owner[row] === noEntity &&
    c.usedAtMs[row] === Number.NEGATIVE_INFINITY &&
    c.usePending[row] === 0 &&
    c.beingUsed[row] === 0 &&
    !isRegenerating(world, row) &&
    !physics.isWaited(row) &&
    (world.queue.length === 0 || !world.port.hearsQueued(item))
  );
}

/** Each part is entered only where it has something to do: most units, in most ticks, just stand there. */
function updateUnit(game: Game, unit: Entity, seconds: number): void {
  const { world } = game;
  const c = world.columns;
  const row = rowOf(unit);
  const { castQueue, abilities } = world.units[row]!;
  if (castQueue.length > 0 || abilities.size > 0) {
    castAbilities(game, unit);
    if (!world.exists(unit)) return;
  }
  if (c.owner[row] !== noEntity) {
    steerUnit(game, unit);
    if (c.ai[row] === 1 && !isStunned(world, unit)) {
      aiBehaviour(game, unit);
      if (!world.exists(unit)) return;
    }
    if (c.ai[row] === 0 && (c.moving[row] === 1 || c.moveX[row] !== 0 || c.moveY[row] !== 0)) {
      noticeMovement(game, unit);
      if (!world.exists(unit)) return;
    }
  }
  if (world.units[row]!.buffs.length > 0) {
    expireBuffs(game, unit);
    if (!world.exists(unit)) return;
  }
  regenerate(game, unit, seconds);
}

/**
 * The entity's own scripts hear every trigger that waits now; what these scripts add is for the entities after it, and for the global
 * scripts (reference: tick#queued-triggers). False when that was the end of the entity.
 */
function hearQueue(game: Game, entity: Entity): boolean {
  const { world } = game;
  if (world.queue.length === 0 || !world.port.hearsQueued(entity)) return true;
  const waiting = world.queue.length;
  for (let i = 0; i < waiting && world.exists(entity); i++) {
    const trigger = world.queue.trigger(i);
    const payload = world.queue.payload(i);
    world.observeQueued(trigger, payload, entity);
    world.port.runEntity(trigger, entity, payload);
  }
  return world.exists(entity);
}

/** The global scripts hear what waits, first come first served, and what that adds, until nothing does (reference: tick#frame, step 9). */
export function drainQueue(game: Game): void {
  const { world } = game;
  const { queue } = world;
  for (let i = 0; i < queue.length; i++) {
    const trigger = queue.trigger(i);
    const payload = queue.payload(i);
    world.observeQueued(trigger, payload);
    world.port.runGlobal(trigger, payload);
  }
  queue.clear();
}
