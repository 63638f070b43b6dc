import { component } from '../ecs/component.ts';
import { entity, list, record } from '../schema/index.ts';

/** The units that hunt a unit, in dialects without `attackersStopByAge`. */
export const Hunted = component(
  'hunted',
  record({
    /**
     * The units that aimed at it, in the order in which they first did. A hunter that becomes idle keeps its place; one
     * that aims at another unit loses it.
     */
    by: list(entity('unit')),
  }),
);
