import { component } from '../ecs/component.ts';
import { entity, type Infer, list, record } from '../schema/index.ts';
import { ref } from './handle.ts';

const ownedUnits = record({
  /** In the order in which the player got them. */
  units: list(entity('unit')),
  /** References to those of `units` whose life span ended, oldest first. */
  expired: list(ref),
  /** The unit that gets the player's keys and mouse; 0 for none. */
  selected: entity('unit'),
});
export type OwnedUnitsState = Infer<typeof ownedUnits>;

/** The units of a player. */
export const OwnedUnits = component('ownedUnits', ownedUnits);
