import { hasForm } from '../../physics/body.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { queuedBits, triggerIndex } from '../../world/triggers.ts';
import { aiRestsUntilMs } from '../ai/ai.ts';
import { isSensorInPlace } from '../ai/sensor.ts';
import { effectsEndAtMs } from '../combat/status-effect.ts';
import { isUnsteered } from '../control/motion.ts';
import type { Game } from '../game.ts';
import { carrierOf } from '../items/item-state.ts';

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
      // One that is bounded by its way ends where that is over, in any tick.
      return c.projectile[row]!.range !== undefined || physics.isWaited(row) || isListening(game, entity)
        ? awake
        : Math.min(c.lifespan.deathTimeMs[row]!, game.chosen.regeneratesAtMs(world, row));
    case Kind.sensor:
      return isSensorInPlace(game, entity) && !physics.isWaited(row) ? c.lifespan.deathTimeMs[row]! : awake;
    case Kind.debris:
    case Kind.region:
      return physics.isWaited(row) ? awake : c.lifespan.deathTimeMs[row]!;
    default:
      return c.lifespan.deathTimeMs[row]!;
  }
}

/** Bits of the triggers that are queued in every tick in which scripts run, so that their listeners never rest. */
export const everyTick = queuedBits[triggerIndex('frameTick')]!;

/** Whether scripts of the entity listen to what waits now or in every tick. The pass wakes the listeners of other triggers when one is queued. */
function isListening({ world }: Game, entity: Entity): boolean {
  const { port, queue } = world.triggers;
  return (port.queuedFor(entity) & (queue.bits | everyTick)) !== 0;
}

function isItemIdle(game: Game, item: Entity): boolean {
  const { world, physics } = game;
  const { itemUse } = world.components;
  const row = rowOf(item);
  return (
    staysInPlace(game, item) &&
    itemUse.usePending[row] === 0 &&
    itemUse.beingUsed[row] === 0 &&
    world.components.delayedUses[row] === undefined &&
    !physics.isWaited(row) &&
    !isListening(game, item)
  );
}

/**
 * Whether an item goes nowhere by itself. A carried one goes where its carrier goes, which wakes it with its turns, its body and its changes. One with
 * a body is put there again in every tick, which keeps the body awake, as in the reference.
 */
function staysInPlace({ world, physics }: Game, item: Entity): boolean {
  const row = rowOf(item);
  const c = world.components;
  if (c.identity.owner[row] === noEntity) return true;
  const carrier = carrierOf(world, item);
  if (carrier === noEntity) return true;
  return (
    !physics.hasBody(item) &&
    !hasForm(c.bodyType[row]) &&
    !world.order.isAwake(carrier) &&
    physics.isWithCarrier(item, carrier) &&
    c.inventory[rowOf(carrier)]!.slots.includes(item)
  );
}

function unitRestsUntilMs(game: Game, unit: Entity): number {
  const { world, physics } = game;
  const c = world.components;
  const row = rowOf(unit);
  if (!isUnsteered(game, unit) || physics.isWaited(row)) return awake;
  if (c.casting[row] !== undefined || c.abilities[row] !== undefined || c.buffs[row] !== undefined) return awake;
  if (isListening(game, unit)) return awake;
  return Math.min(
    c.lifespan.deathTimeMs[row]!,
    effectsEndAtMs(world, unit),
    aiRestsUntilMs(world, unit),
    game.chosen.regeneratesAtMs(world, row),
  );
}
