import { component } from '../ecs/component.ts';
import { entity, record } from '../schema/index.ts';

/** Of an item while its carrier has its passive bonuses. */
export const PassiveBonus = component(
  'passiveBonus',
  record({
    /** The player who has its bonuses for players; 0 for none. */
    player: entity('player'),
  }),
);
