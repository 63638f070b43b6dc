import { component } from '../ecs/component.ts';
import { entity, f64 } from '../schema/index.ts';

/** The range in which a unit notices others. Where the unit goes, the sensor is woken and follows. */
export const Sensing = component('sensing', {
  /** The circle around the unit; 0 for none. */
  sensor: entity('sensor'),
  /** px. */
  radius: f64(),
});
