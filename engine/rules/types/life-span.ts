import { type Entity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import { destroys, only, rule } from '../effects.ts';

export const lifeSpans = rule(
  'the end of life spans',
  ['tick'],
  destroys('unit'),
  destroys('item'),
  destroys('projectile'),
  destroys('region'),
  only('standard', destroys('debris')),
);

/**
 * Sets an entity to end in `ms` milliseconds; Infinity for never. A string, which scripts can pass only in dialects
 * that follow the reference, is appended to the digits of the time: "250" at 300 ms gives 300250 ms. If the result is
 * not a number, the entity never ends (reference: tick#destruction).
 */
export function setLifeSpan(world: World, entity: Entity, ms: number | string): void {
  const { loopMs } = world.clock;
  const end = typeof ms === 'number' ? loopMs + ms : Number(`${loopMs}${ms}`);
  world.components.lifespan.deathTimeMs[rowOf(entity)] = Number.isNaN(end) ? Infinity : end;
  world.wake(entity);
}

/** Timers of a projectile type or item type, in ms. */
interface LifeTimers {
  readonly lifeSpan: number | undefined;
  readonly destroyTimer: number | undefined;
  readonly explosiveTimer: number | undefined;
}

/**
 * How long a projectile flies or a dropped item lies, in ms; undefined for ever. By the specification (Limits), each of
 * the three timers limits this time. But the engines only read `lifeSpan`, and editors left 1500 or 100000 in the other
 * two, so `lifeSpan` takes precedence if it is given, even if it means no limit.
 */
export function lifeMs({ lifeSpan, destroyTimer, explosiveTimer }: LifeTimers): number | undefined {
  if (lifeSpan !== undefined) return lifeSpan;
  if (destroyTimer === undefined || explosiveTimer === undefined) return destroyTimer ?? explosiveTimer;
  return Math.min(destroyTimer, explosiveTimer);
}
