import { component } from '../ecs/component.ts';
import { count, entity, f64, flag, type Infer, list, record, text } from '../schema/index.ts';

export const unitState = record({
  name: text(),
  /** Slots of the inventory, then of the backpack, then 5 for trades: an item or 0. */
  slots: list(entity('item')),
  inventorySize: count(),
  backpackSize: count(),
  /** Index into `slots` of the selected slot. */
  currentSlot: f64(),
  /** The item the unit holds; 0 for none. */
  heldItem: entity('item'),
  /** Saved data may be written only after it was loaded (reference: players#persistence). */
  persistenceLoaded: flag(),
});
export type UnitState = Infer<typeof unitState>;

export const Unit = component('unit', unitState);
