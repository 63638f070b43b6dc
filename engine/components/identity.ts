import { component } from '../ecs/component.ts';
import { f64, i32, u8 } from '../schema/index.ts';

/** The kind, type, state and owner of an entity. Written on creation, and by changes of type, state and owner. */
export const Identity = component('identity', {
  /** The kind of the entity, as an index into `kinds`. */
  kind: u8(),
  /** Index of the runtime type in the table of its kind; -1 for none. */
  type: i32(-1),
  /** Index of the current state in the type's states; -1 for none. */
  state: i32(-1),
  /** The player of a unit, carrier of an item, source unit of a projectile, or unit of a sensor; 0 for none. */
  owner: f64(),
});
