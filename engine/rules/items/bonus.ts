import { PassiveBonus as Bonus } from '../../components/passive-bonus.ts';
import { emptyMap } from '../../definition/frozen-map.ts';
import type { PassiveBonus } from '../../definition/item.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { attributeRow, attributeValue, updateAttribute } from '../entities/attribute.ts';
import type { BonusRules, Game } from '../game.ts';
import { givesCarrier, hasGivenBonus, rolledValue } from '../types/buff-catalogue.ts';
import { typeKey } from '../types/type-key.ts';
import { carrierOf } from './item-state.ts';

/**
 * Gives the bonuses of one use of a consumable, first to the unit, then to its player. Attributes that the unit or
 * player lacks are skipped.
 */
export function giveConsumableBonus(game: Game, item: Entity, unit: Entity): void {
  const { world } = game;
  const given = itemTypeOf(world, item).definition.bonus?.consume;
  if (given === undefined) return;
  add(game, unit, given.unitAttribute);
  const player = world.ownerOf(unit);
  if (!world.is(player, Kind.player)) return;
  add(game, player, given.playerAttribute);
  if (given.coin !== undefined) world.components.wallet[rowOf(player)]!.coins += given.coin;
}

function add(game: Game, entity: Entity, amounts: ReadonlyMap<string, number>) {
  for (const [key, amount] of amounts) {
    const value = attributeValue(game.world, entity, key);
    if (value !== undefined) updateAttribute(game, entity, key, value + amount);
  }
}

/**
 * Gives or takes an item's passive bonuses. The carrier has them while it may use the item and the item is in a slot
 * where they count, selected or not (reference: items-projectiles#passive-bonuses).
 */
export function updatePassiveBonus(game: Game, item: Entity): void {
  const { world } = game;
  const carrier = carrierOf(world, item);
  const due = carrier !== noEntity && counts(game, item, carrier);
  if (due === hasGivenBonus(world, item)) return;
  if (carrier === noEntity) world.remove(item, Bonus);
  else changeBonus(game, item, carrier, due);
}

/**
 * Must be called after a unit's attributes were recreated. Adds the bonuses of its items to the maxima again, so that
 * the bonuses can be taken back. Values are only limited to their maximum, because they still contain the bonuses.
 */
export function renewBonuses(world: World, unit: Entity): void {
  const { max, min, value: values } = world.attributes;
  for (const item of world.inventoryOf(unit).slots) {
    if (!world.exists(item) || !hasGivenBonus(world, item)) continue;
    for (const [key, { type, value }] of unitBonuses(world, item)) {
      const row = attributeRow(world, unit, key);
      if (row < 0) continue;
      max[row] = type === 'percentage' ? max[row]! * (1 + value / 100) : max[row]! + value;
      values[row] = Math.min(values[row]!, Math.max(min[row]!, max[row]!));
    }
  }
}

/**
 * Gives an item's bonuses to the attributes of its carrier's new type; percentage bonuses also raise the values again
 * (reference: units#type-changes).
 */
export function giveBonusAgain(game: Game, item: Entity): void {
  game.world.remove(item, Bonus);
  updatePassiveBonus(game, item);
}

/**
 * Takes the bonuses of an item from a unit that loses it. `slot` is where the item was; undefined if it is being
 * destroyed.
 */
export function takeBonus(game: Game, item: Entity, unit: Entity, slot: number | undefined): void {
  if (!game.rules.bonuses.isOwed(game, item, unit, slot)) return;
  changeBonus(game, item, unit, false);
}

/**
 * Calls `take` while the bonuses of all items in a unit's slots are removed. The bonuses are removed and restored as
 * the reference does for a save: even those of items that the unit may not use. Values are limited to the lower
 * maximum, and triggers fire (reference: players#persistence).
 */
export function withoutBonuses<T>(game: Game, unit: Entity, take: () => T): T {
  const { world } = game;
  const slots = [...(world.components.inventory[rowOf(unit)]?.slots ?? [])];
  const change = (give: boolean) => {
    for (const item of slots) {
      if (!world.exists(item) || !world.exists(unit)) continue;
      if (!revertListedBonuses.isOwed(game, item, unit, world.components.carried.slot[rowOf(item)])) continue;
      const had = hasGivenBonus(world, item);
      changeBonus(game, item, unit, give);
      if (give && !given.has(item)) world.remove(item, Bonus);
      else if (!give && had) given.add(item);
    }
  };
  const given = new Set<Entity>();
  change(false);
  const taken = take();
  change(true);
  return taken;
}

/** An item takes back only the bonuses that it gave, and takes the bonuses for players from the player who got them. */
export const revertGivenBonuses: BonusRules = {
  isOwed: ({ world }, item) => hasGivenBonus(world, item),
  debtor: ({ world }, item) => world.components.passiveBonus[rowOf(item)]?.player ?? noEntity,
};

/**
 * As in the reference, an item takes back the bonuses that its type lists, whether the item gave them or not; on
 * destruction even if the item is in the backpack. The unit's current owner loses the bonuses for players (reference:
 * items-projectiles#passive-bonuses).
 */
export const revertListedBonuses: BonusRules = {
  isOwed({ world }, item, unit, slot) {
    const passive = itemTypeOf(world, item).definition.bonus?.passive;
    if (passive === undefined || !world.is(unit, Kind.unit)) return false;
    return slot === undefined || !passive.isDisabledInBackpack || slot < world.inventoryOf(unit).inventorySize;
  },
  debtor({ world }, _item, unit) {
    const player = world.ownerOf(unit);
    return world.is(player, Kind.player) && world.is(world.selectedUnitOf(player), Kind.unit) ? player : noEntity;
  },
};

function counts({ world }: Game, item: Entity, carrier: Entity) {
  const { definition } = itemTypeOf(world, item);
  const passive = definition.bonus?.passive;
  if (passive === undefined && !givesCarrier(world, item)) return false;
  const slot = world.components.carried.slot[rowOf(item)]!;
  if (slot < 0 || !mayUse(world, carrier, definition.canBeUsedBy)) return false;
  return !passive?.isDisabledInBackpack || slot < world.inventoryOf(carrier).inventorySize;
}

/** The bonuses that a unit gets for carrying the item: those of the item's type, and those it rolled. */
function unitBonuses(world: World, item: Entity): Iterable<readonly [string, PassiveBonus]> {
  const declared = itemTypeOf(world, item).definition.bonus?.passive?.unitAttribute ?? emptyMap;
  const stamina = rolledValue(world, item, 'maxStamina');
  return stamina === 0 ? declared : [...declared, ['stamina', { type: 'flat', value: stamina }]];
}

/** Whether a unit is of one of the allowed types. An empty list allows every type. */
export function mayUse(world: World, unit: Entity, allowed: readonly string[]): boolean {
  return allowed.length === 0 || allowed.includes(typeKey(world, unit)!);
}

/**
 * Gives or takes an item's passive bonuses. Players only get bonuses through their selected unit (reference:
 * items-projectiles#passive-bonuses). In dialects with `itemsRevertOwnBonuses`, they only lose bonuses that they were
 * given.
 */
function changeBonus(game: Game, item: Entity, unit: Entity, give: boolean) {
  const { world } = game;
  let player = give ? noEntity : game.rules.bonuses.debtor(game, item, unit);
  if (give) {
    const owner = world.ownerOf(unit);
    player = world.is(owner, Kind.player) && world.selectedUnitOf(owner) === unit ? owner : noEntity;
  }
  if (!give) world.remove(item, Bonus);
  else if (world.exists(item)) world.ensure(item, Bonus).player = player;
  for (const [key, bonus] of unitBonuses(world, item)) apply(game, unit, key, bonus, give);
  const { bonus: declared } = itemTypeOf(world, item).definition;
  if (player === noEntity || declared?.passive === undefined) return;
  for (const [key, bonus] of declared.passive.playerAttribute) apply(game, player, key, bonus, give);
}

function apply(game: Game, entity: Entity, key: string, { type, value }: PassiveBonus, give: boolean) {
  const { attributes } = game.world;
  const row = attributeRow(game.world, entity, key);
  if (row < 0) return;
  const max = attributes.max[row]!;
  if (type === 'percentage') {
    const factor = 1 + value / 100;
    // Taking back a bonus of -100 % would divide by zero; the attribute then stays as it is.
    if (factor === 0 && !give) return;
    const scale = give ? factor : 1 / factor;
    updateAttribute(game, entity, key, (attributes.value[row]! || 1) * scale, undefined, max * scale);
  } else {
    updateAttribute(game, entity, key, undefined, undefined, give ? max + value : max - value);
  }
}
