import { component } from '../ecs/component.ts';
import { f64, type Infer, record, text } from '../schema/index.ts';

const regionState = record({
  /** The name of the global region variable to which the region belongs. */
  name: text(),
  /** Top-left corner and size, px. */
  x: f64(),
  y: f64(),
  width: f64(),
  height: f64(),
});
export type RegionState = Infer<typeof regionState>;

/** A rectangle of the map in px: top-left corner and size. */
export type Area = Readonly<Pick<RegionState, 'x' | 'y' | 'width' | 'height'>>;

export const Region = component('region', regionState);
