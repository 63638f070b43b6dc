import { component } from '../ecs/component.ts';
import { entity, list, optional, record } from '../schema/index.ts';

/** The trade of a player who trades or was invited to. */
export const Trade = component(
  'trade',
  record({
    /** The player it trades with; 0 for none. */
    partner: entity('player'),
    /** The player who invited it to trade; 0 for none. */
    askedBy: entity('player'),
    /** The offers that it accepted: its own trade slots, then its partner's; undefined if it has not accepted. */
    terms: optional(list(entity('item'))),
  }),
);
