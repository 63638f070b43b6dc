import { component } from '../ecs/component.ts';
import { f64 } from '../schema/index.ts';

export const Lifespan = component('lifespan', {
  /**
   * Simulated time at which the entity is destroyed; Infinity for never. Code that sets it must wake the entity: see
   * `setLifeSpan`.
   */
  deathTimeMs: f64(Infinity),
});
