import { PersistenceLoaded } from '../../components/persistence.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { plainCopy } from '../client/plain.ts';
import { attributeLayoutOf } from '../entities/attribute.ts';
import { variableDefinition } from '../entities/variable.ts';
import type { Game } from '../game.ts';
import { withoutBonuses } from '../items/bonus.ts';
import { hasGivenBonus } from '../types/buff-catalogue.ts';
import { questRecord } from './quest.ts';
import {
  gameIdOf,
  questsOf,
  type SavedAttribute,
  type SavedAttributes,
  type SavedItem,
  type SavedPlayer,
  type SavedQuests,
  type SavedUnit,
  type SavedVariables,
} from './saved-data.ts';

/** Data types of variables that are not saved, because lists of entities are meaningless in another game. */
export const unsaved: ReadonlySet<string> = new Set(['playerGroup', 'itemGroup', 'unitGroup']);

/** The player part of a save. */
export function playerData(game: Game, player: Entity): SavedPlayer {
  const { world } = game;
  const variables = savedVariables(world, player);
  const unit = world.components.ownedUnits[rowOf(player)]?.selected ?? noEntity;
  const attributes = attributesToSave(game, player, unit, () => bonusesOfPlayer(world, player));
  return { attributes, variables, quests: savedQuests(game, player) };
}

/** The quests of this game, and the stored ones of other games. */
export function savedQuests(game: Game, player: Entity): SavedQuests {
  const { world } = game;
  const kept = questsOf(world.accountOf(player).saved);
  const gameId = gameIdOf(game);
  const own = (completed: boolean) => {
    const quests = [...(world.components.quests[rowOf(player)] ?? [])].filter(
      ([, quest]) => quest.completed === completed,
    );
    return Object.fromEntries(quests.map(([id, quest]) => [id, questRecord(quest)]));
  };
  return {
    active: { ...(kept.active as SavedQuests['active']), [gameId]: own(false) },
    completed: { ...(kept.completed as SavedQuests['completed']), [gameId]: own(true) },
  };
}

/** The unit part of a save. */
export function unitData(game: Game, unit: Entity): SavedUnit {
  const { world } = game;
  const items = () => world.inventoryOf(unit).slots.filter((item) => world.exists(item));
  const variables = savedVariables(world, unit);
  const attributes = attributesToSave(game, unit, unit, () => bonusesOfUnit(world, items()));
  return { attributes, variables, inventoryItems: items().map((item) => savedItem(world, item)) };
}

/**
 * The attributes to save, without the bonuses of the unit's items. Depending on the dialect, the bonuses are subtracted
 * from the saved values, or taken from the unit and its player during the save.
 */
function attributesToSave(
  game: Game,
  entity: Entity,
  unit: Entity,
  bonuses: () => readonly GivenBonus[],
): SavedAttributes {
  const { world } = game;
  if (game.rules.savingKeepsBonuses) return savedAttributes(world, entity, bonuses());
  const plain = () => savedAttributes(world, entity, []);
  return world.is(unit, Kind.unit) ? withoutBonuses(game, unit, plain) : plain();
}

function savedItem(world: World, item: Entity): SavedItem {
  const { quantity } = world.components.stack;
  const { slot } = world.components.carried;
  const row = rowOf(item);
  return {
    itemTypeId: itemTypeOf(world, item).key,
    attributes: savedAttributes(world, item, []),
    variables: savedVariables(world, item),
    quantity: finiteOrNull(quantity[row]!),
    slotIndex: slot[row]! < 0 ? null : slot[row]!,
  };
}

/** An active passive bonus. The bonus is not saved, because the item that gives it is saved. */
interface GivenBonus {
  readonly key: string;
  readonly type: 'flat' | 'percentage';
  readonly value: number;
}

function bonusesOfUnit(world: World, items: readonly Entity[]): GivenBonus[] {
  return items.flatMap((item) => {
    if (!hasGivenBonus(world, item)) return [];
    return listed(itemTypeOf(world, item).definition.bonus?.passive?.unitAttribute);
  });
}

function bonusesOfPlayer(world: World, player: Entity): GivenBonus[] {
  const given: GivenBonus[] = [];
  for (const item of world.lists[Kind.item]!.entries) {
    if (!world.exists(item) || world.components.passiveBonus[rowOf(item)]?.player !== player) continue;
    given.push(...listed(itemTypeOf(world, item).definition.bonus?.passive?.playerAttribute));
  }
  return given;
}

function listed(bonuses: ReadonlyMap<string, Omit<GivenBonus, 'key'>> | undefined): GivenBonus[] {
  return [...(bonuses ?? [])].map(([key, { type, value }]) => ({ key, type, value }));
}

/** The attributes as they would be without `bonuses`. Changes no attribute and fires no trigger. */
function savedAttributes(world: World, entity: Entity, bonuses: readonly GivenBonus[]): SavedAttributes {
  const { attributes } = world;
  const start = world.components.attributes.start[rowOf(entity)]!;
  return Object.fromEntries(
    attributeLayoutOf(world, entity).keys.map((key, i) => {
      let value = attributes.value[start + i]!;
      let max = attributes.max[start + i]!;
      for (const bonus of bonuses) {
        if (bonus.key !== key) continue;
        const factor = bonus.type === 'percentage' ? 1 + bonus.value / 100 : 1;
        if (factor === 0) continue;
        value /= factor;
        max = bonus.type === 'percentage' ? max / factor : max - bonus.value;
      }
      const saved: SavedAttribute = {
        value: Math.max(attributes.min[start + i]!, Math.min(max, value)),
        min: finiteOrNull(attributes.min[start + i]!),
        max: finiteOrNull(max),
        regenerateSpeed: attributes.rate[start + i]!,
      };
      return [key, saved];
    }),
  );
}

function savedVariables(world: World, entity: Entity): SavedVariables {
  const set = world.components.variables[rowOf(entity)];
  if (set === undefined) return {};
  const saved: [string, SavedVariables[string]][] = [];
  set.layout.names.forEach((name, slot) => {
    const { dataType } = variableDefinition(world, entity, slot);
    const value = set.values[slot];
    if (!unsaved.has(dataType) && value !== undefined) saved.push([name, { dataType, value: plainCopy(value) }]);
  });
  return Object.fromEntries(saved);
}

/**
 * Publishes a save of a player, and of the player's selected unit if the unit's data was loaded, too. Saving a player
 * who has no account, or whose data was not loaded in this game, is a fault, because the save would overwrite the old
 * data.
 */
export function savePlayer(game: Game, player: Entity): void {
  const { world } = game;
  const { userId } = world.accountOf(player);
  if (userId === undefined || !world.has(player, PersistenceLoaded)) {
    world.fault('wrong-value', 'A player can be saved only if it has an account and its data was loaded in this game.');
    return;
  }
  const unit = world.selectedUnitOf(player);
  const withUnit = world.is(unit, Kind.unit) && world.has(unit, PersistenceLoaded);
  publish(game, player, { player: playerData(game, player), ...(withUnit && { unit: unitData(game, unit) }) });
}

export function saveUnit(game: Game, unit: Entity): void {
  const { world } = game;
  const owner = world.ownerOf(unit);
  const account = world.is(owner, Kind.player) ? world.accountOf(owner) : undefined;
  if (account?.userId === undefined || !world.has(unit, PersistenceLoaded)) {
    world.fault(
      'wrong-value',
      'A unit can be saved only if its owner has an account and the data of the unit was loaded in this game.',
    );
    return;
  }
  publish(game, owner, { unit: unitData(game, unit) });
}

function publish({ world }: Game, player: Entity, data: object) {
  const { userId } = world.accountOf(player);
  world.post('persistence', { op: 'save', playerId: world.ref(player)?.id, userId, data });
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}
