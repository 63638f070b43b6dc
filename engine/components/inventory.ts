import { component, settled } from '../ecs/component.ts';
import { count, entity, f64, type Infer, list, record, type Unchanging } from '../schema/index.ts';

const inventory = record({
  /** Slots of the inventory, then of the backpack, then 5 for trades: an item or 0. */
  slots: list(entity('item')),
  inventorySize: count(),
  backpackSize: count(),
  /** Index into `slots` of the selected slot. */
  currentSlot: f64(),
  /** The item the unit holds; 0 for none. */
  heldItem: entity('item'),
});
/** To be read; `World.change` gives what can be written. */
export type InventoryState = Unchanging<Infer<typeof inventory>>;

/** Every unit has one: members that are asked by their names cost a hash half of what any record does. */
export const inventoryState: typeof inventory = {
  ...inventory,
  hash({ slots, inventorySize, backpackSize, currentSlot, heldItem }, { numbers }) {
    numbers.pushAll(slots);
    numbers.push(inventorySize);
    numbers.push(backpackSize);
    numbers.push(currentSlot);
    numbers.push(heldItem);
  },
};

/** The items that a unit carries. Units without slots of their own have those for trades. */
export const Inventory = settled(component('inventory', inventoryState));
