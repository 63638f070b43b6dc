import { ShownTexts } from '../../components/shown-texts.ts';
import { type Entity, rowOf } from '../../world/entity.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';

/** Settings of a single item that scripts can change. */

/** Sets the minimum time between two uses, simulated ms. */
export function setFireRate(world: World, item: Entity, ms: number): void {
  world.components.itemUse.fireRateMs[rowOf(item)] = ms;
}

/** Sets whether the item turns to where its carrier aims. */
export function setAims(world: World, item: Entity, aims: boolean): void {
  world.components.hold.aims[rowOf(item)] = aims ? 1 : 0;
}

/** Strings of an item that only clients show, with the member names that clients use. */
const shownAs = {
  description: 'description',
  slotColor: 'inventorySlotColor',
  inventoryImage: 'inventoryImage',
} as const;
export type ItemText = keyof typeof shownAs;

/** The description that clients show: that of the item's type unless a script has set another. */
export function itemDescription(world: World, item: Entity): string {
  return world.components.shownTexts[rowOf(item)]?.description ?? itemTypeOf(world, item).definition.description ?? '';
}

/** Stores a string of an item, such as its description, and publishes it to clients. */
export function setItemText({ world }: Game, item: Entity, text: ItemText, value: string): void {
  world.ensure(item, ShownTexts)[text] = value;
  world.post('entity.style', { entityId: world.ref(item)?.id, [shownAs[text]]: value, to: 'everyone' });
}
