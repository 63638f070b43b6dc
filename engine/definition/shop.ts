import { emptyMap } from './frozen-map.ts';
import { freePrice, price, requiredItemTypes, shopRequirements } from './price.ts';
import {
  boolean,
  defaulted,
  entry,
  type Infer,
  ignoredFields,
  map,
  named,
  object,
  positive,
  string,
} from './schema.ts';
import { name, order, streamMode } from './shared-fields.ts';

const shopRequirement = named(
  'ShopRequirement',
  'What a buyer must have in addition to the price.',
  object({
    requiredItemTypes: ['The items that the buyer must have, with quantities.', defaulted(requiredItemTypes, emptyMap)],
    playerAttributes: [
      'The values that attributes of the player must have, by id.',
      defaulted(shopRequirements, emptyMap),
    ],
  }),
);
type ShopRequirement = Infer<typeof shopRequirement>;
const noRequirement: ShopRequirement = Object.freeze({ requiredItemTypes: emptyMap, playerAttributes: emptyMap });

const goods = {
  replaceItemInTargetSlot: ['Whether the bought item replaces the item in the target slot.', defaulted(boolean, false)],
  hideIfRequirementNotMet: ['Whether the shop hides the offer from players who do not meet the requirements.', boolean],
  hideIfUnaffordable: ['Whether the shop hides the offer from players who cannot afford it.', boolean],
  isPurchasable: ['Whether players can buy the offer.', defaulted(boolean, true)],
  /** If undefined, the quantity of the item type applies. */
  quantity: ['The quantity that is sold. Without a value, the shop sells the quantity of the item type.', positive],
  requirement: ['What the buyer must have.', defaulted(shopRequirement, noRequirement)],
  price: ['The price.', defaulted(price, freePrice)],
  order,
  ...ignoredFields({ requiredTeamKeys: 'The player types that may buy the offer.' }),
} as const;

const shopItem = entry('ShopItem', 'An item type on offer.', goods);
const shopUnit = entry('ShopUnit', 'A unit type on offer.', goods);
export type ShopItem = Infer<typeof shopItem>;
export type ShopUnit = Infer<typeof shopUnit>;

/** A shop (specification, Shop; reference: units#shop). */
const shop = entry('Shop', 'A shop: the items and units on offer, with their prices.', {
  name,
  description: ['A description for readers.', string],
  dismissible: ['Whether the window can be closed.', defaulted(boolean, true)],
  unitTypes: ['Types of units, by id.', defaulted(map(shopUnit, { arrays: true }), emptyMap)],
  itemTypes: ['Types of items, by id.', defaulted(map(shopItem, { arrays: true }), emptyMap)],
  streamMode,
  ...ignoredFields({ shopClass: 'The CSS class of the shop window.' }),
});
export type Shop = Infer<typeof shop>;
export const shops = map(shop);
