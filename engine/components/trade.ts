import { component } from '../ecs/component.ts';
import { entity, list, optional, record } from '../schema/index.ts';

/** Of players that trade, or were asked to. */
export const Trade = component(
  'trade',
  record({
    /** The player it trades with; 0 for none. */
    partner: entity('player'),
    /** The player that has asked it to trade; 0 for none. */
    askedBy: entity('player'),
    /** The items on offer when it agreed: its own trade slots, then its partner's; undefined while it has not agreed. */
    terms: optional(list(entity('item'))),
  }),
);
