import { component } from '../ecs/component.ts';
import { json, optional, record, text } from '../schema/index.ts';

/** The last data of each kind that a player's client has sent and scripts can query. */
export const ClientData = component(
  'clientData',
  record({
    /** The answer to an input box. */
    answer: optional(text()),
    /** The page element that was clicked, as described by the client. */
    clicked: json(),
    /** Custom data: flat, with primitive values only. */
    received: json(),
  }),
);
