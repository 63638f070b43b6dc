import { component } from '../ecs/component.ts';
import { f64 } from '../schema/index.ts';

/** Of units, until both are over. Code that adds them wakes the unit. */
export const StatusEffects = component('statusEffects', {
  /** Until then it takes no orders from keys or AI; Infinity for a stun that lasts until it is removed, 0 for none. */
  stunEndsAtMs: f64(),
  /** Until then it is slow; 0 for not at all. */
  slowEndsAtMs: f64(),
});
