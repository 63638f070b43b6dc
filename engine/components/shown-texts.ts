import { component } from '../ecs/component.ts';
import { optional, record, text } from '../schema/index.ts';

/** Changes that scripts have made to how clients show an item. */
export const ShownTexts = component(
  'shownTexts',
  record({
    /** Replaces the description of the item's type; absent for no replacement. */
    description: optional(text()),
    /** The look of the item's inventory slot: the URL of an image, and a colour. */
    inventoryImage: optional(text()),
    slotColor: optional(text()),
  }),
);
