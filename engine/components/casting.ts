import type { Cost } from '../definition/ability.ts';
import { component } from '../ecs/component.ts';
import { constant, f64, flag, type Infer, list, map, oneOf, part, record, text } from '../schema/index.ts';

/** An ability in use or cooling down. Times are simulated ms; Infinity where the ability sets none. */
const abilityUse = record({ active: flag(), coolsAtMs: f64(), endsAtMs: f64() });
export type AbilityUse = Infer<typeof abilityUse>;

/** By id, of units, while there are any. */
export const Abilities = component('abilities', map(text(), abilityUse));

/** A cast that waits for the unit's next tick. `script` is a script key; `event` and `ability` belong to the newer shape. */
const queuedCast = constant(
  record({
    kind: oneOf(['script', 'builtIn', 'startCasting', 'stopCasting']),
    /** Script key, name of what is built in, or ability id. */
    name: text(),
    cost: part<Cost>('cost'),
    /** Where the definition asks for it, as faults name places. */
    place: text(),
  }),
);
export type QueuedCast = Infer<typeof queuedCast>;

/** Of units, while there are any; first in first out. */
export const Casting = component('casting', list(queuedCast));
