import { component } from '../ecs/component.ts';
import { entity, type Infer, list, record } from '../schema/index.ts';
import { ref } from './handle.ts';

const ownedUnits = record({
  /** The units of the player, in the order in which the player acquired them. */
  units: list(entity('unit')),
  /** References to the former members of `units` whose life span has ended, oldest first. */
  expired: list(ref),
  /** The unit that gets the player's keys and mouse; 0 for none. */
  selected: entity('unit'),
});
export type OwnedUnitsState = Infer<typeof ownedUnits>;

/** The units of a player. */
export const OwnedUnits = component('ownedUnits', ownedUnits);
