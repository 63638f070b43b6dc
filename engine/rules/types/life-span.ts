import { type Entity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';

/** The entity ends in so many ms; Infinity for never. */
export function setLifeSpan(world: World, entity: Entity, ms: number): void {
  world.change.lifespan(rowOf(entity)).deathTimeMs[rowOf(entity)] = world.clock.loopMs + ms;
  world.wake(entity);
}

/** Timers of a projectile type or item type, in ms. */
export interface LifeTimers {
  readonly lifeSpan: number | undefined;
  readonly destroyTimer: number | undefined;
  readonly explosiveTimer: number | undefined;
}

/**
 * How long a projectile flies and a dropped item lies, in ms; undefined for ever. All three timers bound that (specification, Limits). The engines
 * only read `lifeSpan`, and editors left 1500 or 100000 in the others. So `lifeSpan` decides where it is given, for ever included.
 */
export function lifeMs({ lifeSpan, destroyTimer, explosiveTimer }: LifeTimers): number | undefined {
  if (lifeSpan !== undefined) return lifeSpan;
  if (destroyTimer === undefined || explosiveTimer === undefined) return destroyTimer ?? explosiveTimer;
  return Math.min(destroyTimer, explosiveTimer);
}
