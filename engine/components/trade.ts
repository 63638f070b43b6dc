import { component } from '../ecs/component.ts';
import { entity, list, optional, record } from '../schema/index.ts';

/** The trade of a player who is trading or has been invited to trade. */
export const Trade = component(
  'trade',
  record({
    /** The player with whom this player trades; 0 for none. */
    partner: entity('player'),
    /** The player who invited this player to trade; 0 for none. */
    askedBy: entity('player'),
    /**
     * The items of both offers when this player accepted them: first the player's own trade slots, then the partner's.
     * Undefined if the player has accepted no offers.
     */
    terms: optional(list(entity('item'))),
  }),
);
