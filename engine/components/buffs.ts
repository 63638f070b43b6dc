import { component } from '../ecs/component.ts';
import { f64, list, record, text } from '../schema/index.ts';

const buff = record({
  attribute: text(),
  /** The amount by which the buff raised the maximum; subtracted from the maximum when the buff ends. */
  amount: f64(),
  /**
   * The amount by which the value actually rose, which the old maximum limits; subtracted from the value when the buff
   * ends.
   */
  gained: f64(),
  endsAtMs: f64(),
});

/** The timed buffs of a unit, in the order in which they were added. The component is removed with the last buff. */
export const Buffs = component('buffs', list(buff));
