import { emptyMap } from './frozen-map.ts';
import { freePrice, price, requiredItemTypes, shopRequirements } from './price.ts';
import {
  boolean,
  defaulted,
  entry,
  type Infer,
  ignoredFields,
  integer,
  map,
  named,
  number,
  object,
  string,
} from './schema.ts';

const shopRequirement = named(
  'ShopRequirement',
  'What a buyer must have in addition to the price.',
  object({
    requiredItemTypes: defaulted(requiredItemTypes, emptyMap),
    playerAttributes: defaulted(shopRequirements, emptyMap),
  }),
);
type ShopRequirement = Infer<typeof shopRequirement>;
const noRequirement: ShopRequirement = Object.freeze({ requiredItemTypes: emptyMap, playerAttributes: emptyMap });

const goods = {
  replaceItemInTargetSlot: defaulted(boolean, false),
  hideIfRequirementNotMet: boolean,
  hideIfUnaffordable: boolean,
  isPurchasable: defaulted(boolean, true),
  /** If `undefined`, the quantity of the item type. */
  quantity: number,
  requirement: defaulted(shopRequirement, noRequirement),
  price: defaulted(price, freePrice),
  order: integer,
  ...ignoredFields('requiredTeamKeys'),
} as const;

const shopItem = entry('ShopItem', 'An item type on offer.', goods);
const shopUnit = entry('ShopUnit', 'A unit type on offer.', goods);
export type ShopItem = Infer<typeof shopItem>;
export type ShopUnit = Infer<typeof shopUnit>;

/** Specification, Shop; reference: units#shop. */
const shop = entry('Shop', 'What is on offer, and for what.', {
  name: defaulted(string, ''),
  description: string,
  dismissible: defaulted(boolean, true),
  unitTypes: defaulted(map(shopUnit, { arrays: true }), emptyMap),
  itemTypes: defaulted(map(shopItem, { arrays: true }), emptyMap),
  streamMode: integer,
  ...ignoredFields('shopClass'),
});
export type Shop = Infer<typeof shop>;
export const shops = map(shop);
