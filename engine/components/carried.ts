import { component } from '../ecs/component.ts';
import { i32 } from '../schema/index.ts';

export const Carried = component('carried', {
  /** Slot of a carried item, counted from 0; -1 if it is not in a slot. Its carrier is its `Identity.owner`. */
  slot: i32(-1),
});
