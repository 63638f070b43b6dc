import { component } from '../ecs/component.ts';
import { optional, record, text } from '../schema/index.ts';

/** The windows that scripts have opened on a player's page, and its style. */
export const Page = component(
  'page',
  record({
    /** The shop that it buys from, also after it was closed. */
    shop: optional(text()),
    /** The dialogue that it can choose an option of. */
    dialogue: optional(text()),
    /** The style sheet of scripts. */
    css: text(),
  }),
);
