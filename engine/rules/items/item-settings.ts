import { SlotLook } from '../../components/slot-look.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';

/** Settings of one item that scripts can change. */

/** Simulated ms between two uses. */
export function setFireRate(world: World, item: Entity, ms: number): void {
  world.components.itemUse.fireRateMs[rowOf(item)] = ms;
}

export function nameItem(world: World, item: Entity, name: string): void {
  world.components.name[rowOf(item)] = name;
}

/** Whether the item turns to where its carrier aims. */
export function setAims(world: World, item: Entity, aims: boolean): void {
  world.components.item[rowOf(item)]!.aims = aims;
}

/** Texts of an item that only clients show, and what clients call them. */
const shownAs = {
  description: 'description',
  slotColor: 'inventorySlotColor',
  inventoryImage: 'inventoryImage',
} as const;
export type ItemText = keyof typeof shownAs;

/** Keeps the text and publishes it to clients. */
export function setItemText({ world }: Game, item: Entity, text: ItemText, value: string): void {
  if (text === 'description') world.components.item[rowOf(item)]!.description = value;
  else world.ensure(item, SlotLook)[text] = value;
  world.post('entity.style', { entityId: world.ref(item)?.id, [shownAs[text]]: value, to: 'everyone' });
}
