import { component } from '../ecs/component.ts';
import { f64, flag, type Infer, record, text } from '../schema/index.ts';
import { point } from './point.ts';

export const itemState = record({
  description: text(),
  /** Where the item is held relative to its carrier's centre, as of the last tick (px). */
  anchor: point,
  /** How it lies when it is dropped, radians: as it was held at the last tick, the turn of the unit's anchor included. */
  dropAngle: f64(),
  /** Whether it turns to where its carrier aims. */
  aims: flag(),
});
export type ItemState = Infer<typeof itemState>;

export const Item = component('item', itemState);
