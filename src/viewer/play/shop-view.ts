import type { Definition } from '../../../engine/index.ts';
import type { PlayerEvent, PlayerInput } from './player-input.ts';

export interface Offer {
  readonly name: string;
  readonly cost: string;
  readonly isPurchasable: boolean;
  readonly input: Extract<PlayerInput, { kind: 'buyItem' | 'buyUnit' }>;
}

/** The offers of a shop, as plain data. */
export interface ShopView {
  readonly name: string;
  /** The description of the shop, as HTML from the game. */
  readonly description: string;
  readonly offers: readonly Offer[];
}

type ValueOf<M> = M extends ReadonlyMap<string, infer V> ? V : never;
type DeclaredOffer = ValueOf<ValueOf<Definition['shops']>['itemTypes']>;

/**
 * The shop that an event `ui.shop` opens; undefined for other events. `playerType`: the key of the player's type, from
 * which attributes get their names.
 */
export function shopViewOf(
  definition: Definition,
  playerType: string | undefined,
  { kind, op, shopId, itemTypeId }: PlayerEvent,
): ShopView | undefined {
  const { shops, itemTypes, unitTypes, playerTypes } = definition;
  const shop = shops.get(String(shopId));
  if (kind !== 'ui.shop' || shop === undefined || (op !== 'open' && op !== 'purchase')) return undefined;
  const attributes = playerTypes.get(playerType ?? '')?.attributes;
  const costOf = ({ price }: DeclaredOffer) => {
    const parts = [
      ...[...price.playerAttributes].map(([key, amount]) => `${amount} ${attributes?.get(key)?.name || key}`),
      ...[...price.requiredItemTypes].map(([key, amount]) => `${amount} ${itemTypes.get(key)?.name ?? key}`),
      ...(price.coins > 0 ? [`${price.coins} coins`] : []),
    ];
    return parts.length === 0 ? 'free' : parts.join(', ');
  };
  const offered = (offers: ReadonlyMap<string, DeclaredOffer>, kind: Offer['input']['kind']): Offer[] => {
    const types = kind === 'buyItem' ? itemTypes : unitTypes;
    return Array.from(offers, ([type, offer]) => ({
      name: types.get(type)?.name ?? type,
      cost: costOf(offer),
      isPurchasable: offer.isPurchasable,
      input: { kind, type },
    }));
  };
  const items = offered(shop.itemTypes, 'buyItem');
  return {
    name: shop.name,
    description: shop.description ?? '',
    offers:
      op === 'open'
        ? [...items, ...offered(shop.unitTypes, 'buyUnit')]
        : items.filter(({ input }) => input.type === itemTypeId),
  };
}
