import type { Entity } from './entity.ts';

/**
 * Functions that build the payloads of direct triggers. `fireGlobal` and `fireEntity` call these functions only if the
 * trigger has a listener, to save the allocation.
 */
export const payloadOf = {
  nothing: () => ({}),
  entity: (entity: Entity) => ({ entity }),
  unit: (unit: Entity) => ({ unit }),
  player: (player: Entity) => ({ player }),
  unitAndItem: (unit: Entity, item: Entity) => ({ unit, item }),
  unitAndPlayer: (unit: Entity, player: Entity) => ({ unit, player }),
  itemAndPlayer: (item: Entity, player: Entity) => ({ item, player }),
};
