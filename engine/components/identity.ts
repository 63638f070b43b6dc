import { component } from '../ecs/component.ts';
import { f64, i32, u8 } from '../schema/index.ts';

/** What an entity is, and whose. Written by creation, changes of type and of state, and by what changes hands. */
export const Identity = component('identity', {
  /** A number of `Kind`. */
  kind: u8(),
  /** Index of the runtime type in the table of its kind; -1 for none. */
  type: i32(-1),
  /** Index of the current state in the type's states; -1 for none. */
  state: i32(-1),
  /** Unit: owning player. Item: carrying unit. Projectile: source unit. Sensor: watched-for unit. */
  owner: f64(),
});
