import { PersistenceLoaded } from '../../components/persistence.ts';
import { type Quest, Quests } from '../../components/quests.ts';
import { isRecord } from '../../core/plain-object.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { plainCopy } from '../client/plain.ts';
import { announceCreated } from '../entities/announce.ts';
import { attributeRow, setAttributeRate, wakeRegeneration } from '../entities/attribute.ts';
import { destroyEntity } from '../entities/destroy.ts';
import { poseOf } from '../entities/place.ts';
import { variableDefinition, writeVariable } from '../entities/variable.ts';
import type { Game } from '../game.ts';
import { carryingSlots, emptySlotFor, itemInSlot, putInSlot } from '../items/inventory.ts';
import { createItem } from '../items/item.ts';
import { carrierOf } from '../items/item-state.ts';
import { giveItem } from '../items/pick-up.ts';
import { entityTypes, gameIdOf, type PlainRecord, questsOf } from './saved-data.ts';

/** Stores the player data that the host supplied until scripts apply it. Returns false if the data is malformed. */
export function loadPersisted(game: Game, player: Entity, data: unknown): boolean {
  const account = game.world.components.account[rowOf(player)];
  if (account === undefined || !isRecord(data)) return false;
  account.saved = plainCopy(data);
  return true;
}

/**
 * Applies the player part of the data that the host supplied. Returns false if the host supplied none. For an account
 * without saved data, the host supplies an empty record. This counts as loaded, too; otherwise the account could never
 * be saved for the first time.
 */
export function applyToPlayer(game: Game, player: Entity): boolean {
  const kept = game.world.accountOf(player).saved;
  if (!isRecord(kept)) return false;
  const saved = kept['player'];
  if (saved !== undefined) return restorePlayer(game, player, saved, 'earlier');
  game.world.add(player, PersistenceLoaded);
  return true;
}

/** Applies the unit data that the host supplied for the unit's owner. Saved items replace the unit's items. */
export function applyToUnit(game: Game, unit: Entity): boolean {
  const { world } = game;
  const owner = world.ownerOf(unit);
  const persisted = world.is(owner, Kind.player) ? world.accountOf(owner).saved : undefined;
  if (!isRecord(persisted)) return false;
  const saved = persisted['unit'];
  if (saved === undefined) world.add(unit, PersistenceLoaded);
  if (!isRecord(saved)) return saved === undefined;
  replaceUnit(game, unit, saved);
  return true;
}

/** Applies unit data of an earlier game. Saved items replace the unit's items. */
function replaceUnit(game: Game, unit: Entity, saved: PlainRecord) {
  const { world } = game;
  restoreUnit(game, unit, saved, 'earlier');
  const items = recordsOf(saved['inventoryItems']);
  if (items.length > 0) {
    for (const item of [...world.inventoryOf(unit).slots]) if (world.exists(item)) destroyEntity(game, item);
    for (const item of items) putBack(game, unit, item);
  }
}

/**
 * The game that entity ids in the data refer to: the current game for data that a script passes, an earlier game for
 * data from the host. Ids restart in every game, so an id of an earlier game would refer to another entity in this one.
 */
type Origin = 'this' | 'earlier';

/** Applies the player part of saved data; returns false if that part is not a record. */
export function restorePlayer(game: Game, player: Entity, saved: unknown, from: Origin = 'this'): boolean {
  if (!isRecord(saved)) return false;
  restoreValues(game, player, saved, from);
  const gameId = gameIdOf(game);
  const { active, completed } = questsOf({ player: saved });
  game.world.remove(player, Quests);
  const quests = game.world.ensure(player, Quests);
  restoreQuests(quests, completed[gameId], true);
  restoreQuests(quests, active[gameId], false);
  game.world.add(player, PersistenceLoaded);
  return true;
}

/** Applies attributes and variables of a unit. */
function restoreUnit(game: Game, unit: Entity, saved: PlainRecord, from: Origin) {
  restoreValues(game, unit, saved, from);
  game.world.add(unit, PersistenceLoaded);
}

/**
 * Applies the unit part of a script's data. The saved items are added to those of the unit, each in its old slot if
 * that slot is free. Returns false if the data is not a record.
 */
export function restoreUnitAndGiveItems(game: Game, unit: Entity, saved: unknown): boolean {
  const { world } = game;
  if (!isRecord(saved)) return false;
  restoreUnit(game, unit, saved, 'this');
  for (const item of recordsOf(saved['inventoryItems'])) {
    if (!world.exists(unit)) return true;
    const type = world.types.item.get(String(item['itemTypeId']));
    if (type === undefined) continue;
    const given = { type, quantity: quantityOf(item), isUnplaced: true };
    const slot = slotOf(item);
    const isGiven = (slot !== undefined && giveItem(game, unit, { ...given, slot })) || giveItem(game, unit, given);
    if (!isGiven) continue;
    const made = world.memory.last.createdItem;
    if (world.exists(made) && carrierOf(world, made) === unit) restoreValues(game, made, item, 'this');
  }
  return true;
}

/**
 * Puts an item into its old slot, or into another empty slot if the old one is taken, without firing the triggers for
 * picking up. If there is no room, the item is put next to the unit.
 */
function putBack(game: Game, unit: Entity, saved: PlainRecord) {
  const { world } = game;
  const type = world.types.item.get(String(saved['itemTypeId']));
  if (type === undefined || !world.exists(unit)) return;
  const item = createItem(game, { type, ...poseOf(world, unit), quantity: quantityOf(saved) });
  if (item === noEntity) return;
  announceCreated(game, item);
  if (!world.exists(item)) return;
  restoreValues(game, item, saved, 'earlier');
  if (!world.exists(unit) || carrierOf(world, item) !== noEntity) return;
  const slot = slotOf(saved);
  const state = world.inventoryOf(unit);
  const isFree = slot !== undefined && slot < carryingSlots(state) && itemInSlot(world, unit, slot) === noEntity;
  const target = isFree ? slot : emptySlotFor(game, unit, type);
  if (target >= 0) putInSlot(game, item, unit, target);
}

function restoreValues(game: Game, entity: Entity, saved: PlainRecord, from: Origin) {
  restoreAttributes(game, entity, saved['attributes']);
  restoreVariables(game, entity, saved['variables'], from);
}

/** Restores attributes that the entity's type has: bounds and rate, then the value within them. Fires no triggers. */
function restoreAttributes(game: Game, entity: Entity, saved: unknown) {
  if (!isRecord(saved)) return;
  const { attributes } = game.world;
  for (const [key, attribute] of Object.entries(saved)) {
    const row = attributeRow(game.world, entity, key);
    if (row < 0 || !isRecord(attribute)) continue;
    const min = boundOf(attribute['min'], -Infinity);
    const max = boundOf(attribute['max'], Infinity);
    if (min !== undefined) attributes.min[row] = min;
    if (max !== undefined) attributes.max[row] = max;
    const rate = finite(attribute['regenerateSpeed']);
    if (rate !== undefined) setAttributeRate(game, entity, key, rate);
    const value = finite(attribute['value']) ?? attributes.value[row]!;
    attributes.value[row] = Math.max(attributes.min[row]!, Math.min(attributes.max[row]!, value));
    wakeRegeneration(game.world, entity);
  }
}

/**
 * Restores variables that the entity's type has if the value fits (reference: variables#checked-writes). Variables that
 * hold entities of an earlier game are cleared.
 */
function restoreVariables({ world }: Game, entity: Entity, saved: unknown, from: Origin) {
  if (!isRecord(saved)) return;
  const layout = world.components.variables[rowOf(entity)]?.layout;
  for (const [key, variable] of Object.entries(saved)) {
    if (!isRecord(variable) || variable['value'] === null || variable['value'] === undefined) continue;
    const slot = layout?.slots.get(key);
    const isGone =
      from === 'earlier' && slot !== undefined && entityTypes.has(variableDefinition(world, entity, slot).dataType);
    writeVariable(world, entity, key, isGone ? undefined : variable['value']);
  }
}

/** The saved list of completed quests may consist of ids without any details. */
function restoreQuests(quests: Map<string, Quest>, saved: unknown, completed: boolean) {
  const listed = completed && Array.isArray(saved) ? saved.map((id) => [String(id), {}] as const) : undefined;
  for (const [id, quest] of listed ?? Object.entries(isRecord(saved) ? saved : {})) {
    if (!isRecord(quest)) continue;
    quests.set(id, {
      name: typeof quest['name'] === 'string' ? quest['name'] : '',
      description: typeof quest['description'] === 'string' ? quest['description'] : '',
      goal: finite(Number(quest['goal'])) ?? 0,
      progress: finite(quest['progress']) ?? 0,
      completed,
    });
  }
}

function quantityOf(item: PlainRecord) {
  return finite(item['quantity']) ?? Infinity;
}

function slotOf(item: PlainRecord): number | undefined {
  const slot = item['slotIndex'];
  return typeof slot === 'number' && Number.isInteger(slot) && slot >= 0 ? slot : undefined;
}

function recordsOf(value: unknown): PlainRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function finite(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function boundOf(value: unknown, unbounded: number): number | undefined {
  return value === null ? unbounded : finite(value);
}
