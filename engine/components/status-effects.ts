import { component } from '../ecs/component.ts';
import { f64 } from '../schema/index.ts';

/**
 * Stun and slow of a unit, times in simulated ms. Removed when both have ended. Code that adds it must wake the unit.
 */
export const StatusEffects = component('statusEffects', {
  /**
   * When the stun ends: until then the unit ignores keys and AI. Infinity for a stun that lasts until removed, 0 for
   * none.
   */
  stunEndsAtMs: f64(),
  /** When the slow ends; 0 for none. */
  slowEndsAtMs: f64(),
});
