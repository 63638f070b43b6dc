import type { Definition } from '../../../engine/index.ts';
import type { ItemType } from '../../../engine/tools.ts';
import type { Bearer } from './hud.ts';
import type { PlayerEvent, PlayerInput } from './player-input.ts';

export interface Offer {
  readonly name: string;
  readonly cost: string;
  /** The description of what is sold, and what it does to attributes, as its type declares; as HTML from the game. */
  readonly about: string;
  /** Why the engine would refuse the purchase, as its code; undefined if it would not. */
  readonly refusal: string | undefined;
  readonly input: Extract<PlayerInput, { kind: 'buyItem' | 'buyUnit' }>;
}

/** The offers of a shop, as plain data. */
export interface ShopView {
  readonly name: string;
  /** The description of the shop, as HTML from the game. */
  readonly description: string;
  /** How much the player has of everything that the prices are in. */
  readonly purse: string;
  readonly offers: readonly Offer[];
}

/** The codes of refusals by kind of input and type. */
type Refusals = Readonly<Record<string, Readonly<Record<string, string>>>>;
type ValueOf<M> = M extends ReadonlyMap<string, infer V> ? V : never;
type DeclaredOffer = ValueOf<ValueOf<Definition['shops']>['itemTypes']>;

/** The shop that an event `ui.shop` shows, to a player with these coins; undefined for other events. */
export function shopViewOf(
  definition: Definition,
  player: Bearer | undefined,
  coins: number,
  { kind, op, shopId, itemTypeId, refusals }: PlayerEvent,
): ShopView | undefined {
  const { shops, itemTypes, unitTypes, playerTypes } = definition;
  const shop = shops.get(String(shopId));
  if (kind !== 'ui.shop' || shop === undefined || op === 'close') return undefined;
  const attributes = playerTypes.get(player?.type?.key ?? '')?.attributes;
  /** The names of what prices are in, with the amount that the player has. */
  const purse = new Map<string, number>();
  const costOf = ({ price }: DeclaredOffer) => {
    const paid = Array.from(price.playerAttributes, ([key, amount]) => {
      const name = attributes?.get(key)?.name || key;
      purse.set(name, Math.floor(player?.attribute(key)?.value ?? 0));
      return `${amount} ${name}`;
    });
    for (const [key, amount] of price.requiredItemTypes) paid.push(`${amount} ${itemTypes.get(key)?.name ?? key}`);
    if (price.coins > 0) {
      purse.set('coins', coins);
      paid.push(`${price.coins} coins`);
    }
    return paid.join(', ') || 'free';
  };
  const told = (when: string, amounts: Iterable<readonly [key: string, amount: unknown]> = []) =>
    Array.from(amounts, ([key, amount]) => {
      const names = [...unitTypes.values()].flatMap((each) => each.attributes.get(key)?.name ?? []);
      const { value = amount, type } = Object(amount);
      return `${when}: ${value}${type === 'percentage' ? ' %' : ''} ${names[0]?.trim() || key}`;
    });
  const offered = (offers: ReadonlyMap<string, DeclaredOffer>, kind: Offer['input']['kind']): Offer[] =>
    [...offers].flatMap(([type, offer]) => {
      const refusal = (refusals as Refusals | undefined)?.[kind]?.[type];
      const item: Partial<ItemType> = (kind === 'buyItem' && itemTypes.get(type)) || {};
      const { name = unitTypes.get(type)?.name ?? type, description = '', damage, bonus } = item;
      const isHidden =
        refusal === 'not_purchasable' ||
        (refusal === 'requirement_not_met' && offer.hideIfRequirementNotMet) ||
        (refusal === 'not_affordable' && (offer.hideIfUnaffordable || item.hideIfUnaffordable));
      if (isHidden && op !== 'purchase') return [];
      const about = [
        description,
        ...told('Damage', damage?.unitAttributes),
        ...told('When used', bonus?.consume?.unitAttribute),
        ...told('While carried', bonus?.passive?.unitAttribute),
      ]
        .filter(Boolean)
        .join('<br>');
      return [{ name, cost: costOf(offer), about, refusal, input: { kind, type } }];
    });
  const items = offered(shop.itemTypes, 'buyItem');
  const offers =
    op === 'purchase'
      ? items.filter(({ input }) => input.type === itemTypeId)
      : [...items, ...offered(shop.unitTypes, 'buyUnit')];
  const has = Array.from(purse, ([name, amount]) => `${amount} ${name}`).join(', ');
  return { name: shop.name, description: shop.description ?? '', purse: has, offers };
}
