import { component } from '../ecs/component.ts';
import { f64, type Infer, oneOf, record, text } from '../schema/index.ts';

/** A piece of debris, with its position in the map. */
export const debrisState = record({
  /** Its name in the map. */
  name: text(),
  /** px, centre. */
  x: f64(),
  y: f64(),
  /** Radians, clockwise. */
  angle: f64(),
  /** The properties of its body as given by the map; 0 for those that the map does not give. */
  type: oneOf(['dynamic', 'static', 'kinematic']),
  density: f64(),
  friction: f64(),
  restitution: f64(),
});
export type DebrisState = Infer<typeof debrisState>;

export const Debris = component('debris', debrisState);
