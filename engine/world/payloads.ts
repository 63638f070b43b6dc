import type { Entity } from './entity.ts';

/** Makers of the payloads of direct triggers: a trigger that no script listens to makes none. */
export const payloadOf = {
  nothing: () => ({}),
  entity: (entity: Entity) => ({ entity }),
  unit: (unit: Entity) => ({ unit }),
  player: (player: Entity) => ({ player }),
  unitAndItem: (unit: Entity, item: Entity) => ({ unit, item }),
  unitAndPlayer: (unit: Entity, player: Entity) => ({ unit, player }),
  itemAndPlayer: (item: Entity, player: Entity) => ({ item, player }),
};
