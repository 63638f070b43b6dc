import type { Definition } from '../../engine/index.ts';
import type { ItemType, Price, ShopItem, ShopUnit, UnitType } from '../../engine/tools.ts';
import { titleOf } from './nodes.ts';

/** One thing that a shop sells. */
interface Offer {
  readonly offer: ShopItem | ShopUnit;
  /** How messages name the type of the thing. */
  readonly title: string;
  readonly type: ItemType | UnitType | undefined;
  /** The type, if the thing is an item. */
  readonly item: ItemType | undefined;
}

export function* offersOf({ shops, itemTypes, unitTypes }: Definition): Iterable<Offer> {
  for (const shop of shops.values()) {
    for (const offer of shop.itemTypes.values()) {
      const item = itemTypes.get(offer.key);
      yield { offer, type: item, item, title: titleOf(item ?? offer) };
    }
    for (const offer of shop.unitTypes.values()) {
      const type = unitTypes.get(offer.key);
      yield { offer, type, item: undefined, title: titleOf(type ?? offer) };
    }
  }
}

export function isFree({ coins, requiredItemTypes, playerAttributes }: Price): boolean {
  return coins === 0 && ![...requiredItemTypes.values(), ...playerAttributes.values()].some((amount) => amount !== 0);
}

/** Quotes keys and joins them with commas, for messages. */
export function quoted(keys: readonly string[]): string {
  return keys.map((key) => `"${key}"`).join(', ');
}
