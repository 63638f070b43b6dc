import { component } from '../ecs/component.ts';
import { f64, type Infer, oneOf, record, text } from '../schema/index.ts';

/** A piece of debris, with its position and the properties of its body as given by the map. */
export const debrisState = record({
  /** The name of the debris in the map. */
  name: text(),
  /** The position of the centre, px. */
  x: f64(),
  y: f64(),
  /** The angle in radians, clockwise. */
  angle: f64(),
  /** The properties of the body. A property that the map does not give is 0. */
  type: oneOf(['dynamic', 'static', 'kinematic']),
  density: f64(),
  friction: f64(),
  restitution: f64(),
});
export type DebrisState = Infer<typeof debrisState>;

export const Debris = component('debris', debrisState);
