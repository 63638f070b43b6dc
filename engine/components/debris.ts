import { component } from '../ecs/component.ts';
import { f64, type Infer, oneOf, record, text } from '../schema/index.ts';

/** A piece of debris of the map, and its place in the map. */
export const debrisState = record({
  /** Its name in the map. */
  name: text(),
  /** px, centre. */
  x: f64(),
  y: f64(),
  /** Radians, clockwise. */
  angle: f64(),
  /** Its body, as the map says it; 0 for what the map leaves open. */
  type: oneOf(['dynamic', 'static', 'kinematic']),
  density: f64(),
  friction: f64(),
  restitution: f64(),
});
export type DebrisState = Infer<typeof debrisState>;

export const Debris = component('debris', debrisState);
