import { Trade } from '../../components/trade.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import type { DetailsOf } from '../../world/outbox.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { changes, changesIn, fires, only, rule, tells } from '../effects.ts';
import type { Game } from '../game.ts';
import { carryingSlots, emptySlotFor, itemInSlot, releaseToWorld, swapSlots } from '../items/inventory.ts';
import { pickUpItem } from '../items/pick-up.ts';

/**
 * Trades between two players (reference: players#trades): each puts items of its selected unit into the unit's trade
 * slots, both accept, and the items change hands. Accepting applies to the offers at that moment; any later change of
 * the offers revokes it.
 */

export const trading = rule(
  'trades',
  ['trade'],
  changesIn('player', 'trade'),
  changesIn('unit', 'items', 'slot'),
  changesIn('item', 'carrier', 'state', 'owner', 'visibility'),
  only('standard', changes('size', 'item')),
  changes('last'),
  tells('trade'),
);
/** This rule only fires a trigger: scripts decide whether a trade begins. */
export const tradeWish = rule('requests to trade', ['tradeClick'], fires('whenPlayerClickTradeOption'));

/** A trade message from a player's client. */
export type TradeInput =
  /** Accepts the invitation to trade that `with` sent. */
  | { readonly type: 'start'; readonly with: Entity }
  /** The player has changed its offer. */
  | { readonly type: 'offer' }
  | { readonly type: 'accept' }
  | { readonly type: 'cancel' };

/** Invites a player to trade; nothing changes until that player starts the trade. */
export function proposeTrade(game: Game, from: Entity, to: Entity): void {
  const { world } = game;
  if (from === to || partnerOf(world, from) !== noEntity) return;
  if (partnerOf(world, to) !== noEntity) {
    world.post('chat', { op: 'system', text: `${world.components.name[rowOf(to)]} is busy`, to: { player: from } });
    return;
  }
  world.ensure(to, Trade).askedBy = from;
  post(game, 'init', from, to, to);
}

/** Applies a client's trade message. Returns false if the message is not valid at this point of the trade. */
export function tradeInput(game: Game, player: Entity, input: TradeInput): boolean {
  const { world } = game;
  if (world.components.player[rowOf(player)] === undefined) return false;
  if (input.type === 'start') return start(game, player, input.with);
  if (input.type === 'cancel') return cancelTrade(game, player);
  const partner = partnerOf(world, player);
  if (partner === noEntity) return false;
  const { trade } = world.components;
  if (input.type === 'offer') {
    trade[rowOf(player)]!.terms = undefined;
    trade[rowOf(partner)]!.terms = undefined;
    post(game, 'offer', player, partner, partner, { items: idsOf(world, offerOf(world, player)) });
    return true;
  }
  trade[rowOf(player)]!.terms = termsOf(world, player, partner);
  post(game, 'accept', player, partner, partner);
  if (isAgreed(world, player, partner) && isAgreed(world, partner, player)) exchange(game, player, partner);
  return true;
}

/**
 * Cancels a player's trade, if there is one; offered items go back to their owners. Also called when a player leaves.
 * Returns false if the player is not trading with a partner.
 */
export function cancelTrade(game: Game, player: Entity): boolean {
  const { world } = game;
  if (world.components.player[rowOf(player)] === undefined) return false;
  const partner = partnerOf(world, player);
  world.remove(player, Trade);
  clearTable(game, player);
  if (partner === noEntity) return false;
  world.remove(partner, Trade);
  clearTable(game, partner);
  post(game, 'cancel', player, partner, partner);
  post(game, 'cancel', player, partner, player);
  return true;
}

function start(game: Game, player: Entity, other: Entity): boolean {
  const { world } = game;
  const asker = world.components.trade[rowOf(player)]?.askedBy;
  if (other === noEntity || asker !== other || !world.is(other, Kind.player)) return false;
  if (partnerOf(world, player) !== noEntity || partnerOf(world, other) !== noEntity) return false;
  for (const [one, partner] of [
    [player, other],
    [other, player],
  ] as const) {
    world.remove(one, Trade);
    world.ensure(one, Trade).partner = partner;
  }
  post(game, 'start', other, player, other);
  post(game, 'start', other, player, player);
  return true;
}

/** The partner of a player's trade, if that player still exists and is in the same trade; 0 for none. */
function partnerOf(world: World, player: Entity): Entity {
  const { trade } = world.components;
  const partner = trade[rowOf(player)]?.partner ?? noEntity;
  return world.is(partner, Kind.player) && trade[rowOf(partner)]?.partner === player ? partner : noEntity;
}

/** The items in the trade slots of a player's selected unit, slot by slot; 0 for an empty slot. */
function offerOf(world: World, player: Entity): Entity[] {
  return Array.from(onTable(world, world.selectedUnitOf(player)), ([, item]) => item);
}

/** Yields the trade slots of a unit and their items, each read when the loop reaches it; 0 for an empty slot. */
function* onTable(world: World, unit: Entity): Generator<readonly [slot: number, item: Entity]> {
  if (!world.is(unit, Kind.unit)) return;
  const state = world.inventoryOf(unit);
  for (let slot = carryingSlots(state); slot < state.slots.length; slot++) yield [slot, itemInSlot(world, unit, slot)];
}

function termsOf(world: World, player: Entity, partner: Entity): Entity[] {
  return [...offerOf(world, player), ...offerOf(world, partner)];
}

function isAgreed(world: World, player: Entity, partner: Entity) {
  const agreed = world.components.trade[rowOf(player)]?.terms;
  if (agreed === undefined) return false;
  const now = termsOf(world, player, partner);
  return now.length === agreed.length && now.every((item, i) => item === agreed[i]);
}

/**
 * Exchanges the offers. All items are released before any is picked up, so that both units have the room that their own
 * items leave.
 */
function exchange(game: Game, player: Entity, partner: Entity) {
  const { world } = game;
  const ownUnit = world.selectedUnitOf(player);
  const otherUnit = world.selectedUnitOf(partner);
  const given = putDown(game, ownUnit);
  const taken = putDown(game, otherUnit);
  world.remove(player, Trade);
  world.remove(partner, Trade);
  handOver(game, given, otherUnit, ownUnit);
  handOver(game, taken, ownUnit, otherUnit);
  post(game, 'success', player, partner, player);
  post(game, 'success', player, partner, partner);
}

function putDown(game: Game, unit: Entity): Entity[] {
  const items: Entity[] = [];
  for (const [slot, item] of onTable(game.world, unit))
    if (item !== noEntity && releaseToWorld(game, item, unit, slot)) items.push(item);
  return items;
}

/** Gives items to the unit `to`. Items that it cannot take go back to the unit `from`, or stay on the ground. */
function handOver(game: Game, items: readonly Entity[], to: Entity, from: Entity) {
  const { world } = game;
  for (const item of items) {
    const isTaken = world.is(to, Kind.unit) && pickUpItem(game, to, item);
    if (!isTaken && world.is(from, Kind.unit)) pickUpItem(game, from, item);
  }
}

/** Puts offered items back into slots of their unit; those without room are dropped. */
function clearTable(game: Game, player: Entity) {
  const { world } = game;
  const unit = world.selectedUnitOf(player);
  for (const [slot, item] of onTable(world, unit)) {
    if (item === noEntity) continue;
    const free = emptySlotFor(game, unit, itemTypeOf(world, item));
    if (free < 0 || !swapSlots(game, unit, slot, free)) releaseToWorld(game, item, unit, slot);
    if (!world.exists(unit)) return;
  }
}

function idsOf(world: World, items: readonly Entity[]): (string | null)[] {
  return items.map((item) => world.ref(item)?.id ?? null);
}

function post(
  { world }: Game,
  op: 'init' | 'start' | 'offer' | 'accept' | 'cancel' | 'success',
  from: Entity,
  to: Entity,
  reader: Entity,
  details: DetailsOf<'trade'> = {},
) {
  const fromPlayerId = world.ref(from)?.id;
  const toPlayerId = world.ref(to)?.id;
  world.post('trade', { op, fromPlayerId, toPlayerId, ...details, to: { player: reader } });
}
