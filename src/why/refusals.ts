import { EntityHandle, type Input, type PlayerHandle, type Simulation } from '../../engine/index.ts';
import { internalsOf, type Price, refusalCodes, rowOf } from '../../engine/tools.ts';
import { type Lexicon, type Node, valueText } from '../expression/index.ts';
import type { PlayReader } from './play-reader.ts';
import type { Question } from './reading.ts';

type Purchase = Extract<Input, { kind: 'buyItem' | 'buyUnit' }>;

/** The latest refusals are told, of the latest ticks with a purchase. */
const refusedShown = 3;
const ticksMax = 8;

/** Finds the purchases that the game refused. */
export class Refusals {
  private readonly reader: PlayReader;

  constructor(reader: PlayReader) {
    this.reader = reader;
  }

  /** Those in the ticks after `from` up to `tick` that would have changed a value of the player or its unit. */
  of({ text, node }: Question, from: number, tick: number): readonly string[] {
    const { reader } = this;
    const stake = stakeOf(text, node, reader.source.lexicon);
    if (stake === undefined) return [];
    const of = reader.question(stake.of);
    const sim = reader.go(tick);
    const held = of.read();
    const buyer = sim.players().find((each) => holds(each, held));
    if (buyer === undefined) return [];
    const { clientId } = buyer;
    const ticks = [...reader.journal.inputs].flatMap(([at, inputs]) =>
      at > from && at <= tick && inputs.some((each) => isPurchase(each, clientId)) ? [at] : [],
    );
    const found = ticks.slice(-ticksMax).flatMap((at) => this.in(at, clientId, stake));
    return found.slice(-refusedShown);
  }

  private in(tick: number, clientId: string, stake: Stake): string[] {
    const { reader } = this;
    const found: string[] = [];
    const { read } = reader.question(stake.of);
    const sim = reader.before(tick);
    sim.on('refused', ({ input, reason, why = reason }) => {
      if (!isPurchase(input, clientId)) return;
      const buyer = sim.players().find((each) => each.clientId === clientId);
      if (buyer === undefined || !holds(buyer, read()) || !wouldChange(sim, buyer, input, stake)) return;
      const name = valueText(sim, buyer, reader.source);
      const words = reasonText(sim, buyer, input, why);
      found.push(`At ${reader.moment(tick)} ${name}'s input ${input.kind} ${input.type} was refused: ${words}`);
    });
    sim.step();
    return found;
  }
}

/** Whether something is a player or its selected unit. */
function holds(player: PlayerHandle, found: unknown): boolean {
  return found instanceof EntityHandle && (player.id === found.id || player.unit?.id === found.id);
}

/** What a value shows of a player, or of its unit, that purchases change. */
type Stake =
  /** The items of its unit: of a type, or all. */
  | { readonly kind: 'items'; readonly of: string; readonly type?: string | undefined }
  | { readonly kind: 'attribute'; readonly of: string; readonly keys: ReadonlySet<string> }
  | { readonly kind: 'coins'; readonly of: string };

function isPurchase(input: Input, player: string): input is Purchase {
  return (input.kind === 'buyItem' || input.kind === 'buyUnit') && input.player === player;
}

/**
 * `of`: the expression of the player or unit. Undefined for values of which it is not certain that a purchase changes
 * them.
 */
function stakeOf(text: string, node: Node, lexicon: Lexicon): Stake | undefined {
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
function wouldChange(sim: Simulation, player: PlayerHandle, { kind, type }: Purchase, stake: Stake): boolean {
  const price = priceOf(sim, player, kind, type);
  if (stake.kind === 'coins') return price !== undefined && price.coins > 0;
  if (stake.kind === 'attribute') return [...stake.keys].some((key) => (price?.playerAttributes.get(key) ?? 0) > 0);
  if (kind === 'buyItem' && (stake.type ?? type) === type) return true;
  return stake.type !== undefined && (price?.requiredItemTypes.get(stake.type) ?? 0) > 0;
}

/** The reason of a refusal, with what is certain about the price. */
function reasonText(
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
