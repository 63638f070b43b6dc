import { component } from '../ecs/component.ts';
import { json, optional, record, text } from '../schema/index.ts';

/** Of players whose client has sent something that scripts can ask for: the last of each. */
export const ClientData = component(
  'clientData',
  record({
    /** The answer to an input box. */
    answer: optional(text()),
    /** The element of the page that was clicked, as the client says it. */
    clicked: json(),
    /** Flat, of plain values. */
    received: json(),
  }),
);
