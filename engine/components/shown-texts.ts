import { component } from '../ecs/component.ts';
import { optional, record, text } from '../schema/index.ts';

/** Changes that scripts have made to how clients show an item. */
export const ShownTexts = component(
  'shownTexts',
  record({
    /** Absent for the description of the item's type. */
    description: optional(text()),
    /** For its inventory slot: the address of an image, and a colour. */
    inventoryImage: optional(text()),
    slotColor: optional(text()),
  }),
);
