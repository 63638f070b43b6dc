import { component } from '../ecs/component.ts';
import { entity, type Infer, list, record } from '../schema/index.ts';
import { ref } from './handle.ts';

const ownedUnits = record({
  /** In the order in which the player came to own them. */
  units: list(entity('unit')),
  /** Handles of those of `units` whose life span is over, oldest first. */
  expired: list(ref),
  /** The one that gets its keys and mouse; 0 for none. */
  selected: entity('unit'),
});
export type OwnedUnitsState = Infer<typeof ownedUnits>;

/** The units of a player. */
export const OwnedUnits = component('ownedUnits', ownedUnits);
