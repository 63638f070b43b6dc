import { EntityHandle, type Input, type Simulation, type UnitHandle } from '../../engine/index.ts';
import { type Cost, internalsOf, Page, quantityPerUse, refusalCodes, rowOf } from '../../engine/tools.ts';
import { idOf, nameText, valueText } from '../expression/index.ts';
import type { PlayReader } from './play-reader.ts';
import type { Question } from './reading.ts';

type Purchase = Extract<Input, { kind: 'buyItem' | 'buyUnit' }>;

/** Something that a player tried to do in a tick, and the game refused. */
interface RefusedAct {
  readonly tick: number;
  readonly line: string;
  /** Removes what stood in the way from a copy of the game before the tick. */
  readonly mend: (copy: Simulation) => void;
}

/** What keeps an item in hand or an ability from being used. */
interface Hindrance {
  readonly why: string;
  readonly mend: (copy: Simulation) => void;
}

/** Of the latest ticks in which players pressed keys or tried to buy, so many are looked at. */
const ticksMax = 5;
/** The latest refusals are told. */
const refusedShown = 3;

/** The purchases that the game refused, for a question about the items of a player or its unit. */
export function refusedLines(
  reader: PlayReader,
  { text, node }: Question,
  from: number,
  tick: number,
): readonly string[] {
  if (node.kind !== 'set' || node.of !== 'items' || node.holder === undefined) return [];
  const { holder, region, where, owner, type } = node;
  if ((region ?? where ?? owner) !== undefined) return [];
  const wanted = type && reader.source.lexicon.type('item', type.text);
  const sim = reader.go(tick);
  const held = reader.question(text.slice(holder.from, holder.to)).read();
  const buyer = sim
    .players()
    .find(({ id, unit }) => held instanceof EntityHandle && (id === held.id || unit?.id === held.id));
  if (buyer === undefined) return [];
  const isMeant = (input: Purchase): boolean =>
    input.kind === 'buyItem' && input.player === buyer.clientId && (wanted ?? input.type) === input.type;
  return refusedPurchases(reader, from, tick, isMeant)
    .slice(-refusedShown)
    .map(({ line }) => line);
}

/** What players tried in the ticks after `from` up to `tick`, and the game refused, the latest first. */
export function refusedActs(reader: PlayReader, from: number, tick: number): readonly RefusedAct[] {
  const pressed = ticksWith(reader, from, tick, ({ kind }) => kind === 'keyDown').flatMap((at) =>
    (reader.journal.inputs.get(at) ?? []).flatMap((input): RefusedAct[] =>
      input.kind === 'keyDown' ? refusedPresses(reader, at, input) : [],
    ),
  );
  return [...refusedPurchases(reader, from, tick), ...pressed].sort((a, b) => b.tick - a.tick);
}

function ticksWith(reader: PlayReader, from: number, tick: number, isMeant: (input: Input) => boolean): number[] {
  const found: number[] = [];
  for (const [at, inputs] of reader.journal.inputs) if (at > from && at <= tick && inputs.some(isMeant)) found.push(at);
  return found.slice(-ticksMax);
}

function refusedPurchases(
  reader: PlayReader,
  from: number,
  tick: number,
  isMeant: (input: Purchase) => boolean = () => true,
): RefusedAct[] {
  const isPurchase = (input: Input): input is Purchase =>
    (input.kind === 'buyItem' || input.kind === 'buyUnit') && isMeant(input);
  return ticksWith(reader, from, tick, isPurchase).flatMap((at) => {
    const found: RefusedAct[] = [];
    const then = reader.before(at);
    then.on('refused', ({ input, reason, why = reason }) => {
      if (!isPurchase(input)) return;
      const buyer = then.players().find(({ clientId }) => clientId === input.player);
      const name = buyer === undefined ? input.player : valueText(then, buyer, reader.source);
      const said = `${name}'s input ${input.kind} ${input.type} was refused`;
      found.push({
        tick: at,
        line: `At ${reader.moment(at)} ${said}: ${why} (${refusalCodes[why]})`,
        mend: (copy) => admitPurchase(copy, input),
      });
    });
    then.step();
    return found;
  });
}

/** Opens a shop that sells something to a player, and gives the player its price. */
function admitPurchase(copy: Simulation, { kind, player: clientId, type }: Purchase): void {
  const buyer = copy.players().find((each) => each.clientId === clientId);
  if (buyer === undefined) return;
  const { world } = internalsOf(copy);
  const page = world.ensure(buyer.entity, Page);
  const offered = kind === 'buyItem' ? 'itemTypes' : 'unitTypes';
  const { shops } = copy.definition;
  page.shop ??= [...shops.keys()].find((key) => shops.get(key)![offered].has(type));
  const price = shops.get(page.shop ?? '')?.[offered].get(type)?.price;
  for (const [key, amount] of price?.playerAttributes ?? [])
    if ((buyer.attribute(key) ?? amount) < amount) copy.edit.setAttribute(buyer, key, amount);
  world.components.wallet[rowOf(buyer.entity)]!.coins += price?.coins ?? 0;
}

/** Why a key that a player pressed may not have done what it does. */
function refusedPresses(
  reader: PlayReader,
  tick: number,
  { player: clientId, key }: Extract<Input, { kind: 'keyDown' }>,
): RefusedAct[] {
  const sim = reader.go(tick - 1);
  const player = sim.players().find((each) => each.clientId === clientId);
  const unit = player?.unit;
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
  if (binding?.kind === 'ability') {
    const ability = sim.definition.abilities.get(binding.abilityKey);
    return unpaid(unit, ability?.cost, `"${ability?.name || binding.abilityKey}" costs`);
  }
  const id = binding?.abilityId ?? '';
  const ability = type?.controls?.unitAbilities.get(id);
  if (ability === undefined) return [];
  const name = `"${ability.name || id}"`;
  const found = unpaid(unit, ability.cost, `${name} costs`);
  const { components, clock } = internalsOf(sim).world;
  const use = components.abilities[rowOf(unit.entity)]?.get(id);
  const seconds = use === undefined ? 0 : (use.coolsAtMs - clock.dateMs) / 1000;
  const mend = (copy: Simulation): void =>
    void internalsOf(copy).world.components.abilities[rowOf(unit.entity)]?.delete(id);
  if (use?.active === true) found.push({ why: `${name} was still active`, mend });
  else if (seconds > 0) found.push({ why: `${name} had to cool down for another ${seconds.toFixed(2)} s`, mend });
  return found;
}

function itemHindrances(sim: Simulation, unit: UnitHandle): Hindrance[] {
  const item = unit.holding;
  const definition = sim.definition.itemTypes.get(item?.type ?? '');
  if (item === undefined || definition === undefined) return [];
  const { components, clock } = internalsOf(sim).world;
  const row = rowOf(item.entity);
  const of = (copy: Simulation): typeof components => internalsOf(copy).world.components;
  const name = `${idOf(item)} (${item.name})`;
  const found = unpaid(unit, definition.cost, `using ${name} costs`);
  const fireRateMs = components.itemUse.fireRateMs[row]!;
  const sinceMs = clock.loopMs - components.itemUse.usedAtMs[row]!;
  if (!(fireRateMs < sinceMs)) {
    const rate = Number.isNaN(fireRateMs)
      ? 'had no fire rate, without which it is never ready'
      : `was used ${(sinceMs / 1000).toFixed(2)} s before, and has a fire rate of ${(fireRateMs / 1000).toFixed(2)} s`;
    found.push({
      why: `${name} ${rate}`,
      mend(copy) {
        of(copy).itemUse.usedAtMs[row] = Number.NEGATIVE_INFINITY;
        of(copy).itemUse.fireRateMs[row] = 0;
      },
    });
  }
  const spent = quantityPerUse(definition);
  const quantity = components.stack.quantity[row]!;
  if (quantity < spent)
    found.push({
      why: `${name} had quantity ${quantity}, and a use takes ${spent}`,
      mend(copy) {
        of(copy).stack.quantity[row] = spent;
      },
    });
  const uses = components.delayedUses[row] ?? [];
  if (uses.some(({ part }) => part === 'reload'))
    found.push({
      why: `${name} was reloading`,
      mend(copy) {
        of(copy).delayedUses[row] = uses.filter(({ part }) => part !== 'reload');
      },
    });
  return found;
}

/** The attributes of which a unit or its player has less than something costs. */
function unpaid(unit: UnitHandle, cost: Cost | undefined, what: string): Hindrance[] {
  const { owner } = unit;
  const amounts = [
    ...[...(cost?.unitAttributes ?? [])].map((each) => [unit, ...each] as const),
    ...[...(cost?.playerAttributes ?? [])].flatMap((each) => (owner === undefined ? [] : [[owner, ...each] as const])),
  ];
  return amounts.flatMap(([payer, key, amount]) => {
    const value = payer.attribute(key);
    if (value === undefined || value >= amount) return [];
    const mend = (copy: Simulation): void => {
      const of = copy.find(payer.id);
      if (of?.kind === 'unit' || of?.kind === 'player') copy.edit.setAttribute(of, key, amount);
    };
    return { why: `${what} ${amount} ${nameText(key)}, and ${idOf(payer)} had ${value}`, mend };
  });
}
