import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

/** How an item is held by its carrier. */
export const Hold = component('hold', {
  /** Where it is held relative to its carrier's centre, as of the last tick (px). */
  anchorX: f64(),
  anchorY: f64(),
  /** How it lies when it is dropped, radians: as it was held at the last tick, the turn of the unit's anchor included. */
  dropAngle: f64(),
  /** 1 where it turns to where its carrier aims. */
  aims: u8(),
});
