import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

/** How an item is held by its carrier. */
export const Hold = component('hold', {
  /** The position at which the item was held in the last tick, relative to the carrier's centre, px. */
  anchorX: f64(),
  anchorY: f64(),
  /**
   * The angle that the item gets when it is dropped, radians. Usually the angle at which the item was held in the last
   * tick, including the rotation of the unit's anchor.
   */
  dropAngle: f64(),
  /** 1 if the item turns in the direction in which its carrier aims. */
  aims: u8(),
});
