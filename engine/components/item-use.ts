import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

/** The use of an item by its carrier. Code that sets `beingUsed` or `usePending` must wake the item. */
export const ItemUse = component('itemUse', {
  beingUsed: u8(),
  /** 1 if a use is pending, which happens even if the item stops being used before its tick. */
  usePending: u8(),
  /** Simulated time of the last use; -Infinity before the first. */
  usedAtMs: f64(Number.NEGATIVE_INFINITY),
  fireRateMs: f64(),
});
