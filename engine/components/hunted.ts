import { component } from '../ecs/component.ts';
import { entity, list, record } from '../schema/index.ts';

/** The units that hunt a unit. Only in dialects without `attackersStopByAge`. */
export const Hunted = component(
  'hunted',
  record({
    /**
     * The units whose AI targets this unit, in the order in which they first did so. A hunter that becomes idle stays
     * in the list; a hunter that targets another unit is removed.
     */
    by: list(entity('unit')),
  }),
);
