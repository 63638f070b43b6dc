import { Page } from '../../components/page.ts';
import type { Price } from '../../definition/price.ts';
import type { Shop, ShopItem, ShopUnit } from '../../definition/shop.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { payloadOf } from '../../world/payloads.ts';
import { itemTypeOf, type RuntimeItemType, unitTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import {
  changes,
  changesIn,
  creates,
  destroys,
  type Effect,
  fires,
  only,
  type Party,
  rule,
  tells,
} from '../effects.ts';
import { attributeValue } from '../entities/attribute.ts';
import { destroyEntity } from '../entities/destroy.ts';
import type { Game } from '../game.ts';
import { mayUse } from '../items/bonus.ts';
import { takeAmounts } from '../items/cost.ts';
import { carryingSlots, dropItem, itemInSlot, meets } from '../items/inventory.ts';
import { giveItem, hasRoomFor, mayCarry } from '../items/pick-up.ts';
import { setQuantity } from '../items/use-attempt.ts';

/**
 * Purchases from the shop that was last shown to a player (reference: units#shop). The client is not trusted:
 * everything is checked here, before anything is taken.
 */

/** The effects include paying the price: attributes, coins and other items. */
export const itemPurchase = rule(
  'purchases of items',
  ['buyItem'],
  creates('item', { of: 'unit' }),
  changesIn('unit', 'items'),
  changesIn('item', 'quantity'),
  destroys('item'),
  changesIn('player', 'attribute', 'account'),
  changes('last'),
  fires('playerPurchasesItem'),
  tells('ui.shop'),
);
export const unitPurchase = rule(
  'purchases of units',
  ['buyUnit'],
  ...[changes('items', 'unit'), changes('quantity', 'item'), destroys('item'), changes('account', 'player')].map(
    (each: Effect<Party>) => only('standard', each),
  ),
  changesIn('player', 'attribute'),
  changes('last'),
  fires('playerPurchasesUnit'),
  tells('ui.shop'),
);

/** Reasons for refusing a purchase. */
export const purchaseRefusals = {
  no_shop: 'No shop is open for the player.',
  no_unit: 'The player controls no unit.',
  not_sold: 'The open shop does not offer this item or unit.',
  not_purchasable: 'The shop shows this offer, but does not sell it.',
  not_for_this_unit: 'Units of this type may not buy this offer.',
  requirement_not_met: 'The player or its unit does not meet the requirements of this offer.',
  not_affordable: 'The player or its unit cannot pay the price.',
  cannot_carry: 'Units of this type may not carry this item.',
  inventory_full: 'The unit has no room for this item.',
} as const;
export type PurchaseRefusal = keyof typeof purchaseRefusals;
export type PurchaseResult = 'purchase' | PurchaseRefusal;

/**
 * Opens a shop: from now on, the player buys from this shop, even after closing its window. Returns false if the
 * definition has no such shop.
 */
export function openShop(game: Game, player: Entity, key: string): boolean {
  const { world, definition } = game;
  if (!enterShop(game, player, key, definition.shops.has(key))) return false;
  world.post('ui.shop', { op: 'open', shopId: key, to: { player } });
  return true;
}

/**
 * Asks a player whether to buy an item of a shop, and makes this shop the one from which the player buys. Returns false
 * if the shop does not sell the item.
 */
export function offerItem(game: Game, player: Entity, shopKey: string, itemType: string): boolean {
  const { world, definition } = game;
  const isSold = definition.shops.get(shopKey)?.itemTypes.has(itemType) === true;
  if (!enterShop(game, player, shopKey, isSold)) return false;
  world.post('ui.shop', { op: 'purchase', shopId: shopKey, itemTypeId: itemType, to: { player } });
  return true;
}

/**
 * Makes a shop the one from which a player buys. In dialects with `shopsMustExist`, does so only if the shop exists and
 * sells the requested item (`isThere`). Returns `isThere`.
 */
function enterShop({ world, rules }: Game, player: Entity, key: string, isThere: boolean) {
  if (isThere || !rules.shopsMustExist) world.ensure(player, Page).shop = key;
  return isThere;
}

/**
 * The shop from which a player buys, and why it would refuse the player its offers now, by the kind of the input and
 * the type that the input names.
 */
export function shopOffers(game: Game, player: Entity) {
  const shop = shopOf(game, player);
  const refusals = (offers: ReadonlyMap<string, unknown> | undefined, dealOf: typeof itemDeal | typeof unitDeal) => {
    const deals = Array.from(offers?.keys() ?? [], (key) => [key, dealOf(game, player, key)] as const);
    return Object.fromEntries(deals.filter(([, deal]) => typeof deal === 'string'));
  };
  return {
    shopId: game.world.components.page[rowOf(player)]?.shop,
    refusals: { buyItem: refusals(shop?.itemTypes, itemDeal), buyUnit: refusals(shop?.unitTypes, unitDeal) },
  };
}

/** The purchase results that fire triggers: success only. */
export const successOnly: ReadonlySet<string> = new Set<PurchaseResult>(['purchase']);

/** In the reference, refusals fire triggers, too, except for lack of room (reference: units#shop). */
export const successAndRefusals: ReadonlySet<string> = new Set<PurchaseResult>([
  'purchase',
  'no_shop',
  'not_sold',
  'requirement_not_met',
  'not_affordable',
  'cannot_carry',
]);

/** Lets a player buy an item for its selected unit. */
export function buyItem(game: Game, player: Entity, key: string): PurchaseResult {
  const { world } = game;
  // No dialect fires the trigger for a purchase of a player without a unit.
  const hasUnit = world.is(world.components.ownedUnits[rowOf(player)]?.selected ?? noEntity, Kind.unit);
  const result = tryItem(game, player, key);
  if (hasUnit && game.rules.purchaseResultsFired.has(result))
    world.triggers.fireGlobal('playerPurchasesItem', payloadOf.itemAndPlayer, world.memory.last.createdItem, player);
  if (world.exists(player)) world.post('ui.shop', { op: 'response', result, itemTypeId: key, to: { player } });
  return result;
}

/**
 * Lets a player buy a unit type. No unit is created or changed: that is up to scripts (reference: units#buying-units).
 */
export function buyUnit(game: Game, player: Entity, key: string): PurchaseResult {
  const { world } = game;
  const result = tryUnit(game, player, key);
  if (result === 'purchase') {
    world.memory.lastPurchasedUnitType = key;
    world.triggers.fireGlobal('playerPurchasesUnit', payloadOf.unitAndPlayer, world.selectedUnitOf(player), player);
  }
  if (world.exists(player)) world.post('ui.shop', { op: 'response', result, unitTypeId: key, to: { player } });
  return result;
}

/** What a player would buy and pay; or why it cannot buy. */
function itemDeal(game: Game, player: Entity, key: string) {
  const { world } = game;
  const found = offered(game, player, shopOf(game, player)?.itemTypes, world.types.item, key);
  if (typeof found === 'string') return found;
  const { unit, offer, type } = found;
  // The unit's type must be able to buy items at all.
  const { canBuyItem } = unitTypeOf(world, unit).definition;
  if (canBuyItem === false || !mayUse(world, unit, type.definition.canBePurchasedBy)) return 'not_for_this_unit';
  const refusal = requirementRefusal(world, player, unit, offer) ?? priceRefusal(world, player, unit, offer);
  if (refusal !== undefined) return refusal;
  if (!mayCarry(game, unit, type)) return 'cannot_carry';

  const spent = ingredients(world, unit, offer.price)!;
  const replaced = offer.replaceItemInTargetSlot ? occupantOfTarget(world, unit, type) : noEntity;
  const leaving = spent.filter((part) => part.isUsedUp).map((part) => part.item);
  if (replaced !== noEntity) leaving.push(replaced);
  const quantity = quantityOf(offer, type);
  if (!hasRoomFor(game, unit, type, quantity, leaving)) return 'inventory_full';
  return { unit, offer, type, spent, replaced, quantity };
}

function tryItem(game: Game, player: Entity, key: string): PurchaseResult {
  const { world } = game;
  const deal = itemDeal(game, player, key);
  if (typeof deal === 'string') return deal;
  const { unit, offer, type, spent, replaced, quantity } = deal;
  const { price }: { readonly price: Price } = offer;
  pay(game, player, price, spent);
  // If the price in coins is a string, even "0", the reference waits for a confirmation that no client sends, and gives
  // nothing.
  if (price.coins === 0 && price.texts?.['coins'] !== undefined) return 'not_affordable';
  if (world.exists(replaced)) destroyEntity(game, replaced);
  // Scripts that ran because of the payment may have filled the slot for the item, or destroyed the unit.
  if (world.exists(unit) && giveItem(game, unit, { type, quantity, isUnplaced: true })) return 'purchase';
  world.skip('inventory-refused', `The player paid for ${type.name}, but then scripts left no room for it.`);
  return 'inventory_full';
}

function unitDeal(game: Game, player: Entity, key: string) {
  const { world } = game;
  const found = offered(game, player, shopOf(game, player)?.unitTypes, world.types.unit, key);
  if (typeof found === 'string') return found;
  const { unit, offer, type } = found;
  if (!mayUse(world, unit, type.definition.canBePurchasedBy)) return 'not_for_this_unit';
  const refusal =
    requirementRefusal(world, player, unit, offer) ?? game.rules.unitPriceRefusal(world, player, unit, offer);
  return refusal ?? { unit, offer };
}

function tryUnit(game: Game, player: Entity, key: string): PurchaseResult {
  const deal = unitDeal(game, player, key);
  if (typeof deal === 'string') return deal;
  const { price } = deal.offer;
  pay(game, player, price, ingredients(game.world, deal.unit, price)!);
  return 'purchase';
}

/** The offer of a shop, its type, and the unit that buys; or why there is none. */
function offered<Offer extends ShopItem | ShopUnit, Type>(
  { world }: Game,
  player: Entity,
  offers: ReadonlyMap<string, Offer> | undefined,
  types: { get(key: string): Type | undefined },
  key: string,
) {
  if (offers === undefined) return 'no_shop';
  const unit = world.selectedUnitOf(player);
  if (!world.is(unit, Kind.unit)) return 'no_unit';
  const offer = offers.get(key);
  const type = types.get(key);
  if (offer === undefined || type === undefined) return 'not_sold';
  return offer.isPurchasable ? { unit, offer, type } : 'not_purchasable';
}

function shopOf({ world, definition }: Game, player: Entity): Shop | undefined {
  const key = world.components.page[rowOf(player)]?.shop;
  return key === undefined ? undefined : definition.shops.get(key);
}

function requirementRefusal(
  world: World,
  player: Entity,
  unit: Entity,
  { requirement }: ShopItem | ShopUnit,
): PurchaseRefusal | undefined {
  if (!meets(world, player, requirement.playerAttributes)) return 'requirement_not_met';
  for (const [key, amount] of requirement.requiredItemTypes) {
    if (owned(world, unit, key) < amount) return 'requirement_not_met';
  }
  return undefined;
}

/** Why a price cannot be paid; undefined if it can. */
export function priceRefusal(
  world: World,
  player: Entity,
  unit: Entity,
  { price }: ShopItem | ShopUnit,
): 'not_affordable' | undefined {
  for (const [key, amount] of price.playerAttributes) {
    // An attribute that the player lacks is not charged.
    if ((attributeValue(world, player, key) ?? Infinity) < amount) return 'not_affordable';
  }
  if (ingredients(world, unit, price) === undefined) return 'not_affordable';
  return world.components.wallet[rowOf(player)]!.coins < price.coins ? 'not_affordable' : undefined;
}

/**
 * The price check of the reference for unit types, which does not compare amounts. If the player lacks the attribute,
 * the server of the reference fails; this function refuses the purchase.
 */
export function missingAttributeRefusal(
  world: World,
  player: Entity,
  _unit: Entity,
  { price }: ShopUnit,
): 'not_affordable' | undefined {
  for (const key of price.playerAttributes.keys())
    if (attributeValue(world, player, key) === undefined) return 'not_affordable';
  return undefined;
}

/** The quantity of items that an offer gives; by default, the quantity of the item type. */
function quantityOf(offer: ShopItem, type: RuntimeItemType) {
  if (offer.quantity !== undefined && offer.quantity >= 0) return offer.quantity;
  return type.definition.quantity ?? Infinity;
}

/** How much of an item type a unit carries; Infinity if the quantity is unlimited. */
function owned(world: World, unit: Entity, key: string) {
  let total = 0;
  forEachCarried(world, unit, key, (item) => {
    total += world.components.stack.quantity[rowOf(item)]!;
  });
  return total;
}

interface Ingredient {
  readonly item: Entity;
  readonly amount: number;
  /** Whether nothing of the item is left after the payment. */
  readonly isUsedUp: boolean;
}

/**
 * The items that a price takes, slot by slot; undefined if the unit does not carry enough. An item of unlimited
 * quantity pays without losing any.
 */
function ingredients(world: World, unit: Entity, price: Price): Ingredient[] | undefined {
  const taken: Ingredient[] = [];
  for (const [key, amount] of price.requiredItemTypes) {
    let due = amount;
    forEachCarried(world, unit, key, (item) => {
      if (due <= 0) return;
      const has = world.components.stack.quantity[rowOf(item)]!;
      if (has === Infinity) {
        due = 0;
        return;
      }
      const part = Math.min(has, due);
      if (part <= 0) return;
      due -= part;
      taken.push({ item, amount: part, isUsedUp: part === has && itemTypeOf(world, item).definition.removeWhenEmpty });
    });
    if (due > 0) return undefined;
  }
  return taken;
}

function forEachCarried(world: World, unit: Entity, key: string, visit: (item: Entity) => void) {
  const end = carryingSlots(world.inventoryOf(unit));
  for (let slot = 0; slot < end; slot++) {
    const item = itemInSlot(world, unit, slot);
    if (item !== noEntity && itemTypeOf(world, item).key === key) visit(item);
  }
}

/** The item in the first permitted slot of the type, which is where a bought item goes. */
function occupantOfTarget(world: World, unit: Entity, type: RuntimeItemType): Entity {
  const first = type.definition.controls?.permittedInventorySlots[0];
  if (first === undefined) return noEntity;
  return itemInSlot(world, unit, first === 'backpack-slots' ? world.inventoryOf(unit).inventorySize : first - 1);
}

function pay(game: Game, player: Entity, price: Price, spent: readonly Ingredient[]) {
  const { world } = game;
  takeAmounts(game, player, price.playerAttributes);
  world.components.wallet[rowOf(player)]!.coins -= price.coins;
  for (const { item, amount, isUsedUp } of spent) {
    if (!world.exists(item)) continue;
    if (isUsedUp) {
      dropItem(game, item);
      if (world.exists(item)) destroyEntity(game, item);
    } else {
      setQuantity(game, item, world.components.stack.quantity[rowOf(item)]! - amount);
    }
  }
}
