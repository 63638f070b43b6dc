import { type Entity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';

/** The entity ends in so many ms; Infinity for never. */
export function setLifeSpan(world: World, entity: Entity, ms: number): void {
  world.components.lifespan.deathTimeMs[rowOf(entity)] = world.nowMs + ms;
  world.wake(entity);
}

/** Timers of a projectile type or item type, in ms. */
export interface LifeTimers {
  readonly lifeSpan: number | undefined;
  readonly destroyTimer: number | undefined;
  readonly explosiveTimer: number | undefined;
}

/**
 * How long a projectile flies and a dropped item lies, in ms; undefined for ever. All three timers bound that (specification, Limits), but only
 * `lifeSpan` was ever read, and editors left the others at 1500 or 100000 beside it: where it says something, for ever included, it is believed.
 */
export function lifeMs({ lifeSpan, destroyTimer, explosiveTimer }: LifeTimers): number | undefined {
  if (lifeSpan !== undefined) return lifeSpan;
  if (destroyTimer === undefined || explosiveTimer === undefined) return destroyTimer ?? explosiveTimer;
  return Math.min(destroyTimer, explosiveTimer);
}
