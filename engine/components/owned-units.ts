import { component } from '../ecs/component.ts';
import { entity, type Infer, list, record } from '../schema/index.ts';

export const ownedUnits = record({
  /** In the order in which the player came to own them. */
  units: list(entity('unit')),
  /** The one that gets its keys and mouse; 0 for none. */
  selected: entity('unit'),
});
export type OwnedUnitsState = Infer<typeof ownedUnits>;

/** The units of a player. */
export const OwnedUnits = component('ownedUnits', ownedUnits);
