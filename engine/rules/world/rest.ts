import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { aiRestsUntilMs } from '../ai/ai.ts';
import { isSensorInPlace } from '../ai/sensor.ts';
import { effectsEndAtMs } from '../combat/status-effect.ts';
import { isUnsteered } from '../control/motion.ts';
import type { Game } from '../game.ts';

/** Of an entity that has something to do in every tick. */
const awake = Number.NEGATIVE_INFINITY;

/**
 * Simulated ms until which an entity rests: each part of its turn would leave everything as it is. Infinity until something wakes it. The present time or
 * an earlier one for an entity that the next pass has to visit. Each change of a condition below wakes the entity (`World.wake`).
 * test/rules/world/rest.test.ts asks again for every sleeper of the samples in every tick. It also plays them beside a twin without rest.
 */
export function restsUntilMs(game: Game, entity: Entity): number {
  const { world, physics } = game;
  const c = world.components;
  const row = rowOf(entity);
  switch (c.identity.kind[row]) {
    case Kind.item:
      return isItemIdle(game, entity)
        ? Math.min(c.lifespan.deathTimeMs[row]!, game.chosen.regeneratesAtMs(world, row))
        : awake;
    case Kind.unit:
      return c.visibility.hidden[row] === 1 ? c.lifespan.deathTimeMs[row]! : unitRestsUntilMs(game, entity);
    case Kind.projectile:
      return awake;
    case Kind.sensor:
      return isSensorInPlace(game, entity) && !physics.isWaited(row) ? c.lifespan.deathTimeMs[row]! : awake;
    case Kind.debris:
      return physics.isWaited(row) ? awake : c.lifespan.deathTimeMs[row]!;
    default:
      return c.lifespan.deathTimeMs[row]!;
  }
}

function isItemIdle({ world, physics }: Game, item: Entity): boolean {
  const { identity, itemUse } = world.components;
  const row = rowOf(item);
  return (
    identity.owner[row] === noEntity &&
    itemUse.usePending[row] === 0 &&
    itemUse.beingUsed[row] === 0 &&
    world.components.delayedUses[row] === undefined &&
    !physics.isWaited(row) &&
    !world.triggers.port.listensToQueued(item)
  );
}

function unitRestsUntilMs(game: Game, unit: Entity): number {
  const { world, physics } = game;
  const c = world.components;
  const row = rowOf(unit);
  if (!isUnsteered(game, unit) || physics.isWaited(row)) return awake;
  if (c.casting[row] !== undefined || c.abilities[row] !== undefined || c.buffs[row] !== undefined) return awake;
  if (world.triggers.port.listensToQueued(unit)) return awake;
  return Math.min(
    c.lifespan.deathTimeMs[row]!,
    effectsEndAtMs(world, unit),
    aiRestsUntilMs(world, unit),
    game.chosen.regeneratesAtMs(world, row),
  );
}
