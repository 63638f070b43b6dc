import { component } from '../ecs/component.ts';
import { optional, record, text } from '../schema/index.ts';

/** The windows that scripts have opened on a player's page, and their style sheet. */
export const Page = component(
  'page',
  record({
    /**
     * The shop from which the player can buy, even after its window was closed; undefined before the first shop is
     * opened.
     */
    shop: optional(text()),
    /** The dialogue in which the player can choose an option. */
    dialogue: optional(text()),
    /** The style sheet that scripts have set. */
    css: text(),
  }),
);
