import { component } from '../ecs/component.ts';
import { entity, record } from '../schema/index.ts';

/** Present on an item while its carrier has the item's passive bonuses. */
export const PassiveBonus = component(
  'passiveBonus',
  record({
    /** The player who got the item's bonuses for players; 0 for none. */
    player: entity('player'),
  }),
);
