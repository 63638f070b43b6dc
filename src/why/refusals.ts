import type { Input, PlayerHandle, Simulation } from '../../engine/index.ts';
import { internalsOf, type Price, refusalCodes, rowOf } from '../../engine/tools.ts';
import type { Lexicon, Node } from '../expression/index.ts';

type Purchase = Extract<Input, { kind: 'buyItem' | 'buyUnit' }>;

/** What a value shows of a player, or of its unit, that purchases change. */
export type Stake =
  /** The items of its unit: of a type, or all. */
  | { readonly kind: 'items'; readonly of: string; readonly type?: string | undefined }
  | { readonly kind: 'attribute'; readonly of: string; readonly keys: ReadonlySet<string> }
  | { readonly kind: 'coins'; readonly of: string };

export function isPurchase(input: Input, player: string): input is Purchase {
  return (input.kind === 'buyItem' || input.kind === 'buyUnit') && input.player === player;
}

/**
 * `of`: the expression of the player or unit. Undefined for values of which it is not certain that a purchase changes
 * them.
 */
export function stakeOf(text: string, node: Node, lexicon: Lexicon): Stake | undefined {
  if (node.kind === 'set') {
    const { holder, region, where, owner, type } = node;
    if (node.of !== 'items' || holder === undefined || (region ?? where ?? owner) !== undefined) return undefined;
    const key = type && lexicon.type('item', type.text);
    return { kind: 'items', of: text.slice(holder.from, holder.to), type: key };
  }
  if (node.kind !== 'path') return undefined;
  // What a unit holds is not among these: a bought item can go to another slot.
  const member = node.members.at(-1);
  if (member === undefined || lexicon.isVariable(member.text)) return undefined;
  const of = text.slice(0, text.lastIndexOf('.', member.offset));
  if (member.text === 'coins') return { kind: 'coins', of };
  const keys = lexicon.attribute(member.text);
  return keys.size === 0 ? undefined : { kind: 'attribute', of, keys };
}

/**
 * Whether a purchase would have changed a value. Call while the simulation is as it was when it refused the purchase.
 */
export function wouldChange(sim: Simulation, player: PlayerHandle, { kind, type }: Purchase, stake: Stake): boolean {
  const price = priceOf(sim, player, kind, type);
  if (stake.kind === 'coins') return price !== undefined && price.coins > 0;
  if (stake.kind === 'attribute') return [...stake.keys].some((key) => (price?.playerAttributes.get(key) ?? 0) > 0);
  if (kind === 'buyItem' && (stake.type ?? type) === type) return true;
  return stake.type !== undefined && (price?.requiredItemTypes.get(stake.type) ?? 0) > 0;
}

/** The reason of a refusal, with what is certain about the price. */
export function reasonText(
  sim: Simulation,
  player: PlayerHandle,
  { kind, type }: Purchase,
  why: keyof typeof refusalCodes,
): string {
  const price = kind === 'buyItem' && why === 'not_affordable' ? priceOf(sim, player, kind, type) : undefined;
  // Scripts that ran for the refusal, or a payment before it, may have changed what the player had.
  const isKnown =
    price?.texts?.['coins'] === undefined && !internalsOf(sim).game.rules.purchaseResultsFired.has('not_affordable');
  if (price !== undefined && isKnown) {
    for (const [key, amount] of price.playerAttributes) {
      const has = player.attribute(key);
      if (has !== undefined && has < amount) return `${why} (has ${has} ${key}, costs ${amount})`;
    }
    if (player.coins < price.coins) return `${why} (has ${player.coins} coins, costs ${price.coins})`;
  }
  return `${why} (${refusalCodes[why]})`;
}

function priceOf(sim: Simulation, player: PlayerHandle, kind: Purchase['kind'], type: string): Price | undefined {
  const { world, game } = internalsOf(sim);
  const shop = game.definition.shops.get(world.components.page[rowOf(player.entity)]?.shop ?? '');
  return (kind === 'buyItem' ? shop?.itemTypes : shop?.unitTypes)?.get(type)?.price;
}
