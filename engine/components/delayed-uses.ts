import { component } from '../ecs/component.ts';
import { constant, f64, type Infer, list, oneOf, record } from '../schema/index.ts';

/** A use of an item that is due when a delay is over. */
const delayedUse = constant(
  record({
    /** `effect`: everything after the triggers of a use. `strike`: only the blow of a melee weapon. `reload`: its ammunition is back. */
    part: oneOf(['effect', 'strike', 'reload']),
    dueMs: f64(),
  }),
);
export type DelayedUse = Infer<typeof delayedUse>;

/** Of items, while there are any; in the order they fall due. */
export const DelayedUses = component('delayedUses', list(delayedUse));
