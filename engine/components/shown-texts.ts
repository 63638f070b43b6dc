import { component } from '../ecs/component.ts';
import { optional, record, text } from '../schema/index.ts';

/** The texts of an item that only clients show, where a script has changed them. */
export const ShownTexts = component(
  'shownTexts',
  record({
    /** Absent for that of the item's type. */
    description: optional(text()),
    /** Of its slot: the address of a picture, and a colour. */
    inventoryImage: optional(text()),
    slotColor: optional(text()),
  }),
);
