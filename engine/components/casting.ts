import type { Cost } from '../definition/ability.ts';
import { component } from '../ecs/component.ts';
import { constant, f64, flag, type Infer, list, map, oneOf, part, record, text } from '../schema/index.ts';

/** An ability that is active or cooling down. Times are in simulated ms; Infinity if the ability has no such time. */
const abilityUse = record({ active: flag(), coolsAtMs: f64(), endsAtMs: f64() });
export type AbilityUse = Infer<typeof abilityUse>;

/** The abilities that a unit uses or that are cooling down, by id. The component is removed with the last ability. */
export const Abilities = component('abilities', map(text(), abilityUse));

/**
 * A cast that waits for the unit's next tick. The kinds `startCasting` and `stopCasting` start and stop abilities in
 * the newer form (a unit type's `controls.unitAbilities`).
 */
const queuedCast = constant(
  record({
    kind: oneOf(['script', 'builtIn', 'startCasting', 'stopCasting']),
    /** A script key, the name of a built-in ability, or an ability id. */
    name: text(),
    cost: part<Cost>('cost'),
    /** Source location of the action that requested the cast, for faults. */
    place: text(),
  }),
);
export type QueuedCast = Infer<typeof queuedCast>;

/** The casts queued for a unit, first in, first out. The component is removed with the last cast. */
export const Casting = component('casting', list(queuedCast));
