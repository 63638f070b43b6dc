import { hasForm } from '../../physics/body.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { queuedBits, triggerIndex } from '../../world/triggers.ts';
import { aiRestsUntilMs } from '../ai/ai.ts';
import { isSensorInPlace } from '../ai/sensor.ts';
import { effectsEndAtMs } from '../combat/status-effect.ts';
import { isSteeringIdle } from '../control/motion.ts';
import type { Game } from '../game.ts';
import { carrierOf } from '../items/item-state.ts';

/** The result of `restsUntilMs` for an entity that has something to do in every tick. */
const awake = -Infinity;

/**
 * The simulated time, ms, until which an entity sleeps because no part of its turn would change anything. Infinity:
 * until something wakes it. The present time or earlier: the next pass must visit the entity. Every change of a
 * condition below must wake the entity (`World.wake`). test/rules/world/rest.test.ts evaluates this function again for
 * every sleeping entity of the sample games in every tick, and also compares the sample games with runs in which no
 * entity sleeps.
 */
export function restsUntilMs(game: Game, entity: Entity): number {
  const { world, physics } = game;
  const c = world.components;
  const row = rowOf(entity);
  switch (c.identity.kind[row]) {
    case Kind.item:
      return isItemIdle(game, entity)
        ? Math.min(c.lifespan.deathTimeMs[row]!, game.rules.regeneratesAtMs(world, row))
        : awake;
    case Kind.unit:
      return c.visibility.hidden[row] === 1 ? c.lifespan.deathTimeMs[row]! : unitRestsUntilMs(game, entity);
    case Kind.projectile:
      // A projectile with a range may reach its end in any tick.
      return c.projectile[row]!.range !== undefined || physics.isWaited(row) || isListening(game, entity)
        ? awake
        : Math.min(c.lifespan.deathTimeMs[row]!, game.rules.regeneratesAtMs(world, row));
    case Kind.sensor:
      return isSensorInPlace(game, entity) && !physics.isWaited(row) ? c.lifespan.deathTimeMs[row]! : awake;
    case Kind.debris:
    case Kind.region:
      return physics.isWaited(row) ? awake : c.lifespan.deathTimeMs[row]!;
    default:
      return c.lifespan.deathTimeMs[row]!;
  }
}

/** Bits of the triggers that are queued in every script tick, so that their listeners never sleep. */
export const everyTick = queuedBits[triggerIndex('frameTick')]!;

/**
 * Whether scripts of the entity listen to a trigger that is queued now or in every tick. When any other trigger is
 * queued, the pass wakes the entities that listen to it.
 */
function isListening({ world }: Game, entity: Entity) {
  const { port, queue } = world.triggers;
  return (port.queuedFor(entity) & (queue.bits | everyTick)) !== 0;
}

function isItemIdle(game: Game, item: Entity) {
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
 * Whether an item stays in place by itself. A carried item follows its carrier, which wakes the item when the carrier
 * turns, moves or changes. A carried item with a body is moved in every tick, which keeps the body awake, as in the
 * reference.
 */
function staysInPlace({ world, physics }: Game, item: Entity) {
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

function unitRestsUntilMs(game: Game, unit: Entity) {
  const { world, physics } = game;
  const c = world.components;
  const row = rowOf(unit);
  if (!isSteeringIdle(game, unit) || physics.isWaited(row)) return awake;
  if (c.casting[row] !== undefined || c.abilities[row] !== undefined || c.buffs[row] !== undefined) return awake;
  if (isListening(game, unit)) return awake;
  return Math.min(
    c.lifespan.deathTimeMs[row]!,
    effectsEndAtMs(world, unit),
    aiRestsUntilMs(world, unit),
    game.rules.regeneratesAtMs(world, row),
  );
}
