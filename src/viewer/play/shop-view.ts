import type { Definition } from '../../../engine/index.ts';
import type { Bearer } from './hud.ts';
import type { PlayerEvent, PlayerInput } from './player-input.ts';

export interface Offer {
  readonly name: string;
  readonly cost: string;
  /** Why the engine would refuse the purchase, as its code; undefined if it would not. */
  readonly refusal: string | undefined;
  readonly input: Extract<PlayerInput, { kind: 'buyItem' | 'buyUnit' }>;
}

/** The offers of a shop, as plain data. */
export interface ShopView {
  readonly name: string;
  /** The description of the shop, as HTML from the game. */
  readonly description: string;
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
  const own = (key: string) => Math.floor(player?.attribute(key)?.value ?? 0);
  const costOf = ({ price }: DeclaredOffer) => {
    const parts = [
      ...[...price.playerAttributes].map(
        ([key, amount]) => `${amount} ${attributes?.get(key)?.name || key} (you have ${own(key)})`,
      ),
      ...[...price.requiredItemTypes].map(([key, amount]) => `${amount} ${itemTypes.get(key)?.name ?? key}`),
      ...(price.coins > 0 ? [`${price.coins} coins (you have ${coins})`] : []),
    ];
    return parts.length === 0 ? 'free' : parts.join(', ');
  };
  const offered = (offers: ReadonlyMap<string, DeclaredOffer>, kind: Offer['input']['kind']): Offer[] => {
    const types = kind === 'buyItem' ? itemTypes : unitTypes;
    return Array.from(offers, ([type, offer]) => ({
      name: types.get(type)?.name ?? type,
      cost: costOf(offer),
      refusal: (refusals as Refusals | undefined)?.[kind]?.[type],
      input: { kind, type },
    }));
  };
  const items = offered(shop.itemTypes, 'buyItem');
  const offers =
    op === 'purchase'
      ? items.filter(({ input }) => input.type === itemTypeId)
      : [...items, ...offered(shop.unitTypes, 'buyUnit')];
  return { name: shop.name, description: shop.description ?? '', offers };
}
