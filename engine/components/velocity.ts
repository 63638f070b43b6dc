import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

/** The velocity that the next physics update applies, in physics units per second (1 unit = 30 px). */
export const Velocity = component('velocity', {
  x: f64(),
  y: f64(),
  /** How it is applied: 0 not at all, 1 velocity, 2 force, 3 impulse. */
  method: u8(),
});
