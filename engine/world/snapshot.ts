import { archetypes, type Components, components } from '../components/index.ts';
import { MalformedBytes } from '../core/bytes.ts';
import type { Dictionary } from '../core/plain-object.ts';
import { entitiesState } from '../ecs/entities.ts';
import { rowHas } from '../ecs/mask.ts';
import {
  Checker,
  type Fields,
  f64,
  fill,
  floats,
  type Infer,
  json,
  type FieldType as KindOf,
  list,
  map,
  optional,
  outsideHash,
  record,
  type Scope,
  text,
  withCheck,
} from '../schema/index.ts';
import { attributeRows, attributesState } from './attribute.ts';
import { clockState } from './clock.ts';
import { partsOf } from './definition-parts.ts';
import { type Entity, generationOf, Kind, kinds, Life, makeEntity, noEntity, rowOf } from './entity.ts';
import { fault, skip } from './faults.ts';
import { scriptMemory } from './script-memory.ts';
import { serverState } from './server-state.ts';
import { shownState } from './shown.ts';
import { tileMapState } from './tile-map.ts';
import { timersState } from './timer.ts';
import { queuedTrigger } from './trigger-queue.ts';
import { globalsState } from './variable.ts';
import type { World } from './world.ts';

/**
 * Declares the members of a world that influence its future. `context` is the field type of the script context that
 * delayed actions keep.
 */
export function worldState<C>(context: KindOf<C>) {
  return record({
    clock: clockState,
    memory: scriptMemory,
    shown: shownState,
    map: tileMapState,
    components: components.state,
    attributes: attributesState,
    globals: globalsState,
    timers: timersState(context),
    /** Queued triggers, oldest first. */
    triggers: list(queuedTrigger),
    random: map(text(), record({ c: f64(), s0: f64(), s1: f64(), s2: f64() })),
    server: serverState(optional(context)),
    hostValues: map(text(), json()),
    entities: entitiesState,
    made: withCheck(floats(), 'not a list with one number per kind of entity', (made) => made.length === kinds.length),
    // Faults and skips are left out of the state hash, because nothing in the simulation reads them.
    faults: outsideHash(list(fault)),
    skips: outsideHash(list(skip)),
  });
}
type WorldState = Infer<ReturnType<typeof worldState<unknown>>>;

/** Members whose saved form differs from the live one. */
const converted: readonly string[] = 'components attributes triggers random faults skips entities'.split(' ');
const fields: Fields = worldState(json()).fields;
const members = Object.keys(fields).filter((name) => !converted.includes(name));

/**
 * The state of a world between two ticks, valid until the next tick, because it refers to live data. To keep the state,
 * encode it.
 */
export function stateOfWorld(world: World): WorldState {
  const { attributes, entities } = world;
  const state: Record<string, unknown> = {
    components: components.slice(world.components, entities.rowsUsed),
    attributes: { rows: attributeRows.slice(attributes, attributes.count), freeBlocks: attributes.freeBlocks },
    triggers: world.triggers.queue.save(),
    random: world.random.save(),
    faults: world.faults.list(),
    skips: world.skips.list(),
    entities,
  };
  for (const name of members) state[name] = world[name as keyof World];
  return state as WorldState;
}

/**
 * Replaces the state of a world by one that `checkWorld` has accepted. The statistics (trigger and event counts)
 * restart at zero.
 */
export function restoreWorld(world: World, state: WorldState): void {
  const live = world as unknown as Record<string, unknown>;
  for (const name of members) live[name] = fill(fields[name]!, live[name], state[name as keyof WorldState]);
  world.reserve(state.entities.rowsUsed);
  components.fill(world.components, state.components, world.entities.rowsUsed);
  world.attributes.restore(state.attributes);
  world.triggers.counts.fill(0);
  world.outbox.counts.clear();
  world.triggers.queue.restore(state.triggers);
  world.random.restore(state.random);
  world.faults.restore(state.faults);
  world.skips.restore(state.skips);
  world.entities.restore(state.entities);
  world.rowsRestored();
}

/**
 * The facts about a whole state that the schema checks need: table sizes, definition parts, and which entities are
 * valid. Throws `MalformedBytes`.
 */
export function scopeOf(
  world: World,
  { components: { rows: table, identity }, entities: { rowsUsed } }: WorldState,
  sizesBesides: Dictionary<number>,
): Scope {
  const isSized = Number.isSafeInteger(rowsUsed) && rowsUsed >= 1 && rowsUsed <= world.limits.entities + 1;
  if (!isSized || table.life.length !== rowsUsed)
    throw new MalformedBytes('The number of used rows is invalid, or differs from the length of the columns.');
  const sizes: Dictionary<number> = { row: rowsUsed, ...sizesBesides };
  return {
    parts: partsOf(world),
    sizeOf: (table) => sizes[table]!,
    isEntity(entity, kind) {
      const row = rowOf(entity);
      if (row >= rowsUsed) return false;
      const isGone = table.generation[row] !== generationOf(entity) || table.life[row] === Life.free;
      return kind === undefined || entity === noEntity || isGone || identity.kind[row] === Kind[kind as Kind];
    },
  };
}

const owners: Readonly<Record<number, Kind>> = {
  [Kind.unit]: 'player',
  [Kind.item]: 'unit',
  [Kind.projectile]: 'unit',
  [Kind.sensor]: 'unit',
};

const lives: readonly number[] = Object.values(Life);

/** The masks of the components that a new entity has, by the number of its kind. */
const ofKinds = kinds.map((kind) => archetypes[kind as keyof typeof archetypes]);

/**
 * Checks what the schema cannot express, for example that each entity has a valid type, state and owner. Throws
 * `MalformedBytes`.
 */
export function checkWorld(world: World, state: WorldState, scope: Scope): void {
  const at = new Checker(scope);
  const { components: c, attributes, globals, timers, entities } = state;
  const { unit, item, projectile, player } = world.types;
  const tables = { [Kind.unit]: unit, [Kind.item]: item, [Kind.projectile]: projectile, [Kind.player]: player };
  const attributeCount = attributes.rows.value.length;
  const leaving = new Set(entities.leaving.map(rowOf));
  const { rows, identity } = c;
  /**
   * What the first problem of an entity row is about, as a noun for the error message; undefined if the row is valid.
   */
  const lack = (row: number): string | undefined => {
    const kind = identity.kind[row]!;
    const life = rows.life[row]!;
    const handle = c.handle[row];
    if (kind >= kinds.length) return 'kind';
    if (!lives.includes(life)) return 'life';
    if (handle !== undefined && rowOf(handle.entity) !== row) return 'handle';
    if (life === Life.free && !leaving.has(row)) return undefined;
    if (kind === Kind.none) return 'kind';
    if (handle?.entity !== makeEntity(row, rows.generation[row]!)) return 'valid handle';
    const table = tables[kind as keyof typeof tables];
    const type = table?.at(identity.type[row]!);
    // A player has no type until a script assigns one.
    if (table !== undefined && !(kind === Kind.player && identity.type[row] === -1)) {
      if (type === undefined) return 'type';
      if (identity.state[row]! < -1 || identity.state[row]! >= type.states.length) return 'state';
    }
    // Players cannot be destroyed, so they have no life span.
    if (kind === Kind.player && c.lifespan.deathTimeMs[row] !== Infinity) return 'valid end of life';
    if (!rowHas(rows, row, ofKinds[kind]!)) return 'complete set of components for its kind';
    const start = c.attributes.start[row]!;
    const ofType = type?.attributes.keys.length ?? 0;
    const hasAttributes = c.attributes.count[row] === ofType && start >= 0 && start + ofType <= attributeCount;
    if (!hasAttributes) return 'complete set of attributes for its type';
    const owner = identity.owner[row]!;
    const isOwned = Number.isSafeInteger(owner) && owner >= 0 && scope.isEntity(owner, owners[kind]);
    return isOwned ? undefined : 'owner of the right kind';
  };
  for (let row = 1; row < entities.rowsUsed; row++) {
    const lacking = lack(row);
    if (lacking !== undefined) at.demand(false, `a state in which row ${row} has no ${lacking}`);
  }
  at.demand(
    areListed(c, scope, entities.order.entries),
    'a state in which an entity is missing from the list of all entities, or listed twice',
  );
  for (const [size, starts] of attributes.freeBlocks) {
    at.demand(
      starts.every((start) => start + size <= attributeCount),
      'a state whose free attribute rows were never allocated',
    );
  }
  at.demand(
    globals.values.length === world.globals.values.length,
    'a state with a different number of global variables',
  );
  at.demand(
    globals.defaultSpent.length === world.globals.defaultSpent.length,
    'a state with a different number of global variables',
  );
  for (const [i, { dueMs }] of timers.heap.entries()) {
    at.demand(i === 0 || timers.heap[(i - 1) >> 1]!.dueMs <= dueMs, 'a state with timers out of order');
  }
}

/** Whether all entries are living or former entities and none occurs twice. */
function areListed(c: Components, scope: Scope, entries: readonly Entity[]) {
  const { generation } = c.rows;
  const met = new Uint8Array(generation.length);
  let areRowsOnce = true;
  for (let i = 0; i < entries.length; i++) {
    const entity = entries[i]!;
    const row = rowOf(entity);
    if (row === 0 || generationOf(entity) > generation[row]! || !scope.isEntity(entity, undefined)) return false;
    areRowsOnce &&= met[row] === 0;
    met[row] = 1;
  }
  return areRowsOnce || new Set(entries).size === entries.length;
}
