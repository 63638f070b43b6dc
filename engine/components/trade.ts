import { component } from '../ecs/component.ts';
import { entity, list, optional, record } from '../schema/index.ts';

/** Of players that trade, or were asked to. */
export const Trade = component(
  'trade',
  record({
    /** Whom it trades with; 0 for nobody. */
    partner: entity('player'),
    /** Who has asked it to trade; 0 for nobody. */
    askedBy: entity('player'),
    /** What lay on the table when it agreed: its own trade slots, then its partner's; undefined while it has not agreed. */
    terms: optional(list(entity('item'))),
  }),
);
