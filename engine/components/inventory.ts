import { component } from '../ecs/component.ts';
import { count, entity, f64, type Infer, list, record } from '../schema/index.ts';

export const inventoryState = record({
  /** Slots of the inventory, then of the backpack, then 5 for trades; each holds an item or 0. */
  slots: list(entity('item')),
  inventorySize: count(),
  backpackSize: count(),
  /** Index of the selected slot in `slots`. */
  currentSlot: f64(),
  /** The item the unit holds; 0 for none. */
  heldItem: entity('item'),
});
export type InventoryState = Infer<typeof inventoryState>;

/** The items that a unit carries. Units without inventory slots still have trade slots. */
export const Inventory = component('inventory', inventoryState);
