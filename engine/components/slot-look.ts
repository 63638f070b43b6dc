import { component } from '../ecs/component.ts';
import { optional, record, text } from '../schema/index.ts';

/** How clients show the slot of an item, where a script has said so. */
export const SlotLook = component(
  'slotLook',
  record({ inventoryImage: optional(text()), slotColor: optional(text()) }),
);
