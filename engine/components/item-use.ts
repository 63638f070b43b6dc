import { component } from '../ecs/component.ts';
import { f64, u8 } from '../schema/index.ts';

/** The use of an item by its carrier. Code that sets `beingUsed` or `usePending` must wake the item. */
export const ItemUse = component('itemUse', {
  beingUsed: u8(),
  /** 1 if the item will be used in its next tick, even if its carrier stops using it before then. */
  usePending: u8(),
  /** Simulated time of the last use, ms; -Infinity before the first. */
  usedAtMs: f64(-Infinity),
  fireRateMs: f64(),
});
