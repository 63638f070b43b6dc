import { component } from '../ecs/component.ts';
import { entity, f64 } from '../schema/index.ts';

/** A unit's sensor. When the unit moves, the sensor is woken and follows. */
export const Sensing = component('sensing', {
  /** The sensor entity, a circle around the unit; 0 for none. */
  sensor: entity('sensor'),
  /** The radius of the circle, px. */
  radius: f64(),
});
