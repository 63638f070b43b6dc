import { type Entity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';

/**
 * The entity ends in so many ms; Infinity for never. A text, which scripts give in the reference only, is appended to the time, as "250" at 300 ms is
 * 300250 ms; what is no time then never comes (reference: tick#destruction).
 */
export function setLifeSpan(world: World, entity: Entity, ms: number | string): void {
  const { loopMs } = world.clock;
  const end = typeof ms === 'number' ? loopMs + ms : Number(`${loopMs}${ms}`);
  world.components.lifespan.deathTimeMs[rowOf(entity)] = Number.isNaN(end) ? Number.POSITIVE_INFINITY : end;
  world.wake(entity);
}

/** Timers of a projectile type or item type, in ms. */
interface LifeTimers {
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
