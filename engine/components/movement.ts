import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

/** The direction in which a unit wants to move. */
export const Movement = component('movement', {
  /** Per axis: -1, 0 or 1. Set by keys or scripts. */
  x: f64(),
  y: f64(),
  /** 1 from the trigger `unitStartsMoving` until `unitStopsMoving`. */
  moving: u8(),
});
