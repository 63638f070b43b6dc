import type { Input, Simulation, UnitHandle } from '../../engine/index.ts';
import {
  attributeRow,
  type Cost,
  type Internals,
  internalsOf,
  Page,
  type Price,
  quantityPerUse,
  refusalCodes,
  rowOf,
  walkingKeys,
} from '../../engine/tools.ts';
import { idOf, nameText, valueText } from '../expression/index.ts';
import type { PlayReader } from './play-reader.ts';

type Purchase = Extract<Input, { kind: 'buyItem' | 'buyUnit' }>;
type Press = Extract<Input, { kind: 'keyDown' }>;
type Components = Internals['world']['components'];

/** A reason why a held item or an ability cannot be used now. */
interface Hindrance {
  readonly why: string;
  /** Removes the obstacle from a copy of the game before the tick. */
  readonly mend: (copy: Simulation) => void;
}

/** Something that a player tried to do in a tick, and the game refused. */
interface RefusedAct extends Pick<Hindrance, 'mend'> {
  readonly tick: number;
  readonly line: string;
}

/** How many of the latest ticks in which players pressed keys or tried to buy something are examined. */
const ticksMax = 5;

/** The acts of players that the game refused, in the ticks after `from` up to `tick`, latest first. */
export function refusedActs(reader: PlayReader, from: number, tick: number): readonly RefusedAct[] {
  const isPress = (input: Input): input is Press => input.kind === 'keyDown' && !walkingKeys.has(input.key);
  const pressed = ticksWith(reader, from, tick, isPress).flatMap(([at, inputs]) =>
    inputs.filter(isPress).flatMap((input) => refusedPresses(reader, at, input)),
  );
  return [...refusedPurchases(reader, from, tick), ...pressed].sort((a, b) => b.tick - a.tick);
}

function ticksWith(reader: PlayReader, from: number, tick: number, isMeant: (input: Input) => boolean) {
  return [...reader.journal.inputs]
    .filter(([at, inputs]) => at > from && at <= tick && inputs.some(isMeant))
    .slice(-ticksMax);
}

function refusedPurchases(reader: PlayReader, from: number, tick: number): RefusedAct[] {
  const isPurchase = (input: Input): input is Purchase => input.kind === 'buyItem' || input.kind === 'buyUnit';
  return ticksWith(reader, from, tick, isPurchase).flatMap(([at]) => {
    const found: RefusedAct[] = [];
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

/** The reasons why a pressed key may not have done what it usually does. */
function refusedPresses(reader: PlayReader, tick: number, { player: clientId, key }: Press): RefusedAct[] {
  const sim = reader.go(tick - 1);
  const player = sim.player(clientId);
  const { unit } = player;
  if (unit === undefined) return [];
  const head = `At ${reader.moment(tick)} ${valueText(sim, player, reader.source)} pressed ${key}, but`;
  const alone = [...abilityHindrances(sim, unit, key), ...itemHindrances(sim, unit)];
  const together: Hindrance = {
    why: alone.map(({ why }) => why).join('; '),
    mend(copy) {
      for (const { mend } of alone) mend(copy);
    },
  };
  const all = alone.length > 1 ? [...alone, together] : alone;
  return all.map(({ why, mend }) => ({ tick, line: `${head} ${why}.`, mend }));
}

function abilityHindrances(sim: Simulation, unit: UnitHandle, key: string): Hindrance[] {
  const type = sim.definition.unitTypes.get(unit.type ?? '');
  const binding = (type?.controls?.abilities.get(key) ?? type?.legacyAbilities.get(key))?.keyDown;
  if (binding?.kind === 'script') return unpaid(unit, binding.cost, 'the script of this key costs');
  const isUnits = binding?.kind !== 'ability';
  const id = (isUnits ? binding?.abilityId : binding.abilityKey) ?? '';
  const ability = (isUnits ? type?.controls?.unitAbilities : sim.definition.abilities)?.get(id);
  const name = `"${ability?.name || id}"`;
  const { components, clock } = internalsOf(sim).world;
  const row = rowOf(unit.entity);
  const use = isUnits ? components.abilities[row]?.get(id) : undefined;
  const seconds = use === undefined ? 0 : (use.coolsAtMs - clock.dateMs) / 1000;
  const isActive = use?.active === true;
  const forget = ({ abilities }: Components) => void abilities[row]?.delete(id);
  return [
    ...unpaid(unit, ability?.cost, `${name} costs`),
    ...hindrances(name, [
      [isActive, 'was still active', forget],
      [!isActive && seconds > 0, `had to cool down for another ${seconds.toFixed(2)} s`, forget],
    ]),
  ];
}

function itemHindrances(sim: Simulation, unit: UnitHandle): Hindrance[] {
  const item = unit.holding;
  const definition = sim.definition.itemTypes.get(item?.type ?? '');
  if (item === undefined || definition === undefined) return [];
  const { components, clock } = internalsOf(sim).world;
  const row = rowOf(item.entity);
  const name = `${idOf(item)} (${item.name})`;
  const fireRateMs = components.itemUse.fireRateMs[row]!;
  const sinceMs = clock.loopMs - components.itemUse.usedAtMs[row]!;
  const rate = Number.isNaN(fireRateMs)
    ? 'had no fire rate, so it is never ready'
    : `was used ${(sinceMs / 1000).toFixed(2)} s before, and can be used only every ${(fireRateMs / 1000).toFixed(2)} s (its fire rate)`;
  const spent = quantityPerUse(definition);
  const quantity = components.stack.quantity[row]!;
  const uses = components.delayedUses[row] ?? [];
  const others = uses.filter(({ part }) => part !== 'reload');
  const refill = ({ stack }: Components) => {
    stack.quantity[row] = spent;
  };
  const endReload = ({ delayedUses }: Components) => {
    delayedUses[row] = others;
  };
  const beReady = ({ itemUse }: Components) => {
    itemUse.usedAtMs[row] = -Infinity;
    itemUse.fireRateMs[row] = 0;
  };
  return [
    ...unpaid(unit, definition.cost, `using ${name} costs`),
    ...hindrances(name, [
      [!(fireRateMs < sinceMs), rate, beReady],
      [quantity < spent, `had quantity ${quantity}, but a use takes ${spent}`, refill],
      [others.length < uses.length, 'was reloading', endReload],
    ]),
  ];
}

/** The reasons that apply to the item or ability with this name. */
function hindrances(
  name: string,
  rows: readonly (readonly [isThere: boolean, why: string, mend: (components: Components) => void])[],
): Hindrance[] {
  return rows
    .filter(([isThere]) => isThere)
    .map(([, why, mend]) => ({
      why: `${name} ${why}`,
      mend: (copy) => mend(internalsOf(copy).world.components),
    }));
}

/** A reason for each attribute of a unit or its player that is lower than the cost. */
function unpaid(unit: UnitHandle, cost: Cost | undefined, what: string): Hindrance[] {
  const owed = [
    [unit, cost?.unitAttributes],
    [unit.owner, cost?.playerAttributes],
  ] as const;
  return owed.flatMap(([payer, amounts]) =>
    [...(amounts ?? [])].flatMap(([key, amount]) => {
      const value = payer?.attribute(key);
      if (value === undefined || value >= amount) return [];
      const mend = (copy: Simulation) => {
        const of = copy.find(payer!.id);
        if (of?.kind === 'unit' || of?.kind === 'player') copy.edit.setAttribute(of, key, amount);
      };
      return { why: `${what} ${amount} ${nameText(key)}, and ${idOf(payer!)} had only ${value}`, mend };
    }),
  );
}
