import { type Entity, Kind, rowOf } from '../world/entity.ts';
import { castAbilities } from './ability.ts';
import { aiBehaviour } from './ai.ts';
import { regenerate } from './attribute.ts';
import { expireBuffs } from './buff.ts';
import { destroyEntity } from './destroy.ts';
import type { Game } from './game.ts';
import { itemBehaviour } from './item.ts';
import { noticeMovement, steerUnit } from './motion.ts';
import { sensorBehaviour } from './sensor.ts';

/**
 * One pass over all entities, newest first (reference: tick.md §3.5, §6): life spans at every pass; scripts for waiting triggers and
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
    if (kind === Kind.sensor) {
      sensorBehaviour(game, entity);
      continue;
    }
    if (kind !== Kind.unit && kind !== Kind.item && kind !== Kind.projectile && kind !== Kind.debris) continue;
    if (c.deathTimeMs[row]! <= world.nowMs) {
      destroyEntity(game, entity);
      continue;
    }
    if (!scriptTick) continue;
    if (kind === Kind.debris) {
      game.physics.drainPending(entity);
      continue;
    }
    if (kind === Kind.unit) {
      if (c.hidden[row] === 1) continue;
      hearQueue(game, entity);
      if (world.exists(entity)) updateUnit(game, entity, secondsPerScriptTick);
    } else {
      hearQueue(game, entity);
      if (kind === Kind.item && world.exists(entity)) itemBehaviour(game, entity);
    }
    if (!world.exists(entity)) continue;
    if (kind !== Kind.unit) regenerate(game, entity, secondsPerScriptTick);
    if (world.exists(entity)) game.physics.drainPending(entity);
  }
}

function updateUnit(game: Game, unit: Entity, seconds: number): void {
  const { world } = game;
  castAbilities(game, unit);
  if (!world.exists(unit)) return;
  if (world.columns.owner[rowOf(unit)] !== 0) {
    steerUnit(game, unit);
    aiBehaviour(game, unit);
    if (!world.exists(unit)) return;
    noticeMovement(game, unit);
    if (!world.exists(unit)) return;
  }
  expireBuffs(game, unit);
  if (world.exists(unit)) regenerate(game, unit, seconds);
}

/**
 * The entity's own scripts hear every trigger that waits now; what these scripts add is for the entities after it, and for the global
 * scripts (reference: tick.md §4).
 */
function hearQueue(game: Game, entity: Entity): void {
  const { world } = game;
  if (world.queue.length === 0 || !world.port.hearsQueued(entity)) return;
  const waiting = world.queue.length;
  for (let i = 0; i < waiting && world.exists(entity); i++) {
    const { trigger, payload } = world.queue[i]!;
    world.observeQueued(trigger, payload, entity);
    world.port.runEntity(trigger, entity, payload);
  }
}

/** The global scripts hear what waits, first come first served, and what that adds, until nothing does (reference: tick.md §3.9). */
export function drainQueue(game: Game): void {
  const { world } = game;
  const { queue } = world;
  for (let i = 0; i < queue.length; i++) {
    const { trigger, payload } = queue[i]!;
    world.observeQueued(trigger, payload);
    world.port.runGlobal(trigger, payload);
  }
  queue.length = 0;
}
