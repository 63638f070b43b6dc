import { component } from '../ecs/component.ts';
import { f64, list, record, text } from '../schema/index.ts';

const buff = record({
  attribute: text(),
  /** The amount that is taken back from the maximum when it ends. */
  amount: f64(),
  /** The amount that was really added to the value, taken back with it. */
  gained: f64(),
  endsAtMs: f64(),
});

/** Of units, while there are any; in the order they came. */
export const Buffs = component('buffs', list(buff));
