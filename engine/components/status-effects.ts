import { component } from '../ecs/component.ts';
import { f64 } from '../schema/index.ts';

/**
 * The stun and the slow of a unit, with times in simulated ms. The component is removed when both have ended. Code that
 * adds the component must wake the unit.
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
