import { PersistenceLoaded } from '../../components/persistence.ts';
import { type Quest, Quests } from '../../components/quests.ts';
import { type Entity, Kind, noEntity, rowOf } from '../../world/entity.ts';
import { itemTypeOf } from '../../world/types.ts';
import type { World } from '../../world/world.ts';
import { plainCopy } from '../client/plain.ts';
import { announceCreated } from '../entities/announce.ts';
import { attributeLayoutOf, attributeRow, setAttributeRate, wakeRegeneration } from '../entities/attribute.ts';
import { destroyEntity } from '../entities/destroy.ts';
import { writeVariable } from '../entities/variable.ts';
import type { Game } from '../game.ts';
import { carryingSlots, emptySlotFor, itemInSlot, putInSlot } from '../items/inventory.ts';
import { createItem } from '../items/item.ts';
import { carrierOf } from '../items/item-state.ts';
import { giveItem } from '../items/pick-up.ts';
import { hasGivenBonus } from '../types/buff-catalogue.ts';

/**
 * Data of a player and its unit that outlives a game (reference: players#persistence). Saving publishes plain data for the host to keep. The host
 * gives it back when the player joins, and scripts decide when it is applied. None of that data is trusted.
 */

export interface SavedAttribute {
  readonly value: number;
  /** Null for no bound. */
  readonly min: number | null;
  readonly max: number | null;
  readonly regenerateSpeed: number;
}
export type SavedAttributes = { readonly [key: string]: SavedAttribute };
export type SavedVariables = { readonly [key: string]: { readonly dataType: string; readonly value: unknown } };
export interface SavedItem {
  readonly itemTypeId: string;
  readonly attributes: SavedAttributes;
  readonly variables: SavedVariables;
  /** Null for an endless supply. */
  readonly quantity: number | null;
  /** From 0; null where it was in none. */
  readonly slotIndex: number | null;
}
/** By id of the game, because the data of one player can come from several games. */
export interface SavedQuests {
  readonly active: { readonly [gameId: string]: { readonly [questId: string]: Omit<Quest, 'completed'> } };
  readonly completed: { readonly [gameId: string]: { readonly [questId: string]: Omit<Quest, 'completed'> } };
}
export interface SavedPlayer {
  readonly attributes: SavedAttributes;
  readonly variables: SavedVariables;
  readonly quests: SavedQuests;
}
export interface SavedUnit {
  readonly attributes: SavedAttributes;
  readonly variables: SavedVariables;
  readonly inventoryItems: readonly SavedItem[];
}

/** Lists of entities mean nothing in another game. */
const unsaved: ReadonlySet<string> = new Set(['playerGroup', 'itemGroup', 'unitGroup']);

type PlainRecord = Readonly<Record<string, unknown>>;

// Taking stock.

export function playerData(game: Game, player: Entity): SavedPlayer {
  const { world } = game;
  const kept = questsOf(world.components.account[rowOf(player)]!.saved);
  const gameId = gameIdOf(game);
  const own = (completed: boolean) => {
    const quests = [...(world.components.quests[rowOf(player)] ?? [])].filter(
      ([, quest]) => quest.completed === completed,
    );
    return record(quests.map(([id, { completed: _, ...quest }]) => [id, quest]));
  };
  return {
    attributes: savedAttributes(world, player, bonusesOfPlayer(world, player)),
    variables: savedVariables(world, player),
    quests: {
      active: { ...(kept.active as SavedQuests['active']), [gameId]: own(false) },
      completed: { ...(kept.completed as SavedQuests['completed']), [gameId]: own(true) },
    },
  };
}

export function unitData(game: Game, unit: Entity): SavedUnit {
  const { world } = game;
  const state = world.components.inventory[rowOf(unit)]!;
  const items = state.slots.filter((item) => world.exists(item));
  return {
    attributes: savedAttributes(world, unit, bonusesOfUnit(world, items)),
    variables: savedVariables(world, unit),
    inventoryItems: items.map((item) => savedItem(world, item)),
  };
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

/** A passive bonus that counts now; it is not saved, because the item that gives it is. */
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

/** Computed without changing the attributes, so that a save fires no trigger. */
function savedAttributes(world: World, entity: Entity, bonuses: readonly GivenBonus[]): SavedAttributes {
  const { attributes } = world;
  const start = world.components.attributes.start[rowOf(entity)]!;
  return record(
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
    const { dataType } = set.layout.definitions[slot]!;
    const value = set.values[slot];
    if (!unsaved.has(dataType) && value !== undefined) saved.push([name, { dataType, value: plainCopy(value) }]);
  });
  return record(saved);
}

// Saving.

/** Publishes what there is to keep of a player, and of its selected unit if that was loaded too. Only after loading, or old data would be lost. */
export function savePlayer(game: Game, player: Entity): void {
  const { world } = game;
  if (world.components.account[rowOf(player)]!.userId === undefined || !world.has(player, PersistenceLoaded)) {
    world.fault('wrong-value', 'A player is saved only when it has an account and its data was loaded in this game.');
    return;
  }
  const unit = world.components.ownedUnits[rowOf(player)]!.selected;
  const withUnit = world.is(unit, Kind.unit) && world.has(unit, PersistenceLoaded);
  publish(game, player, { player: playerData(game, player), ...(withUnit ? { unit: unitData(game, unit) } : {}) });
}

export function saveUnit(game: Game, unit: Entity): void {
  const { world } = game;
  const owner = world.components.identity.owner[rowOf(unit)]!;
  const account = world.is(owner, Kind.player) ? world.components.account[rowOf(owner)]! : undefined;
  if (account?.userId === undefined || !world.has(unit, PersistenceLoaded)) {
    world.fault(
      'wrong-value',
      'A unit is saved only when its owner has an account and its data was loaded in this game.',
    );
    return;
  }
  publish(game, owner, { unit: unitData(game, unit) });
}

function publish(
  { world }: Game,
  player: Entity,
  data: { readonly player?: SavedPlayer; readonly unit?: SavedUnit },
): void {
  const { userId } = world.components.account[rowOf(player)]!;
  world.post('persistence', { op: 'save', playerId: world.ref(player)?.id, userId, data });
}

// Loading.

/** Keeps the data that the host has of a player until scripts apply it. False when it is nothing of the kind. */
export function loadPersisted(game: Game, player: Entity, data: unknown): boolean {
  const account = game.world.components.account[rowOf(player)];
  if (account === undefined || !isRecord(data)) return false;
  account.saved = plainCopy(data);
  return true;
}

/**
 * Applies what was kept of the player itself; false when the host handed over nothing. An account without saved data comes with an empty record. That
 * is loaded too, or the account could never be saved for the first time.
 */
export function applyToPlayer(game: Game, player: Entity): boolean {
  const kept = game.world.components.account[rowOf(player)]!.saved;
  if (!isRecord(kept)) return false;
  const saved = kept['player'];
  if (saved !== undefined) return restorePlayer(game, player, saved, 'earlier');
  game.world.add(player, PersistenceLoaded);
  return true;
}

/** Applies what was kept of the unit of the unit's owner: saved items take the place of those it has. */
export function applyToUnit(game: Game, unit: Entity): boolean {
  const { world } = game;
  const owner = world.components.identity.owner[rowOf(unit)]!;
  const persisted = world.is(owner, Kind.player) ? world.components.account[rowOf(owner)]!.saved : undefined;
  if (!isRecord(persisted)) return false;
  const saved = persisted['unit'];
  if (saved === undefined) world.add(unit, PersistenceLoaded);
  if (!isRecord(saved)) return saved === undefined;
  restoreUnit(game, unit, saved, 'earlier');
  const items = recordsOf(saved['inventoryItems']);
  if (items.length > 0) {
    for (const item of [...world.components.inventory[rowOf(unit)]!.slots])
      if (world.exists(item)) destroyEntity(game, item);
    for (const item of items) putBack(game, unit, item);
  }
  return true;
}

/**
 * The game whose entities saved ids name: this one for data of a script, an earlier one for data of the host. Ids start anew in every game, so ids of
 * an earlier one would name other entities.
 */
type Origin = 'this' | 'earlier';

/** The player part as a script holds it; false when it is nothing of the kind. */
export function restorePlayer(game: Game, player: Entity, saved: unknown, from: Origin = 'this'): boolean {
  if (!isRecord(saved)) return false;
  restoreAttributes(game, player, saved['attributes']);
  restoreVariables(game, player, saved['variables'], from);
  // Scripts that ran because of the attributes can have ended it.
  if (!game.world.exists(player)) return true;
  const gameId = gameIdOf(game);
  const { active, completed } = questsOf({ player: saved });
  game.world.remove(player, Quests);
  const quests = game.world.ensure(player, Quests);
  restoreQuests(quests, completed[gameId], true);
  restoreQuests(quests, active[gameId], false);
  game.world.add(player, PersistenceLoaded);
  return true;
}

/** Attributes and variables of a unit; false when it is nothing of the kind. */
function restoreUnit(game: Game, unit: Entity, saved: PlainRecord, from: Origin): void {
  restoreAttributes(game, unit, saved['attributes']);
  restoreVariables(game, unit, saved['variables'], from);
  if (game.world.exists(unit)) game.world.add(unit, PersistenceLoaded);
}

/** The unit part as a script holds it: its items come to what the unit has, each into its slot where that is free. */
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
    if (world.exists(made) && carrierOf(world, made) === unit) restoreItem(game, made, item, 'this');
  }
  return true;
}

/** Into its old slot, without a word of picking up; beside the unit where there is no room. */
function putBack(game: Game, unit: Entity, saved: PlainRecord): void {
  const { world } = game;
  const type = world.types.item.get(String(saved['itemTypeId']));
  if (type === undefined || !world.exists(unit)) return;
  const { x, y, angle } = world.components.transform;
  const row = rowOf(unit);
  const place = { x: x[row]!, y: y[row]!, angle: angle[row]! };
  const item = createItem(game, { type, ...place, quantity: quantityOf(saved) });
  if (item === noEntity) return;
  announceCreated(game, item);
  if (!world.exists(item)) return;
  restoreItem(game, item, saved, 'earlier');
  if (!world.exists(unit) || carrierOf(world, item) !== noEntity) return;
  const slot = slotOf(saved);
  const state = world.components.inventory[row]!;
  const isFree = slot !== undefined && slot < carryingSlots(state) && itemInSlot(world, unit, slot) === noEntity;
  const target = isFree ? slot : emptySlotFor(game, unit, type);
  if (target >= 0) putInSlot(game, item, unit, target);
}

function restoreItem(game: Game, item: Entity, saved: PlainRecord, from: Origin): void {
  restoreAttributes(game, item, saved['attributes']);
  restoreVariables(game, item, saved['variables'], from);
}

/** Restores attributes that exist now: bounds and rate, then the value within them. No trigger fires. */
function restoreAttributes(game: Game, entity: Entity, saved: unknown): void {
  if (!isRecord(saved)) return;
  const { attributes } = game.world;
  for (const [key, attribute] of Object.entries(saved)) {
    const row = attributeRow(game.world, entity, key);
    if (row < 0 || !isRecord(attribute)) continue;
    const min = boundOf(attribute['min'], Number.NEGATIVE_INFINITY);
    const max = boundOf(attribute['max'], Number.POSITIVE_INFINITY);
    if (min !== undefined) attributes.min[row] = min;
    if (max !== undefined) attributes.max[row] = max;
    const rate = finite(attribute['regenerateSpeed']);
    if (rate !== undefined) setAttributeRate(game, entity, key, rate);
    const value = finite(attribute['value']) ?? attributes.value[row]!;
    attributes.value[row] = Math.max(attributes.min[row]!, Math.min(attributes.max[row]!, value));
    wakeRegeneration(game.world, entity);
  }
}

/** Variables that hold entities. */
const entityTypes: ReadonlySet<string> = new Set(['unit', 'item', 'projectile', 'player']);

/** Variables that exist now, where the value fits their type (reference: variables#checked-writes); an entity of an earlier game is gone. */
function restoreVariables({ world }: Game, entity: Entity, saved: unknown, from: Origin): void {
  if (!isRecord(saved)) return;
  const layout = world.components.variables[rowOf(entity)]?.layout;
  for (const [key, variable] of Object.entries(saved)) {
    if (!isRecord(variable) || variable['value'] === null || variable['value'] === undefined) continue;
    const slot = layout?.slots.get(key);
    const isGone = from === 'earlier' && slot !== undefined && entityTypes.has(layout!.definitions[slot]!.dataType);
    writeVariable(world, entity, key, isGone ? undefined : variable['value']);
  }
}

function restoreQuests(quests: Map<string, Quest>, saved: unknown, completed: boolean): void {
  if (!isRecord(saved)) return;
  for (const [id, quest] of Object.entries(saved)) {
    if (!isRecord(quest)) continue;
    quests.set(id, {
      name: typeof quest['name'] === 'string' ? quest['name'] : '',
      description: typeof quest['description'] === 'string' ? quest['description'] : '',
      goal: finite(quest['goal']) ?? 0,
      progress: finite(quest['progress']) ?? 0,
      completed,
    });
  }
}

// Reading of saved data.

function questsOf(data: unknown): { readonly active: PlainRecord; readonly completed: PlainRecord } {
  const player = isRecord(data) ? data['player'] : undefined;
  const quests = isRecord(player) ? player['quests'] : undefined;
  const part = (name: string): PlainRecord => {
    const value = isRecord(quests) ? quests[name] : undefined;
    return isRecord(value) ? value : {};
  };
  return { active: part('active'), completed: part('completed') };
}

function quantityOf(item: PlainRecord): number {
  return finite(item['quantity']) ?? Number.POSITIVE_INFINITY;
}

function slotOf(item: PlainRecord): number | undefined {
  const slot = item['slotIndex'];
  return typeof slot === 'number' && Number.isInteger(slot) && slot >= 0 ? slot : undefined;
}

function recordsOf(value: unknown): PlainRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isRecord(value: unknown): value is PlainRecord {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function finite(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function boundOf(value: unknown, unbounded: number): number | undefined {
  return value === null ? unbounded : finite(value);
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** `Object.fromEntries`, which unlike assignment makes a member of any name a member. */
function record<T>(entries: readonly (readonly [string, T])[]): { readonly [key: string]: T } {
  return Object.fromEntries(entries);
}

function gameIdOf({ definition }: Game): string {
  return definition.defaultData._id ?? '';
}
