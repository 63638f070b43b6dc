import { component } from '../ecs/component.ts';
import { i32 } from '../schema/index.ts';

export const Carried = component('carried', {
  /** Inventory slot of a carried item, 0-based; -1 when not carried in a slot. The carrier is the item's owner. */
  slot: i32(-1),
});
