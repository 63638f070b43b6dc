import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

/** Where a unit wants to go. */
export const Movement = component('movement', {
  /** The direction that keys, AI or scripts ask for: -1, 0, 1. */
  x: f64(),
  y: f64(),
  /** 1 between unitStartsMoving and unitStopsMoving. */
  moving: u8(),
});
