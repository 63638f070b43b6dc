import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

/** The velocity that the next physics update applies, in physics units per second (1 unit = 30 px). */
export const Velocity = component('velocity', {
  x: f64(),
  y: f64(),
  /** How the next physics update applies the velocity: 0 not at all, 1 as a velocity, 2 as a force, 3 as an impulse. */
  method: u8(),
});
