import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

/** The properties of an entity that physics needs besides its transform. */
export const Body = component('body', {
  /** Scale factor of the body's size, set by scripts; default 1. */
  scale: f64(1),
  /**
   * 1 while the centre of the entity is outside the map. Reset to 0 when the centre is back inside, so that the
   * triggers for touching a wall can fire again.
   */
  outside: u8(),
});
