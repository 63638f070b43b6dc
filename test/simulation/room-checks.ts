import type { Simulation, StateView } from '../../engine/index.ts';
import { attributeLayoutOf } from '../../engine/rules/entities/attribute.ts';
import { internalsOf, rowOf } from '../../engine/tools.ts';
import { type Entity, Kind, kinds } from '../../engine/world/entity.ts';

/** Computing the view costs more than a tick, so only every fifth tick is checked. */
const viewedEvery = 5;

/**
 * Violations of invariants that hold for every definition, as sentences; empty if there are none. To be called after
 * each tick.
 */
export function roomFaults(sim: Simulation): string[] {
  const found: string[] = [];
  checkLists(sim, found);
  checkRows(sim, found);
  checkNumbers(sim, found);
  if (sim.tick % viewedEvery === 0) {
    const view = sim.view();
    checkIds(sim, view, found);
    checkInventories(view, sim.dialect !== 'moddio', found);
    checkBodies(sim, found);
  }
  return found;
}

/**
 * In `moddio`, a player starts with the values of its first type, regardless of the bounds
 * (`playersStartWithinBounds`). A unit keeps a value above the maximum of a new type (`typeChangesClamp`). An attribute
 * that is set to a non-number becomes NaN (`attributesStayNumbers`).
 */
function mayBeOutside(sim: Simulation, entity: Entity, at: number): boolean {
  const { world, game } = internalsOf(sim);
  const { identity, attributes } = world.components;
  const row = rowOf(entity);
  const value = world.attributes.value[at]!;
  if (Number.isNaN(value)) return true;
  if (identity.kind[row] === Kind.unit) return value > world.attributes.max[at]!;
  if (identity.kind[row] !== Kind.player) return false;
  const key = attributeLayoutOf(world, entity).keys[at - attributes.start[row]!]!;
  return [...game.definition.playerTypes.values()].some((type) => type.attributes.get(key)?.value === value);
}

/** Attributes are within their bounds, positions are finite, and no due timer is still pending. */
function checkNumbers(sim: Simulation, found: string[]): void {
  const { world } = internalsOf(sim);
  const { attributes, transform } = world.components;
  const { value, min, max } = world.attributes;
  for (const entity of world.order.entries) {
    if (!world.exists(entity)) continue;
    const row = rowOf(entity);
    const name = (): string => world.ref(entity)?.id ?? String(entity);
    const end = attributes.start[row]! + attributes.count[row]!;
    for (let at = attributes.start[row]!; at < end; at++) {
      const isIn = min[at]! > max[at]! || (value[at]! >= min[at]! && value[at]! <= max[at]!);
      if (isIn) continue;
      if (sim.dialect === 'moddio' && mayBeOutside(sim, entity, at)) continue;
      found.push(`an attribute of ${name()} is ${value[at]}, outside ${min[at]} to ${max[at]}`);
    }
    const isSomewhere = Number.isFinite(transform.x[row]! + transform.y[row]! + transform.angle[row]!);
    if (!isSomewhere) found.push(`${name()} is at no place`);
  }
  const { nowMs } = world.clock;
  const [first] = world.timers.heap;
  if (first !== undefined && !(first.dueMs >= nowMs))
    found.push(`a timer was due at ${first.dueMs} ms and waits at ${nowMs} ms`);
}

/** All lists have the same number of entities. */
function checkLists(sim: Simulation, found: string[]): void {
  const { world } = internalsOf(sim);
  let listed = 0;
  for (const kind of kinds) {
    if (kind === 'none') continue;
    const living = world.lists[Kind[kind]]!.entries.filter((entity) => world.exists(entity));
    listed += living.length;
    if (new Set(living).size !== living.length) found.push(`a ${kind} is listed twice`);
    if (living.some((entity) => !world.is(entity, Kind[kind])))
      found.push(`something is listed as a ${kind} and is none`);
  }
  const ordered = world.order.entries.filter((entity) => world.exists(entity));
  if (listed !== world.entityCount) found.push(`${world.entityCount} entities exist, ${listed} are listed by kind`);
  if (ordered.length !== world.entityCount)
    found.push(`${world.entityCount} entities exist, ${ordered.length} in order`);
}

/** Every id resolves to exactly one entity, the one that has it. */
function checkIds(sim: Simulation, view: StateView, found: string[]): void {
  const ids = new Set<string>();
  for (const { id } of [
    ...view.units,
    ...view.items,
    ...view.projectiles,
    ...view.players,
    ...view.regions,
    ...view.debris,
  ]) {
    if (ids.has(id)) found.push(`${id} is the id of two`);
    ids.add(id);
    if (sim.find(id)?.id !== id) found.push(`${id} does not resolve to what it names`);
  }
  for (const { id, owner } of view.units) {
    if (owner !== null && ids.has(owner) && !view.players.some((player) => player.id === owner)) {
      found.push(`${id} belongs to ${owner}, who is no player`);
    }
  }
}

/** The columns of a world, which never change, with their names. */
interface Column {
  readonly name: string;
  readonly values: () => ArrayLike<unknown>;
}
const columnsBy = new WeakMap<object, Column[]>();

function columnsOf(components: object): readonly Column[] {
  let columns = columnsBy.get(components);
  if (columns === undefined) {
    columns = Object.entries(components).flatMap(([name, store]) => {
      if (Array.isArray(store)) return [{ name, values: () => store }];
      if (typeof store !== 'object' || store === null) return [];
      const parts = store as Record<string, ArrayLike<unknown>>;
      const names = Object.keys(parts).filter((key) => ArrayBuffer.isView(parts[key]) && key !== 'generation');
      return names.map((key) => ({ name: `${name}.${key}`, values: () => parts[key]! }));
    });
    columnsBy.set(components, columns);
  }
  return columns;
}

/** A row without an entity is empty, so that nothing of a destroyed entity remains. */
function checkRows(sim: Simulation, found: string[]): void {
  const { world } = internalsOf(sim);
  const { entities, components } = world;
  for (const { name, values } of columnsOf(components)) {
    const column = values();
    for (const row of entities.freeRows) {
      const value = column[row];
      if (value !== 0 && value !== undefined) found.push(`the free row ${row} holds ${String(value)} in ${name}`);
    }
  }
  const taken = entities.freeRows.length + entities.leaving.length + world.entityCount;
  if (taken !== entities.rowsUsed - 1) found.push('rows are neither free nor taken');
}

/** Every body belongs to an existing entity, and each entity has at most one body. */
function checkBodies(sim: Simulation, found: string[]): void {
  const { world, state } = internalsOf(sim);
  const owners = new Set<number>();
  for (const entity of state().physics.planck.bodies.entity) {
    if (entity === 0) continue;
    // An entity that was destroyed in this tick loses its body in the next.
    if (!world.entities.remembers(entity)) found.push(`a body is that of ${entity}, who is gone`);
    if (owners.has(entity) && !world.is(entity, Kind.wall)) found.push(`${entity} has two bodies`);
    owners.add(entity);
  }
}

/**
 * An item in a slot belongs to the carrier and is in no other slot; each carried item is in a slot. In `moddio` a
 * refused swap gives items the numbers of each other's slots (reference: players#swapping-slots).
 */
function checkInventories({ units, items }: StateView, isNumbered: boolean, found: string[]): void {
  const carried = new Map<string, string>();
  const byId = new Map(items.map((item) => [item.id, item]));
  for (const { id, slots, tradeSlots, holding } of units) {
    for (const [index, item] of [...slots, ...tradeSlots].entries()) {
      if (item === null) continue;
      if (carried.has(item)) found.push(`${item} is in two slots: of ${carried.get(item)} and of ${id}`);
      carried.set(item, id);
      const known = byId.get(item);
      if (known === undefined) found.push(`${id} carries ${item}, which is gone`);
      else if (known.owner !== id || (isNumbered && known.slotIndex !== index)) {
        found.push(`${item} is in slot ${index} of ${id}, and says slot ${known.slotIndex} of ${known.owner}`);
      }
    }
    if (holding !== null && !slots.includes(holding))
      found.push(`${id} holds ${holding}, which is in none of its slots`);
  }
  for (const { id, owner, slotIndex } of items) {
    if (slotIndex !== null && !carried.has(id)) found.push(`${id} says slot ${slotIndex} of ${owner}, where it is not`);
  }
}
