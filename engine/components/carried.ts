import { component } from '../ecs/component.ts';
import { i32 } from '../schema/index.ts';

export const Carried = component('carried', {
  /**
   * The slot of the item in its carrier's inventory, counted from 0; -1 if the item is not in a slot. The carrier is
   * `Identity.owner` of the item.
   */
  slot: i32(-1),
});
