import type { Input, Simulation } from '../../engine/index.ts';
import { attributeRow, internalsOf, Page, type Price, refusalCodes, rowOf } from '../../engine/tools.ts';
import { nameText, valueText } from '../expression/index.ts';
import type { PlayReader } from './play-reader.ts';

type Purchase = Extract<Input, { kind: 'buyItem' | 'buyUnit' }>;

/** Something that a player tried to buy, and the game refused. */
interface RefusedPurchase {
  readonly tick: number;
  readonly line: string;
  /** Makes the purchase possible in a copy of the game before the tick. */
  readonly mend: (copy: Simulation) => void;
}

/** How many of the latest ticks in which players tried to buy something are examined. */
const ticksMax = 5;

/** The purchases of players that the game refused, in the ticks after `from` up to `tick`. */
export function refusedPurchases(reader: PlayReader, from: number, tick: number): readonly RefusedPurchase[] {
  const isPurchase = (input: Input): input is Purchase => input.kind === 'buyItem' || input.kind === 'buyUnit';
  const ticks = [...reader.journal.inputs].filter(([at, all]) => at > from && at <= tick && all.some(isPurchase));
  return ticks.slice(-ticksMax).flatMap(([at]) => {
    const found: RefusedPurchase[] = [];
    const then = reader.before(at);
    const { world } = internalsOf(then);
    then.on('refused', ({ input, reason, why = reason }) => {
      if (!isPurchase(input)) return;
      const name = valueText(then, then.player(input.player), reader.source);
      const said = `${name}'s input ${input.kind} ${input.type} was refused`;
      const { entity } = then.player(input.player);
      const { playerAttributes = [], requiredItemTypes = [] } = priceOf(then, input) ?? {};
      const items = [...requiredItemTypes].map(
        ([type, amount]) => `; the price includes ${amount} × ${then.definition.itemTypes.get(type)?.name ?? type}`,
      );
      const limits = [...playerAttributes].flatMap(([key, amount]) => {
        const max = world.attributes.max[attributeRow(world, entity, key)]!;
        return amount > max
          ? `; the price is ${amount} ${nameText(key)}, but the maximum of ${nameText(key)} is ${max}`
          : [];
      });
      found.push({
        tick: at,
        line: `At ${reader.moment(at)} ${said}: ${why} (${refusalCodes[why]})${[...items, ...limits].join('')}`,
        mend: (copy) => admitPurchase(copy, input),
      });
    });
    then.step();
    return found;
  });
}

/** The price of the thing in the shop that the buyer has open. If none is open, opens a shop that sells the thing. */
function priceOf(copy: Simulation, { kind, player, type }: Purchase): Price | undefined {
  const page = internalsOf(copy).world.ensure(copy.player(player).entity, Page);
  const offered = kind === 'buyItem' ? 'itemTypes' : 'unitTypes';
  const { shops } = copy.definition;
  page.shop ??= [...shops.keys()].find((key) => shops.get(key)![offered].has(type));
  return shops.get(page.shop ?? '')?.[offered].get(type)?.price;
}

/** Makes a purchase possible: opens a shop that sells the thing, and gives the player its price. */
function admitPurchase(copy: Simulation, input: Purchase) {
  const buyer = copy.player(input.player);
  if (!buyer.exists) return;
  const { world } = internalsOf(copy);
  const price = priceOf(copy, input);
  for (const [key, amount] of price?.playerAttributes ?? []) {
    if ((buyer.attribute(key) ?? amount) >= amount) continue;
    const row = attributeRow(world, buyer.entity, key);
    world.attributes.max[row] = Math.max(world.attributes.max[row]!, amount);
    copy.edit.setAttribute(buyer, key, amount);
  }
  for (const [type, amount] of price?.requiredItemTypes ?? [])
    if (buyer.unit) copy.edit.giveItem(buyer.unit, type, amount);
  world.components.wallet[rowOf(buyer.entity)]!.coins += price?.coins ?? 0;
}
