import { KeptVariables } from '../../components/kept-variables.ts';
import type { Dictionary } from '../../core/plain-object.ts';
import type { VariableDefinition } from '../../definition/variable.ts';
import { type Entity, EntityRef, Kind, rowOf } from '../../world/entity.ts';
import type { VariableLayout, VariableSet } from '../../world/variable.ts';
import type { World } from '../../world/world.ts';
import type { Game } from '../game.ts';

/** The value of a global variable; null if no variable has the name (reference: variables#reading). */
export function readGlobal(world: World, name: string): unknown {
  const slot = world.globals.layout.slots.get(name);
  return slot === undefined ? null : readGlobalSlot(world, slot);
}

/**
 * The value of the global variable in a slot, as scripts read it. If the variable has no value, reading it moves the
 * default into the variable, except for regions.
 */
export function readGlobalSlot(world: World, slot: number): unknown {
  const { globals } = world;
  const value = globals.values[slot];
  if (value !== undefined && value !== null) return value;
  const initial = peekGlobalSlot(world, slot);
  if (!globals.isUnread(slot) || globals.layout.definitions[slot]!.dataType === 'region') return initial;
  globals.defaultSpent[slot] = 1;
  globals.values[slot] = unfrozenCopy(initial);
  return globals.values[slot];
}

/**
 * The value that a script would read from the variable in a slot, without moving the default into the variable. All
 * readers other than scripts use this function. Entities are returned as `EntityRef`, including the region of a region
 * variable and a player named by a default such as `computer1`. Any other default is the frozen value of the
 * definition.
 */
export function peekGlobalSlot(world: World, slot: number): unknown {
  const { globals } = world;
  if (!globals.isUnread(slot)) return globals.values[slot];
  const { dataType, default: initial } = globals.layout.definitions[slot]!;
  // Returns a missing default as it is: null and undefined differ, because conditions count null as 0.
  if (dataType !== 'region' && (initial === undefined || initial === null)) return globals.values[slot];
  if (dataType === 'region') return regionNamed(world, globals.layout.names[slot]!) ?? initial;
  return dataType === 'player' || dataType === 'unit' ? computerPlayer(world, initial) : initial;
}

/**
 * Sets a global variable. Every global variable accepts any value (reference: variables#writing). Returns false, and
 * stores nothing, if no variable has the name.
 */
export function writeGlobal(world: World, name: string, value: unknown): boolean {
  const slot = world.globals.layout.slots.get(name);
  if (slot === undefined) return false;
  writeGlobalSlot(world, slot, value);
  return true;
}

export function writeGlobalSlot({ globals }: World, slot: number, value: unknown): void {
  globals.values[slot] = unfrozenCopy(value);
  globals.lastUpdated = globals.layout.names[slot];
}

/**
 * Writes a value without counting as an update of the variable: for loop counters and sums (reference:
 * variables#writing). The value is stored as it is.
 */
export function replaceGlobalSlot({ globals }: World, slot: number, value: unknown): void {
  globals.values[slot] = value;
}

/**
 * Clears a variable and its default. Only for the literal `undefinedValue`: if a script writes any other undefined
 * value, the variable keeps its default (reference: variables#writing).
 */
export function clearGlobal(world: World, name: string): boolean {
  if (!writeGlobal(world, name, undefined)) return false;
  world.globals.defaultSpent[world.globals.layout.slots.get(name)!] = 1;
  return true;
}

/** The region entity of a region variable; undefined once it is destroyed. */
export function regionNamed(world: World, name: string): EntityRef | undefined {
  for (const entity of world.lists[Kind.region]!.entries) {
    if (world.components.region[rowOf(entity)]?.name === name) return world.ref(entity);
  }
  return undefined;
}

/** The computer player that a key from `computer1` to `computer10` names; undefined for any other key. */
export function computerPlayer(world: World, key: unknown): EntityRef | undefined {
  if (typeof key !== 'string' || !key.startsWith('computer')) return undefined;
  return world.ref(world.playerOf(`c${key.slice('computer'.length)}`));
}

/**
 * Copies a value if it is frozen. Literals of the definition are frozen and shared, so a variable that stores one gets
 * its own copy, which scripts can change in place.
 */
export function unfrozenCopy(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || value instanceof EntityRef || !Object.isFrozen(value))
    return value;
  return clone(value);
}

function clone(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || value instanceof EntityRef) return value;
  if (Array.isArray(value)) return value.map(clone);
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) copy[key] = clone(member);
  return copy;
}

// The following functions concern variables of entities and players.

/**
 * Creates variables with their defaults, skipping defaults that do not fit their type (reference: variables#defaults).
 */
export function createVariables(world: World, layout: VariableLayout): VariableSet {
  const set: VariableSet = { layout, values: new Array(layout.names.length).fill(undefined) };
  for (let slot = 0; slot < layout.names.length; slot++) applyDefault(world, set, slot);
  return set;
}

function applyDefault(world: World, set: VariableSet, slot: number) {
  fill(world, set, slot, set.layout.definitions[slot]!, true);
}

function fill(
  world: World,
  set: VariableSet,
  slot: number,
  { dataType, default: initial, hasDefault }: VariableDefinition,
  isChecked: boolean,
) {
  if (!hasDefault) return;
  const fitting = isChecked || references.has(dataType) ? asType(world, dataType, initial) : initial;
  if (fitting !== misfit) set.values[slot] = unfrozenCopy(fitting);
}

/** The definition of an entity's variable: the values that it accepts, and its default. */
export function variableDefinition(world: World, entity: Entity, slot: number): VariableDefinition {
  const row = rowOf(entity);
  const { layout } = world.components.variables[row]!;
  const kept = world.components.keptVariables[row]?.layouts[slot];
  return kept?.definitions[kept.slots.get(layout.names[slot]!)!] ?? layout.definitions[slot]!;
}

export function readVariable(world: World, entity: Entity, key: string): unknown {
  if (!world.exists(entity)) return undefined;
  const set = world.components.variables[rowOf(entity)];
  const slot = set?.layout.slots.get(key);
  if (set === undefined || slot === undefined) return undefined;
  const value = set.values[slot];
  // A reference to a destroyed entity reads as undefined (reference: variables#checked-reads).
  return value instanceof EntityRef && !world.exists(value.entity) ? undefined : value;
}

type WriteResult = 'stored' | 'no-such-variable' | 'type-mismatch';

/**
 * Stores a value that fits the variable's type. Undefined clears the variable; a value that does not fit leaves it
 * unchanged (reference: variables#checked-writes).
 */
export function writeVariable(world: World, entity: Entity, key: string, value: unknown): WriteResult {
  const set = world.components.variables[rowOf(entity)];
  const slot = set?.layout.slots.get(key);
  return set === undefined || slot === undefined ? 'no-such-variable' : writeSlot(world, entity, slot, value);
}

/** Like `writeVariable`, for callers that already have the slot of the variable. */
export function writeSlot(world: World, entity: Entity, slot: number, value: unknown): WriteResult {
  const set = world.components.variables[rowOf(entity)]!;
  if (value === undefined) {
    set.values[slot] = undefined;
    return 'stored';
  }
  const fitting = asType(world, variableDefinition(world, entity, slot).dataType, value);
  if (fitting === misfit) return 'type-mismatch';
  set.values[slot] = unfrozenCopy(fitting);
  return 'stored';
}

/**
 * Replaces the variables of an entity whose type changes. Variables of both types keep their value, new ones start with
 * their default. Variables that were cleared get their default again if the entity is a unit. The reference does this
 * for players, too, without checking that the default fits (reference: variables#type-changes).
 */
export function changeVariables({ world, rules }: Game, entity: Entity, layout: VariableLayout): void {
  const row = rowOf(entity);
  const { components: c } = world;
  const old = c.variables[row];
  const isUnit = c.identity.kind[row] === Kind.unit;
  const redefines = rules.typeChangesRedefineVariables;
  const set: VariableSet = { layout, values: new Array(layout.names.length).fill(undefined) };
  const kept = layout.names.map((name, slot) => {
    const oldSlot = old?.layout.slots.get(name);
    if (oldSlot !== undefined) set.values[slot] = old!.values[oldSlot];
    const from =
      oldSlot === undefined || redefines ? undefined : (c.keptVariables[row]?.layouts[oldSlot] ?? old!.layout);
    const { definitions, slots } = from ?? layout;
    if (set.values[slot] === undefined && (oldSlot === undefined || isUnit || !redefines))
      fill(world, set, slot, definitions[slots.get(name)!]!, isUnit || redefines);
    return from === layout ? undefined : from;
  });
  c.variables[row] = set;
  if (kept.some((from) => from !== undefined)) world.ensure(entity, KeptVariables).layouts = kept;
  else world.remove(entity, KeptVariables);
}

/** Data types whose values are stored as references to entities. */
const references: ReadonlySet<string> = new Set('unit item projectile player region'.split(' '));

const misfit = Symbol('misfit');

function asType(world: World, dataType: string, value: unknown): unknown {
  switch (dataType) {
    case 'number':
      return typeof value === 'number' ? value : misfit;
    case 'string':
    case 'particleEmitter':
      return typeof value === 'string' ? value : misfit;
    case 'boolean':
      return typeof value === 'boolean' ? value : misfit;
    case 'position': {
      if (value === null || typeof value !== 'object') return misfit;
      const { x, y } = value as { x?: unknown; y?: unknown };
      return x === undefined || x === null || y === undefined || y === null ? misfit : value;
    }
    case 'unit':
    case 'item':
    case 'projectile':
    case 'player': {
      const ref = typeof value === 'string' ? refById(world, value) : value;
      if (typeof value === 'string' && ref === undefined) return undefined;
      return ref instanceof EntityRef && ref.kind === dataType ? ref : misfit;
    }
    case 'region':
      // A plain rectangle is not a region entity; the reference stores undefined for it.
      return value instanceof EntityRef && value.kind === 'region' ? value : isRectangle(value) ? undefined : misfit;
    default:
      return value === null ? misfit : value;
  }
}

function isRectangle(value: unknown) {
  return value !== null && typeof value === 'object' && 'width' in value && 'height' in value;
}

/** Kinds whose entities all have numbered ids such as `u3`, by the first letter of these ids. */
const numbered: Dictionary<number> = { u: Kind.unit, i: Kind.item, b: Kind.projectile };

/**
 * The existing entity with this id, as scripts see it. Numbers ascend in the list of a kind, so a binary search finds
 * most entities: servers look one up for each effect of a tick.
 */
export function refById(world: World, id: string): EntityRef | undefined {
  const kind = numbered[id.charAt(0)];
  const number = Number(id.slice(1));
  const nameOf = (entity: Entity): string | number => world.components.handle[rowOf(entity)]!.name;
  // Ids of players come from the host, and can look like the id of a unit.
  const isPlayer = world.lists[Kind.player]!.entries.some((player) => nameOf(player) === id);
  if (kind !== undefined && id === id.charAt(0) + number && !isPlayer) {
    const { entries } = world.lists[kind]!;
    let from = 0;
    for (let to = entries.length; from < to; ) {
      const middle = (from + to) >> 1;
      if (Number(nameOf(entries[middle]!)) < number) from = middle + 1;
      else to = middle;
    }
    const found = from < entries.length ? world.ref(entries[from]!) : undefined;
    return found?.id === id ? found : undefined;
  }
  for (const entity of world.order.entries) {
    const ref = world.ref(entity);
    if (ref?.id === id) return ref;
  }
  return undefined;
}
