import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

/** The properties of an entity that physics needs besides its transform. */
export const Body = component('body', {
  /** Scale factor of the body's size, set by scripts; default 1. */
  scale: f64(1),
  /**
   * 1 after a step in which the centre was outside the map; resets to 0 inside, so that the touches-wall triggers can
   * fire again.
   */
  outside: u8(),
});
