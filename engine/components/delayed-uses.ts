import { component } from '../ecs/component.ts';
import { constant, f64, type Infer, list, oneOf, record } from '../schema/index.ts';

/** A part of an item's use that is due after a delay. */
const delayedUse = constant(
  record({
    /**
     * `effect`: everything after the triggers of a use. `strike`: only the hit of a melee weapon. `reload`: the end of
     * reloading.
     */
    part: oneOf(['effect', 'strike', 'reload']),
    dueMs: f64(),
  }),
);
export type DelayedUse = Infer<typeof delayedUse>;

/** The delayed uses of an item, ordered by due time. The component is removed with the last use. */
export const DelayedUses = component('delayedUses', list(delayedUse));
